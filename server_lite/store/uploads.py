"""Rows of uploaded files, their slices, and the messages that link them. SQL only."""

from collections.abc import Collection, Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.rows import Rows, insert_row
from server_lite.store.upload_sizes import note_size

SLICE: Final = 256 * 1024
"""Bytes in one row: small enough that reading or writing one delays nobody."""
ALL: Final = -1
"""As a limit: none."""


@dataclass(frozen=True, slots=True)
class UploadRow:
    """A row of `upload`; size in bytes, time in UNIX seconds."""

    id: int
    user_id: UserId
    name: str
    path_id: str
    content_type: str
    size: int
    created: float
    dimensions: tuple[int, int] | None
    """Width and height in pixels, for images with a readable header."""


_ROWS: Final = Rows(
    UploadRow,
    "upload",
    columns={"dimensions": "iif(width IS NULL, NULL, json_array(width, height))"},
)


def by_id(db: Db, upload_id: int) -> UploadRow | None:
    """Return a complete file."""
    return _one(db, "id = ?", upload_id)


def by_path(db: Db, path_id: str) -> UploadRow | None:
    """Return a complete file by the part of its URL after /user_uploads/."""
    return _one(db, "path_id = ?", path_id)


def by_paths(db: Db, path_ids: Collection[str]) -> list[UploadRow]:
    """Return the complete files with these parts of their URLs."""
    given = orjson.dumps(sorted(path_ids)).decode()
    return _ROWS.all(
        db, "WHERE is_complete AND path_id IN (SELECT value FROM json_each(?)) ORDER BY id", given
    )


def _one(db: Db, condition: str, value: int | str) -> UploadRow | None:
    return _ROWS.one(db, f"WHERE is_complete AND {condition}", value)


def of_user(db: Db, user_id: UserId) -> list[UploadRow]:
    """Return a user's complete files, oldest first."""
    return _ROWS.all(db, "WHERE is_complete AND user_id = ? ORDER BY id", user_id)


def linked_in(db: Db, message_ids: Sequence[MessageId]) -> list[UploadRow]:
    """Return the files linked in any of the messages."""
    return _ROWS.all(
        db,
        "WHERE id IN (SELECT upload_id FROM upload_link"
        f" WHERE message_id IN ({placeholders(message_ids)})) ORDER BY id",
        *message_ids,
    )


def newest_messages_of(db: Db, upload_id: int, limit: int) -> list[int]:
    """Return IDs of the newest messages that link a file, newest first."""
    return db.column(
        "SELECT message_id FROM upload_link WHERE upload_id = ? ORDER BY message_id DESC LIMIT ?",
        *(upload_id, limit),
    )


def links_of_user(db: Db, user_id: UserId) -> dict[int, list[int]]:
    """Return IDs of the linking messages for all files of a user, by file ID; unlinked files are left out."""
    ids_by_upload: dict[int, list[int]] = {}
    for upload_id, message_id in db.rows(
        "SELECT upload_id, message_id FROM upload JOIN upload_link ON upload_id = upload.id"
        " WHERE user_id = ? ORDER BY upload_id, message_id",
        user_id,
    ):
        ids_by_upload.setdefault(upload_id, []).append(message_id)
    return ids_by_upload


