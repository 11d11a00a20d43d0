"""Rows of custom emoji, with their images. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row


@dataclass(frozen=True, slots=True)
class EmojiRow:
    """A row of `custom_emoji`, without the image."""

    id: int
    name: str
    author_id: UserId | None
    deactivated: bool
    extension: str


_ROWS: Final = Rows(EmojiRow, "custom_emoji")


def everything(db: Db) -> list[EmojiRow]:
    """Return all emoji by ID, deactivated ones included."""
    return _ROWS.all(db, "ORDER BY id")


def by_id(db: Db, emoji_id: int) -> EmojiRow | None:
    """Return the emoji, active or not."""
    return _one(db, "id = ?", emoji_id)


def active(db: Db, name: str) -> EmojiRow | None:
    """Return the active emoji with this name."""
    return _one(db, "NOT deactivated AND name = ?", name)


def _one(db: Db, condition: str, value: int | str) -> EmojiRow | None:
    return _ROWS.one(db, f"WHERE {condition}", value)


def image_of(db: Db, emoji_id: int) -> bytes | None:
    """Return the emoji's image."""
    image: bytes | None = db.value("SELECT image FROM custom_emoji WHERE id = ?", emoji_id)
    return image


def insert(db: Db, *, name: str, author_id: UserId, extension: str, image: bytes) -> int:
    """Insert an emoji; returns its ID."""
    return insert_row(
        db, "custom_emoji", name=name, author_id=author_id, extension=extension, image=image
    )


def deactivate(db: Db, emoji_id: int) -> None:
    """Mark the emoji as deactivated."""
    db.run("UPDATE custom_emoji SET deactivated = 1 WHERE id = ?", emoji_id)
