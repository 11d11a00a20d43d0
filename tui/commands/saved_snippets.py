"""Saved snippets: creating, editing, deleting. Raises ApiError; no Textual."""

from tui.api.model import SavedSnippet, SavedSnippetId
from tui.api.routes import saved_snippets as routes
from tui.commands.idempotency import Attempts
from tui.sync.machine import Sync


async def create(sync: Sync, attempts: Attempts, *, title: str, content: str) -> SavedSnippetId:
    """Create a snippet of Markdown with a title; return its ID."""
    with attempts.key((title, content)) as key:
        return await routes.create(
            sync.connection, title=title, content=content, idempotency_key=key
        )


async def edit(sync: Sync, snippet: SavedSnippet, *, title: str, content: str) -> None:
    """Change a snippet's title and text."""
    await routes.edit(sync.connection, saved_snippet_id=snippet.id, title=title, content=content)


async def delete(sync: Sync, snippet: SavedSnippet) -> None:
    """Delete a snippet."""
    await routes.delete(sync.connection, saved_snippet_id=snippet.id)
