"""What people say of themselves: a few words and an emoji. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One row of `user_status`; texts are empty where nothing is said."""

    user_id: UserId
    status_text: str = ""
    emoji_name: str = ""
    emoji_code: str = ""
    reaction_type: str = ""


_COLUMNS: Final = "user_id, status_text, emoji_name, emoji_code, reaction_type"


def of(db: Db, user_id: UserId) -> StatusRow:
    """One person's; empty when they say nothing."""
    row = db.row(f"SELECT {_COLUMNS} FROM user_status WHERE user_id = ?", user_id)
    return StatusRow(*row) if row else StatusRow(user_id)


def every(db: Db) -> dict[UserId, StatusRow]:
    """All, by person."""
    return {row[0]: StatusRow(*row) for row in db.rows(f"SELECT {_COLUMNS} FROM user_status")}


def store(db: Db, status: StatusRow) -> None:
    """Write one person's."""
    db.run(
        f"INSERT OR REPLACE INTO user_status ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
        status.user_id,
        status.status_text,
        status.emoji_name,
        status.emoji_code,
        status.reaction_type,
    )
