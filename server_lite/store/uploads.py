"""Rows of uploaded files, their slices, and the messages that link them. SQL only."""

from collections.abc import Collection, Sequence
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.rows import Rows, insert_row

SLICE: Final = 256 * 1024
"""Bytes in one row: a slice is written and read without holding up anybody."""


@dataclass(frozen=True, slots=True)
class UploadRow:
    """One row of `upload`; size in bytes, time in UNIX seconds."""

    id: int
    user_id: UserId
    name: str
    path_id: str
    content_type: str
    size: int
    created: float
    dimensions: tuple[int, int] | None
    """Width and height in pixels, of images whose header tells."""


_ROWS: Final = Rows(
    UploadRow,
    "upload",
    columns={"dimensions": "iif(width IS NULL, NULL, json_array(width, height))"},
)


def by_id(db: Db, upload_id: int) -> UploadRow | None:
    """A complete file."""
    return _one(db, "id = ?", upload_id)


def by_path(db: Db, path_id: str) -> UploadRow | None:
    """The same, by what follows /user_uploads/ in its address."""
    return _one(db, "path_id = ?", path_id)


def _one(db: Db, condition: str, value: int | str) -> UploadRow | None:
    return _ROWS.one(db, f"WHERE is_complete AND {condition}", value)


def of_user(db: Db, user_id: UserId) -> list[UploadRow]:
    """A person's complete files, the oldest first."""
    return _ROWS.all(db, "WHERE is_complete AND user_id = ? ORDER BY id", user_id)


def linked_in(db: Db, message_ids: Sequence[MessageId]) -> list[UploadRow]:
    """The files that one of the messages links."""
    return _ROWS.all(
        db,
        "WHERE id IN (SELECT upload_id FROM upload_link"
        f" WHERE message_id IN ({placeholders(message_ids)})) ORDER BY id",
        *message_ids,
    )


def messages_of(db: Db, upload_id: int) -> list[int]:
    """Ids of the messages that link a file, ascending."""
    return db.column(
        "SELECT message_id FROM upload_link WHERE upload_id = ? ORDER BY message_id", upload_id
    )


def links_of_user(db: Db, user_id: UserId) -> dict[int, list[int]]:
    """The same for all files of a person, by the file's id; those that no message links are missing."""
    ids_by_upload: dict[int, list[int]] = {}
    for upload_id, message_id in db.rows(
        "SELECT upload_id, message_id FROM upload JOIN upload_link ON upload_id = upload.id"
        " WHERE user_id = ? ORDER BY upload_id, message_id",
        user_id,
    ):
        ids_by_upload.setdefault(upload_id, []).append(message_id)
    return ids_by_upload


def is_linked_where(db: Db, upload_id: int, condition: str, values: Collection[SqlValue]) -> bool:
    """Whether a message that links the file fulfils an SQL condition over the table `message`."""
    return (
        db.row(
            "SELECT 1 FROM upload_link JOIN message ON message.id = message_id"
            f" WHERE upload_id = ? AND {condition}",
            upload_id,
            *values,
        )
        is not None
    )


def space_used(db: Db) -> int:
    """Bytes of all complete files of the organization."""
    used: int = db.value("SELECT coalesce(sum(size), 0) FROM upload WHERE is_complete")
    return used


def reserved(db: Db, user_id: UserId | None) -> int:
    """Bytes of all files of a person, or of everybody; those that are still on their way count in full."""
    condition = "TRUE" if user_id is None else f"user_id = {user_id:d}"
    used: int = db.value(f"SELECT coalesce(sum(size), 0) FROM upload WHERE {condition}")
    return used


def begin(
    db: Db,
    *,
    user_id: UserId,
    name: str,
    path_id: str,
    content_type: str,
    size: int,
    now: float,
    dimensions: tuple[int, int] | None,
) -> int:
    """A file whose slices are still to come; nobody sees it yet. Returns its id.

    Until it is complete, `size` is what it may have at most.
    """
    return db.insert(
        "INSERT INTO upload (user_id, name, path_id, content_type, size, created, width, height)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        user_id,
        name,
        path_id,
        content_type,
        size,
        now,
        *(dimensions or (None, None)),
    )


def add_slice(db: Db, upload_id: int, number: int, data: bytes) -> None:
    """Store the next `SLICE` bytes of a file; only the last slice may be shorter."""
    insert_row(db, "upload_slice", upload_id=upload_id, number=number, data=data)


def still_comes(db: Db, upload_id: int, now: float) -> bool:
    """Note that a slice came just now; False if the file is not waited for any more."""
    db.run("UPDATE upload SET created = ? WHERE NOT is_complete AND id = ?", now, upload_id)
    return db.row("SELECT 1 FROM upload WHERE NOT is_complete AND id = ?", upload_id) is not None


def complete(
    db: Db, upload_id: int, *, size: int, dimensions: tuple[int, int] | None, now: float
) -> None:
    """All slices are there: the file can be seen."""
    width, height = dimensions or (None, None)
    db.run(
        "UPDATE upload SET is_complete = 1, size = ?, width = ?, height = ?, created = ?"
        " WHERE id = ?",
        size,
        width,
        height,
        now,
        upload_id,
    )


def read_slice(db: Db, upload_id: int, number: int) -> bytes:
    """One slice; empty behind the end of the file, and when it was deleted meanwhile."""
    data: bytes | None = db.value(
        "SELECT data FROM upload_slice WHERE upload_id = ? AND number = ?", upload_id, number
    )
    return data or b""


def link(db: Db, message_id: MessageId, upload_ids: Collection[int]) -> None:
    """The message links these files and no others."""
    db.run(
        f"DELETE FROM upload_link WHERE message_id = ? AND upload_id NOT IN ({placeholders(list(upload_ids))})",
        message_id,
        *upload_ids,
    )
    db.many(
        "INSERT OR IGNORE INTO upload_link (upload_id, message_id) VALUES (?, ?)",
        [(upload_id, message_id) for upload_id in upload_ids],
    )


def delete(db: Db, upload_id: int) -> None:
    """Forget the file and its slices."""
    db.run("DELETE FROM upload WHERE id = ?", upload_id)


def delete_unfinished(db: Db, upload_id: int) -> None:
    """Forget a file that failed on its way; a complete one stays."""
    db.run("DELETE FROM upload WHERE NOT is_complete AND id = ?", upload_id)


def delete_incomplete(db: Db, before: float) -> None:
    """Forget files whose last slice never came."""
    db.run("DELETE FROM upload WHERE NOT is_complete AND created < ?", before)


def incomplete_names(db: Db) -> list[str]:
    """Names of complete files of which bytes are missing, the first twenty."""
    return db.column(
        "SELECT name FROM upload WHERE is_complete AND size != (SELECT coalesce(sum(length(data)), 0)"
        " FROM upload_slice WHERE upload_id = upload.id) LIMIT 20"
    )


def count_and_size(db: Db) -> tuple[int, int]:
    """How many files there are, and how many bytes they have together."""
    number, size = db.row("SELECT count(*), coalesce(sum(size), 0) FROM upload") or (0, 0)
    return number, size


def count_unfinished(db: Db, *, before: float) -> int:
    """How many files were begun before a moment and are not complete."""
    number: int = db.value(
        "SELECT count(*) FROM upload WHERE NOT is_complete AND created < ?", before
    )
    return number


def count_unlinked(db: Db) -> int:
    """How many complete files no message links."""
    number: int = db.value(
        "SELECT count(*) FROM upload WHERE is_complete"
        " AND id NOT IN (SELECT upload_id FROM upload_link)"
    )
    return number
