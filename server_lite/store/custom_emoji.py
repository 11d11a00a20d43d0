"""Rows of the organization's own emoji, with their images. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db, Row


@dataclass(frozen=True, slots=True)
class EmojiRow:
    """One row of `custom_emoji`, without the image."""

    id: int
    name: str
    author_id: UserId | None
    deactivated: bool
    extension: str


_COLUMNS: Final = "id, name, author_id, deactivated, extension"


def everything(db: Db) -> list[EmojiRow]:
    """All emoji, those that were taken away too, by id."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM custom_emoji ORDER BY id")
    return [_emoji(row) for row in rows]


def _emoji(row: Row) -> EmojiRow:
    emoji_id, name, author, gone, extension = row
    return EmojiRow(emoji_id, name, author, bool(gone), extension)


def by_id(db: Db, emoji_id: int) -> EmojiRow | None:
    """One emoji, whether it can be used or not."""
    return _one(db, "id = ?", emoji_id)


def active(db: Db, name: str) -> EmojiRow | None:
    """The emoji that can be used under this name."""
    return _one(db, "NOT deactivated AND name = ?", name)


def _one(db: Db, condition: str, value: int | str) -> EmojiRow | None:
    row = db.row(f"SELECT {_COLUMNS} FROM custom_emoji WHERE {condition}", value)
    return _emoji(row) if row else None


def image_of(db: Db, emoji_id: int) -> bytes | None:
    """The image."""
    image: bytes | None = db.value("SELECT image FROM custom_emoji WHERE id = ?", emoji_id)
    return image


def insert(db: Db, *, name: str, author_id: UserId, extension: str, image: bytes) -> int:
    """A new emoji; returns its id."""
    return db.insert(
        "INSERT INTO custom_emoji (name, author_id, extension, image) VALUES (?, ?, ?, ?)",
        name,
        author_id,
        extension,
        image,
    )


def deactivate(db: Db, emoji_id: int) -> None:
    """Nobody can use it any more; where it was used it stays."""
    db.run("UPDATE custom_emoji SET deactivated = 1 WHERE id = ?", emoji_id)
