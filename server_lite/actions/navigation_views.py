"""Changes the views in a user's sidebar. Checks no permissions: callers did."""

from dataclasses import replace
from typing import Any

from server_lite.events.personal import ViewAdded, ViewRemoved, ViewUpdated
from server_lite.objects.personal import view_object
from server_lite.store import navigation_views
from server_lite.store.database import Tx
from server_lite.store.navigation_views import ViewRow
from server_lite.store.users import UserRow


def create(tx: Tx, user: UserRow, view: ViewRow) -> None:
    """Add a view to the sidebar."""
    navigation_views.store(tx, user.id, view)
    tx.emit(ViewAdded(view=view_object(view)), to=[user.id])


def edit(tx: Tx, user: UserRow, view: ViewRow, *, is_pinned: bool | None, name: str | None) -> None:
    """Change the values that are not None."""
    data: dict[str, Any] = {}
    if is_pinned is not None and is_pinned != view.is_pinned:
        data["is_pinned"] = is_pinned
    if name is not None and name != view.name:
        data["name"] = name
    if data:
        navigation_views.store(tx, user.id, replace(view, **data))
        tx.emit(ViewUpdated(fragment=view.fragment, data=data), to=[user.id])


def delete(tx: Tx, user: UserRow, view: ViewRow) -> None:
    """Remove a view from the sidebar."""
    navigation_views.delete(tx, user.id, view.fragment)
    tx.emit(ViewRemoved(fragment=view.fragment), to=[user.id])
