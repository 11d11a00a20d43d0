"""Creates, edits and deletes saved snippets. Checks no permissions: callers did."""

from dataclasses import replace

from server_lite.events.personal import SnippetAdded, SnippetRemoved, SnippetUpdated
from server_lite.objects.personal import snippet_object
from server_lite.store import saved_snippets
from server_lite.store.database import Tx
from server_lite.store.saved_snippets import SnippetRow
from server_lite.store.users import UserRow


def create(tx: Tx, user: UserRow, title: str, content: str) -> int:
    """Create a snippet; returns its ID."""
    snippet_id = saved_snippets.insert(tx, user.id, title, content, tx.now)
    row = SnippetRow(snippet_id, user.id, title, content, tx.now)
    tx.emit(SnippetAdded(snippet=snippet_object(row)), to=[user.id])
    return snippet_id


def edit(tx: Tx, row: SnippetRow, *, title: str | None, content: str | None) -> None:
    """Change the values that are not None."""
    new = replace(
        row,
        title=row.title if title is None else title,
        content=row.content if content is None else content,
    )
    if new != row:
        saved_snippets.update(tx, new.id, new.title, new.content)
        tx.emit(SnippetUpdated(snippet=snippet_object(new)), to=[new.user_id])


def delete(tx: Tx, row: SnippetRow) -> None:
    """Delete a snippet."""
    saved_snippets.delete(tx, row.id)
    tx.emit(SnippetRemoved(snippet_id=row.id), to=[row.user_id])
