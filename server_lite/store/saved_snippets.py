"""Rows of saved snippets. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db


@dataclass(frozen=True, slots=True)
class SnippetRow:
    """One row of `saved_snippet`; time in UNIX seconds."""

    id: int
    user_id: UserId
    title: str
    content: str
    date_created: float


_SELECT: Final = "SELECT id, user_id, title, content, date_created FROM saved_snippet"


def by_id(db: Db, snippet_id: int) -> SnippetRow | None:
    """The snippet, whoever it belongs to."""
    row = db.row(f"{_SELECT} WHERE id = ?", snippet_id)
    return SnippetRow(*row) if row else None


def of_user(db: Db, user_id: UserId) -> list[SnippetRow]:
    """A person's snippets, the oldest first."""
    return [
        SnippetRow(*row) for row in db.rows(f"{_SELECT} WHERE user_id = ? ORDER BY id", user_id)
    ]


def insert(db: Db, user_id: UserId, title: str, content: str, now: float) -> int:
    """A new snippet; returns its id."""
    return db.insert(
        "INSERT INTO saved_snippet (user_id, title, content, date_created) VALUES (?, ?, ?, ?)",
        user_id,
        title,
        content,
        now,
    )


def update(db: Db, snippet_id: int, title: str, content: str) -> None:
    """Store title and content."""
    db.run(
        "UPDATE saved_snippet SET title = ?, content = ? WHERE id = ?", title, content, snippet_id
    )


def delete(db: Db, snippet_id: int) -> None:
    """Forget the snippet."""
    db.run("DELETE FROM saved_snippet WHERE id = ?", snippet_id)
