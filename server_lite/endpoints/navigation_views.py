"""Views in the user's sidebar: built-in views and named narrows. Thin."""

from typing import Annotated, Final

from typing_extensions import TypedDict

from server_lite.actions import navigation_views as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength, NotBlank
from server_lite.errors import ApiError, NoSuchObject, NotFound
from server_lite.objects.personal import NavigationViewObject, view_object
from server_lite.store import navigation_views
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.navigation_views import ViewRow
from server_lite.store.users import UserRow

BUILT_IN: Final = frozenset(
    (
        "inbox",
        "recent",
        "feed",
        "drafts",
        "reminders",
        "scheduled",
        "narrow/is/starred",
        "narrow/is/mentioned",
        "narrow/is/followed",
        "narrow/has/reaction/sender/me",
    )
)
"""Fragments of views built into every client, which cannot be renamed."""

MAX_VIEWS: Final = 200
NO_NAME: Final = "Built-in views cannot have a custom name"


class NavigationViews(TypedDict):
    """All views of the user."""

    navigation_views: list[NavigationViewObject]


def listing(db: Db, user: UserRow) -> NavigationViews:
    """Get the user's navigation views."""
    return {"navigation_views": [view_object(row) for row in navigation_views.of_user(db, user.id)]}


def create(
    tx: Tx,
    user: UserRow,
    *,
    fragment: Annotated[str, NotBlank(), MaxLength(400)],
    is_pinned: bool,
    name: Annotated[str | None, MaxLength(60)] = None,
) -> Done:
    """Add a view to the sidebar."""
    if fragment in BUILT_IN and name is not None:
        raise ApiError(NO_NAME)
    if fragment not in BUILT_IN and not (name or "").strip():
        raise ApiError("Custom views must have a valid name")
    views = navigation_views.of_user(tx, user.id)
    if any(view.fragment == fragment for view in views):
        raise ApiError("Navigation view already exists.")
    if len(views) >= MAX_VIEWS:
        raise ApiError(f"There can be at most {MAX_VIEWS} navigation views.")
    actions.create(tx, user, ViewRow(fragment, is_pinned, name))
    return {}


def edit(
    tx: Tx,
    user: UserRow,
    fragment: str,
    *,
    is_pinned: bool | None = None,
    name: Annotated[str | None, NotBlank(), MaxLength(60)] = None,
) -> Done:
    """Pin, unpin or rename a view."""
    view = navigation_views.get(tx, user.id, fragment)
    if view is None:
        raise NotFound("Navigation view does not exist.")
    if fragment in BUILT_IN and name is not None:
        raise ApiError(NO_NAME)
    actions.edit(tx, user, view, is_pinned=is_pinned, name=name)
    return {}


def delete(tx: Tx, user: UserRow, fragment: str) -> Done:
    """Remove a view from the sidebar."""
    view = navigation_views.get(tx, user.id, fragment)
    if view is None:
        raise NoSuchObject("Navigation view does not exist.")
    actions.delete(tx, user, view)
    return {}
