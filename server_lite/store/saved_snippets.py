"""Rows of saved snippets. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row


@dataclass(frozen=True, slots=True)
class SnippetRow:
    """A row of `saved_snippet`; time in UNIX seconds."""

    id: int
    user_id: UserId
    title: str
    content: str
    date_created: float


_ROWS: Final = Rows(SnippetRow, "saved_snippet")


def by_id(db: Db, snippet_id: int) -> SnippetRow | None:
    """Return the snippet, whoever owns it."""
    return _ROWS.one(db, "WHERE id = ?", snippet_id)


def of_user(db: Db, user_id: UserId) -> list[SnippetRow]:
    """Return a user's snippets, oldest first."""
    return _ROWS.all(db, "WHERE user_id = ? ORDER BY id", user_id)


def insert(db: Db, user_id: UserId, title: str, content: str, now: float) -> int:
    """Insert a snippet; returns its ID."""
    return insert_row(
        db, "saved_snippet", user_id=user_id, title=title, content=content, date_created=now
    )


def update(db: Db, snippet_id: int, title: str, content: str) -> None:
    """Store title and content."""
    db.run(
        "UPDATE saved_snippet SET title = ?, content = ? WHERE id = ?", title, content, snippet_id
    )


def delete(db: Db, snippet_id: int) -> None:
    """Delete the snippet."""
    db.run("DELETE FROM saved_snippet WHERE id = ?", snippet_id)
