"""Rows of calls to the programs behind outgoing webhooks that are still to be made. SQL only."""

from collections.abc import Collection
from typing import Final, Literal

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.bots import BotType
from server_lite.store.connection import Db, placeholders
from server_lite.store.rows import Rows, insert_row

Trigger = Literal["mention", "direct_message", "trigger_word"]


@dataclass(frozen=True, slots=True)
class CallRow:
    """One row of `outgoing_call`; `attempts` were begun, `due` in UNIX seconds."""

    id: int
    bot_id: UserId
    message_id: MessageId
    trigger: Trigger
    attempts: int
    due: float


_ROWS: Final = Rows(CallRow, "outgoing_call")


def webhooks_among(db: Db, user_ids: Collection[UserId]) -> list[UserId]:
    """Those of the accounts that are open outgoing webhooks."""
    sorted_ids = sorted(user_ids)
    return db.column(
        f"SELECT id FROM user WHERE id IN ({placeholders(sorted_ids)}) AND bot_type = ? AND is_active",
        *sorted_ids,
        int(BotType.OUTGOING_WEBHOOK),
    )


def open_webhooks(db: Db) -> list[UserId]:
    """All open outgoing webhooks."""
    return db.column(
        "SELECT id FROM user WHERE bot_type = ? AND is_active", int(BotType.OUTGOING_WEBHOOK)
    )


def bots_due(db: Db, now: float) -> list[UserId]:
    """The bots that have something due, who waits longest first."""
    return db.column(
        "SELECT bot_id FROM outgoing_call WHERE due <= ? GROUP BY bot_id ORDER BY min(due)", now
    )


def next_due(db: Db, bot_id: UserId, now: float) -> CallRow | None:
    """The oldest call of a bot that is due."""
    return _ROWS.one(db, "WHERE bot_id = ? AND due <= ? ORDER BY id LIMIT 1", bot_id, now)


def insert(db: Db, *, bot_id: UserId, message_id: MessageId, trigger: Trigger, due: float) -> None:
    """A call to make."""
    insert_row(db, "outgoing_call", bot_id=bot_id, message_id=message_id, trigger=trigger, due=due)


def put_off(db: Db, call_id: int, *, attempts: int, due: float) -> None:
    """How often it was tried, and when it is tried again."""
    db.run("UPDATE outgoing_call SET attempts = ?, due = ? WHERE id = ?", attempts, due, call_id)


def delete(db: Db, call_id: int) -> None:
    """It was made, or never will be."""
    db.run("DELETE FROM outgoing_call WHERE id = ?", call_id)


def delete_all(db: Db) -> None:
    """None of them will be made."""
    db.run("DELETE FROM outgoing_call")
