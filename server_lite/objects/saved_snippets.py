"""Saved snippets as the API's JSON. Reads nothing."""

from typing import Any

from server_lite.store.saved_snippets import SnippetRow


def snippet_object(row: SnippetRow) -> dict[str, Any]:
    """The SavedSnippet object."""
    return {
        "id": row.id,
        "title": row.title,
        "content": row.content,
        "date_created": int(row.date_created),
    }
