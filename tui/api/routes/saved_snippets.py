"""Saved snippets. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import SavedSnippet, SavedSnippetId


async def fetch(connection: Connection) -> tuple[SavedSnippet, ...]:
    """GET /saved_snippets (since level 297)."""
    answer = await connection.get("/saved_snippets", {})
    return answer.read("saved_snippets", tuple[SavedSnippet, ...])


async def create(
    connection: Connection, *, title: str, content: str, idempotency_key: str | None
) -> SavedSnippetId:
    """POST /saved_snippets. Code BAD_REQUEST: no title."""
    answer = await connection.post(
        "/saved_snippets", {"title": title, "content": content}, idempotency_key=idempotency_key
    )
    return answer.read("saved_snippet_id", SavedSnippetId)


async def edit(
    connection: Connection,
    *,
    saved_snippet_id: SavedSnippetId,
    title: str | None,
    content: str | None,
) -> None:
    """PATCH /saved_snippets/{id} (since level 368). Status 404: deleted."""
    await connection.patch(
        f"/saved_snippets/{saved_snippet_id}", {"title": title, "content": content}
    )


async def delete(connection: Connection, *, saved_snippet_id: SavedSnippetId) -> None:
    """DELETE /saved_snippets/{id}. Status 404: deleted already."""
    await connection.delete(f"/saved_snippets/{saved_snippet_id}", {})
