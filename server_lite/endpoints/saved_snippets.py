"""Saved snippets: list, create, edit, delete. Thin."""

from typing import Annotated, Final, NewType

from typing_extensions import TypedDict

from server_lite.actions import saved_snippets as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.errors import ApiError, NoSuchObject
from server_lite.objects.personal import SavedSnippetObject, snippet_object
from server_lite.store import saved_snippets
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.saved_snippets import SnippetRow
from server_lite.store.users import UserRow

SnippetId = NewType("SnippetId", int)
Title = Annotated[str, MaxLength(60)]
Content = Annotated[str, MaxLength(10_000)]
MAX_SNIPPETS: Final = 1000


class SavedSnippets(TypedDict):
    """All snippets of the user."""

    saved_snippets: list[SavedSnippetObject]


class Created(TypedDict):
    """ID of the created snippet."""

    saved_snippet_id: int


def listing(db: Db, user: UserRow) -> SavedSnippets:
    """Get the user's saved snippets, oldest first."""
    return {"saved_snippets": [snippet_object(row) for row in saved_snippets.of_user(db, user.id)]}


def create(tx: Tx, user: UserRow, *, title: Title, content: Content) -> Created:
    """Create a saved snippet."""
    if len(saved_snippets.of_user(tx, user.id)) >= MAX_SNIPPETS:
        raise ApiError(f"There can be at most {MAX_SNIPPETS} saved snippets.")
    snippet_id = actions.create(tx, user, _title(title), _content(content))
    return {"saved_snippet_id": snippet_id}


def edit(
    tx: Tx,
    user: UserRow,
    snippet_id: SnippetId,
    *,
    title: Annotated[str | None, MaxLength(60)] = None,
    content: Annotated[str | None, MaxLength(10_000)] = None,
) -> Done:
    """Edit a saved snippet's title or content."""
    row = _mine(tx, user, snippet_id)
    actions.edit(
        tx,
        row,
        title=None if title is None else _title(title),
        content=None if content is None else _content(content),
    )
    return {}


def delete(tx: Tx, user: UserRow, snippet_id: SnippetId) -> Done:
    """Delete a saved snippet."""
    actions.delete(tx, _mine(tx, user, snippet_id))
    return {}


def _mine(db: Db, user: UserRow, snippet_id: int) -> SnippetRow:
    row = saved_snippets.by_id(db, snippet_id)
    if row is None or row.user_id != user.id:
        raise NoSuchObject("Saved snippet does not exist.")
    return row


def _title(title: str) -> str:
    if not title.strip():
        raise ApiError("Title cannot be empty.")
    return title.strip()


def _content(content: str) -> str:
    if not content.strip():
        raise ApiError("Content cannot be empty.")
    return content.strip()
