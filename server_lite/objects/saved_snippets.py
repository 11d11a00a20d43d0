"""Saved snippets as the API's JSON. Reads nothing."""

from typing_extensions import TypedDict

from server_lite.store.saved_snippets import SnippetRow


class SavedSnippetObject(TypedDict):
    """A text to use again; `date_created` is in UNIX seconds."""

    id: int
    title: str
    content: str
    date_created: int


def snippet_object(row: SnippetRow) -> SavedSnippetObject:
    """The SavedSnippet object."""
    return {
        "id": row.id,
        "title": row.title,
        "content": row.content,
        "date_created": int(row.date_created),
    }
