"""Rows of channel folders. SQL only."""

from collections.abc import Sequence
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A row of `channel_folder`; time in UNIX seconds."""

    id: int
    name: str
    description: str
    rendered_description: str
    date_created: float
    creator_id: UserId | None
    position: int
    is_archived: bool


_ROWS: Final = Rows(FolderRow, "channel_folder")


def by_id(db: Db, folder_id: int) -> FolderRow | None:
    """Return the folder, archived or not."""
    return _ROWS.one(db, "WHERE id = ?", folder_id)


def everything(db: Db) -> list[FolderRow]:
    """Return all folders in their order, archived ones included."""
    return _ROWS.all(db, "ORDER BY position, id")


def name_taken(db: Db, name: str, *, other_than: int = 0) -> bool:
    """Whether another active folder has this name, ignoring case."""
    key = name.casefold()
    return any(
        folder.name.casefold() == key
        for folder in everything(db)
        if not folder.is_archived and folder.id != other_than
    )


def insert(
    db: Db, *, name: str, description: str, rendered: str, creator_id: UserId, now: float
) -> int:
    """Insert a folder after all others; returns its ID."""
    return db.insert(
        "INSERT INTO channel_folder (name, description, rendered_description, date_created,"
        " creator_id, position)"
        " VALUES (?, ?, ?, ?, ?, (SELECT count(*) FROM channel_folder))",
        name,
        description,
        rendered,
        now,
        creator_id,
    )


def update(
    db: Db, folder_id: int, *, name: str, description: str, rendered: str, is_archived: bool
) -> None:
    """Store everything that can change except the order."""
    db.run(
        "UPDATE channel_folder SET name = ?, description = ?, rendered_description = ?,"
        " is_archived = ? WHERE id = ?",
        name,
        description,
        rendered,
        is_archived,
        folder_id,
    )


def reorder(db: Db, ids: Sequence[int]) -> None:
    """Store the order of all folders."""
    db.many(
        "UPDATE channel_folder SET position = ? WHERE id = ?",
        [(position, folder_id) for position, folder_id in enumerate(ids)],
    )


def count(db: Db) -> int:
    """Return the number of folders."""
    number: int = db.value("SELECT count(*) FROM channel_folder")
    return number
