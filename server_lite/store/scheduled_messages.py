"""Rows of what is to be sent later: messages, and reminders (those with a target). SQL only."""

from collections.abc import Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db, Row
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRow:
    """One row of `scheduled_message`; `due` in UNIX seconds."""

    id: int
    user_id: UserId
    channel_id: ChannelId | None
    """None for a direct message."""
    people: Sequence[UserId]
    topic: str
    content: str
    """For a reminder, its note."""
    rendered: str
    due: int
    read_by_sender: bool | None
    client: str
    failed: bool
    target_id: int | None
    """The message that a reminder is of."""


_ROWS: Final = Rows(ScheduledRow, "scheduled_message")


def by_id(db: Db, row_id: int) -> ScheduledRow | None:
    """The row, whoever it belongs to, message or reminder."""
    return _ROWS.one(db, "WHERE id = ?", row_id)


def of_user(db: Db, user_id: UserId, *, reminders: bool) -> list[ScheduledRow]:
    """A person's messages, or reminders; what is due first comes first."""
    return _ROWS.all(
        db,
        "WHERE user_id = ? AND (target_id IS NOT NULL) = ? ORDER BY due, id",
        user_id,
        reminders,
    )


def count_of_user(db: Db, user_id: UserId) -> int:
    """How many messages and reminders of a person wait."""
    count: int = db.value("SELECT count(*) FROM scheduled_message WHERE user_id = ?", user_id)
    return count


def due_ids(db: Db, now: float) -> list[int]:
    """What is to be sent now, in the order in which it was due."""
    return db.column(
        "SELECT id FROM scheduled_message WHERE NOT failed AND due <= ? ORDER BY due, id", now
    )


def insert(db: Db, row: ScheduledRow) -> int:
    """A new row; its id is given here and returned."""
    return db.insert(
        "INSERT INTO scheduled_message (user_id, channel_id, people, topic, content, rendered,"
        " due, read_by_sender, client, failed, target_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.user_id,
        *_values(row),
        row.target_id,
    )


def replace(db: Db, row: ScheduledRow) -> None:
    """Store everything of the row with this id but whose it is."""
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
    """Forget the row."""
    db.run("DELETE FROM scheduled_message WHERE id = ?", row_id)