def linked_where(
    db: Db, upload_ids: Collection[int], condition: str, values: Collection[SqlValue]
) -> set[int]:
    """Return which files are linked by a message that matches an SQL condition over the table `message`."""
    return set(
        db.column(
            "SELECT one.value FROM json_each(?) AS one WHERE EXISTS (SELECT 1 FROM upload_link"
            " JOIN message ON message.id = message_id"
            f" WHERE upload_id = one.value AND {condition})",
            orjson.dumps(sorted(upload_ids)).decode(),
            *values,
        )
    )


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
    """Insert a file whose slices follow; invisible until complete. Returns its ID.

    Until then, `size` is its maximum size.
    """
    before = db.generations("upload")
    upload_id = db.insert(
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
    note_size(db, before, user_id, reserved=size)
    return upload_id


def add_slice(db: Db, upload_id: int, number: int, data: bytes) -> None:
    """Store the next `SLICE` bytes of a file; only the last slice may be shorter."""
    insert_row(db, "upload_slice", upload_id=upload_id, number=number, data=data)


def still_comes(db: Db, upload_id: int, now: float) -> bool:
    """Record that a slice was just received; returns False if the upload has expired."""
    user_id = db.value("SELECT user_id FROM upload WHERE NOT is_complete AND id = ?", upload_id)
    if user_id is None:
        return False
    before = db.generations("upload")
    db.run("UPDATE upload SET created = ? WHERE id = ?", now, upload_id)
    note_size(db, before, user_id)
    return True


def complete(
    db: Db, upload_id: int, *, size: int, dimensions: tuple[int, int] | None, now: float
) -> None:
    """Mark a file as complete, so that it becomes visible."""
    width, height = dimensions or (None, None)
    user_id, reserved = db.row("SELECT user_id, size FROM upload WHERE id = ?", upload_id) or (0, 0)
    before = db.generations("upload")
    db.run(
        "UPDATE upload SET is_complete = 1, size = ?, width = ?, height = ?, created = ?"
        " WHERE id = ?",
        size,
        width,
        height,
        now,
        upload_id,
    )
    note_size(db, before, user_id, reserved=size - reserved, complete=size)


def read_slice(db: Db, upload_id: int, number: int) -> bytes:
    """Return one slice; empty after the end of the file, or if the file was deleted meanwhile."""
    data: bytes | None = db.value(
        "SELECT data FROM upload_slice WHERE upload_id = ? AND number = ?", upload_id, number
    )
    return data or b""


def link(db: Db, message_id: MessageId, upload_ids: Collection[int]) -> None:
    """Store which files the message links."""
    db.run(
        f"DELETE FROM upload_link WHERE message_id = ? AND upload_id NOT IN ({placeholders(list(upload_ids))})",
        message_id,
        *upload_ids,
    )
    db.many(
        "INSERT OR IGNORE INTO upload_link (upload_id, message_id) VALUES (?, ?)",
        [(upload_id, message_id) for upload_id in upload_ids],
    )


def unlink_some(db: Db, upload_id: int, limit: int) -> bool:
    """Delete the oldest links of a file, at most `limit`; returns whether there may be more."""
    return limit == db.run(
        "DELETE FROM upload_link WHERE upload_id = ?1 AND message_id IN (SELECT message_id"
        " FROM upload_link WHERE upload_id = ?1 ORDER BY message_id LIMIT ?2)",
        *(upload_id, limit),
    )


def delete(db: Db, upload_id: int) -> None:
    """Delete the file and its slices."""
    row = db.row("SELECT user_id, size, is_complete FROM upload WHERE id = ?", upload_id)
    if row is None:
        return
    user_id, size, is_complete = row
    before = db.generations("upload")
    db.run("DELETE FROM upload WHERE id = ?", upload_id)
    note_size(db, before, user_id, reserved=-size, complete=-size * is_complete)


def delete_unfinished(db: Db, upload_id: int) -> None:
    """Delete a file whose upload failed; complete files are left alone."""
    if db.value("SELECT NOT is_complete FROM upload WHERE id = ?", upload_id):
        delete(db, upload_id)


def delete_next_incomplete(db: Db, before: float) -> bool:
    """Delete a file that was never completed; returns whether there was one. One of 25 MB takes 10 ms."""
    upload_id = db.value(
        "SELECT id FROM upload WHERE NOT is_complete AND created < ? ORDER BY created LIMIT 1",
        before,
    )
    if upload_id is None:
        return False
    delete(db, upload_id)
    return True


def incomplete_names(db: Db) -> list[str]:
    """Return names of complete files with missing bytes, the first twenty."""
    return db.column(
        "SELECT name FROM upload WHERE is_complete AND size != (SELECT coalesce(sum(length(data)), 0)"
        " FROM upload_slice WHERE upload_id = upload.id) LIMIT 20"
    )


def count_and_size(db: Db) -> tuple[int, int]:
    """Return the number of files and their total bytes."""
    number, size = db.row("SELECT count(*), coalesce(sum(size), 0) FROM upload") or (0, 0)
    return number, size


def count_unfinished(db: Db, *, before: float) -> int:
    """Return the number of incomplete files started before a time."""
    number: int = db.value(
        "SELECT count(*) FROM upload WHERE NOT is_complete AND created < ?", before
    )
    return number


def count_unlinked(db: Db) -> int:
    """Return the number of complete files that no message links."""
    number: int = db.value(
        "SELECT count(*) FROM upload WHERE is_complete"
        " AND id NOT IN (SELECT upload_id FROM upload_link)"
    )
    return number
