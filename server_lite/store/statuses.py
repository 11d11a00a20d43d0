"""Rows of users' statuses: a text and an emoji. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A row of `user_status`; texts are empty if not set."""

    user_id: UserId
    status_text: str = ""
    emoji_name: str = ""
    emoji_code: str = ""
    reaction_type: str = ""


_ROWS: Final = Rows(StatusRow, "user_status")


def of(db: Db, user_id: UserId) -> StatusRow:
    """Return a user's status; empty if not set."""
    return _ROWS.one(db, "WHERE user_id = ?", user_id) or StatusRow(user_id)


def every(db: Db) -> dict[UserId, StatusRow]:
    """Return all statuses, by user."""
    return {status.user_id: status for status in _ROWS.all(db, "")}


def store(db: Db, status: StatusRow) -> None:
    """Store a user's status."""
    db.run(
        "INSERT OR REPLACE INTO user_status (user_id, status_text, emoji_name, emoji_code,"
        " reaction_type) VALUES (?, ?, ?, ?, ?)",
        status.user_id,
        status.status_text,
        status.emoji_name,
        status.emoji_code,
        status.reaction_type,
    )
