"""Rows of pending calls to outgoing webhooks. SQL only."""

from collections.abc import Collection, Mapping
from typing import Final, Literal

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.bots import BotType
from server_lite.store.connection import Db
from server_lite.store.rows import Rows

Trigger = Literal["mention", "direct_message", "trigger_word"]


@dataclass(frozen=True, slots=True)
class CallRow:
    """A row of `outgoing_call`; `attempts` that were started, `due` in UNIX seconds."""

    id: int
    bot_id: UserId
    message_id: MessageId
    trigger: Trigger
    attempts: int
    due: float


_ROWS: Final = Rows(CallRow, "outgoing_call")
_FIRST_DUE: Final = (
    "WITH RECURSIVE bot (id) AS (SELECT min(bot_id) FROM outgoing_call UNION ALL"
    " SELECT (SELECT min(bot_id) FROM outgoing_call WHERE bot_id > bot.id) FROM bot WHERE bot.id IS NOT NULL),"
    " first (bot_id, due) AS"
    " (SELECT id, (SELECT min(due) FROM outgoing_call WHERE bot_id = bot.id) FROM bot WHERE id IS NOT NULL)"
)
"""When the first call of each bot is due, looked up bot by bot: each may have thousands of calls."""


def webhooks_among(db: Db, user_ids: Collection[UserId]) -> list[UserId]:
    """Return which of the users are active outgoing webhooks."""
    return db.column(
        "SELECT id FROM user WHERE id IN (SELECT value FROM json_each(?)) AND bot_type = ?"
        " AND is_active",
        orjson.dumps(sorted(user_ids)).decode(),
        int(BotType.OUTGOING_WEBHOOK),
    )


def bots_due(db: Db, now: float) -> list[UserId]:
    """Return bots with due calls, longest overdue first."""
    return db.column(f"{_FIRST_DUE} SELECT bot_id FROM first WHERE due <= ? ORDER BY due", now)


def next_due(db: Db, bot_id: UserId, now: float) -> CallRow | None:
    """Return the bot's oldest due call."""
    return _ROWS.one(db, "WHERE bot_id = ? AND due <= ? ORDER BY due, id LIMIT 1", bot_id, now)


def insert_all(
    db: Db, message_id: MessageId, calls: Mapping[UserId, Trigger], *, due: float
) -> None:
    """Insert calls of these bots for a message, in this order."""
    if calls:
        db.run(
            "INSERT INTO outgoing_call (bot_id, message_id, trigger, due)"
            " SELECT value ->> 0, ?, value ->> 1, ? FROM json_each(?)",
            message_id,
            due,
            orjson.dumps([*calls.items()]).decode(),
        )


def put_off(db: Db, call_id: int, *, attempts: int, due: float) -> None:
    """Store the number of attempts and the time of the next one."""
    db.run("UPDATE outgoing_call SET attempts = ?, due = ? WHERE id = ?", attempts, due, call_id)


def delete(db: Db, call_id: int) -> None:
    """Delete a call, whether made or dropped."""
    db.run("DELETE FROM outgoing_call WHERE id = ?", call_id)


def delete_all(db: Db) -> None:
    """Delete all calls."""
    db.run("DELETE FROM outgoing_call")
