"""Rows of scheduled messages, and of reminders (those with a target). SQL only."""

from collections.abc import Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db, Row
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRow:
    """A row of `scheduled_message`; `due` in UNIX seconds."""

    id: int
    user_id: UserId
    channel_id: ChannelId | None
    """None for a direct message."""
    people: Sequence[UserId]
    topic: str
    content: str
    """The note, for a reminder."""
    rendered: str
    due: int
    read_by_sender: bool | None
    client: str
    failed: bool
    target_id: int | None
    """The message that a reminder refers to."""


_ROWS: Final = Rows(ScheduledRow, "scheduled_message")


def by_id(db: Db, row_id: int) -> ScheduledRow | None:
    """Return the message or reminder, whoever owns it."""
    return _ROWS.one(db, "WHERE id = ?", row_id)


def of_user(db: Db, user_id: UserId, *, reminders: bool) -> list[ScheduledRow]:
    """Return a user's messages, or reminders, next due first."""
    return _ROWS.all(
        db,
        "WHERE user_id = ? AND (target_id IS NOT NULL) = ? ORDER BY due, id",
        user_id,
        reminders,
    )


def count_of_user(db: Db, user_id: UserId) -> int:
    """Return the number of a user's scheduled messages and reminders."""
    count: int = db.value("SELECT count(*) FROM scheduled_message WHERE user_id = ?", user_id)
    return count


def next_due(db: Db, now: float, after: tuple[int, int], limit: int) -> list[tuple[int, int]]:
    """Return due time and ID of the first due messages and reminders after one of them, in this order."""
    return [
        (due, row_id)
        for due, row_id in db.rows(
            "SELECT due, id FROM scheduled_message WHERE NOT failed AND due <= ?"
            " AND (due, id) > (?, ?) ORDER BY due, id LIMIT ?",
            *(now, *after, limit),
        )
    ]


def insert(db: Db, row: ScheduledRow) -> int:
    """Insert a row; its ID is assigned and returned."""
    return db.insert(
        "INSERT INTO scheduled_message (user_id, channel_id, people, topic, content, rendered,"
        " due, read_by_sender, client, failed, target_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.user_id,
        *_values(row),
        row.target_id,
    )


def replace(db: Db, row: ScheduledRow) -> None:
    """Replace the row of this ID, except its owner."""
    db.run(
        "UPDATE scheduled_message SET channel_id = ?, people = ?, topic = ?, content = ?,"
        " rendered = ?, due = ?, read_by_sender = ?, client = ?, failed = ? WHERE id = ?",
        *_values(row),
        row.id,
    )


def _values(row: ScheduledRow) -> Row:
    return (
        row.channel_id,
        orjson.dumps(list(row.people)).decode(),
        row.topic,
        row.content,
        row.rendered,
        row.due,
        row.read_by_sender,
        row.client,
        row.failed,
    )


def delete(db: Db, row_id: int) -> None:
    """Delete the row."""
    db.run("DELETE FROM scheduled_message WHERE id = ?", row_id)
