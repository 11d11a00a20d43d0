"""Rows of avatars and their slices. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row
from server_lite.store.uploads import SLICE


@dataclass(frozen=True, slots=True)
class AvatarRow:
    """A row of `avatar`; size in bytes."""

    id: int
    path: str
    content_type: str
    size: int


_ROWS: Final = Rows(AvatarRow, "avatar")


def by_path(db: Db, path: str) -> AvatarRow | None:
    """Return a complete avatar by the part of its URL after /user_avatars/."""
    return _ROWS.one(db, "WHERE is_complete AND path = ?", path)


def begin(db: Db, *, path: str, content_type: str, size: int, now: float) -> int:
    """Insert an avatar whose slices follow; not assigned to anyone yet. Returns its ID."""
    return insert_row(db, "avatar", path=path, content_type=content_type, size=size, created=now)


def add_slice(db: Db, avatar_id: int, number: int, data: bytes) -> None:
    """Store the next `SLICE` bytes; only the last slice may be shorter."""
    insert_row(db, "avatar_slice", avatar_id=avatar_id, number=number, data=data)


def complete(db: Db, avatar_id: int) -> str:
    """Mark an avatar as complete, so that it can be fetched. Returns its path."""
    db.run("UPDATE avatar SET is_complete = 1 WHERE id = ?", avatar_id)
    path: str = db.value("SELECT path FROM avatar WHERE id = ?", avatar_id)
    return path


def slices_of(row: AvatarRow) -> range:
    """Return the numbers of the avatar's slices."""
    return range(-(-row.size // SLICE))


def read_slice(db: Db, avatar_id: int, number: int) -> bytes:
    """Return one slice; empty if the avatar was deleted meanwhile."""
    data: bytes | None = db.value(
        "SELECT data FROM avatar_slice WHERE avatar_id = ? AND number = ?", avatar_id, number
    )
    return data or b""


def delete(db: Db, path: str) -> None:
    """Delete an avatar and its slices."""
    db.run("DELETE FROM avatar WHERE path = ?", path)


def delete_next_incomplete(db: Db, before: float) -> bool:
    """Delete an avatar that was never completed; returns whether there was one."""
    return bool(
        db.run(
            "DELETE FROM avatar WHERE id = (SELECT id FROM avatar"
            " WHERE NOT is_complete AND created < ? ORDER BY created LIMIT 1)",
            before,
        )
    )
