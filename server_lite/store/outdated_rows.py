"""Rows by user that no longer count, until maintenance deletes them. SQL only.

Theory of operation. A message that 5,000 users have not read, or that calls them, has rows on 5,000 pages. When it is
deleted, edited, or moved to where they are not, writing to all these pages would hold all others. So the message is
noted, and its rows do not count from that commit on:

A row of `unread_by_user` for a noted message counts only if `unread`, which is keyed by message, has it too.
Rows of `flag` for a noted message and flag do not count; those that shall stay are written by message instead (see
`shared_flags`).
"""

from collections.abc import Collection, Sequence
from typing import Final

import orjson

from server_lite.ids import MessageId
from server_lite.store.connection import Db, placeholders

FEW: Final = 50
"""Rows of at most this many users are written or deleted at once."""
BATCH: Final = 64
"""Noted messages, or flags, that wait before their rows are deleted, and whose rows are deleted together."""
SLICE: Final = 64
"""Users whose rows one transaction deletes."""

FLAG_COUNTS: Final = (
    "NOT EXISTS (SELECT 1 FROM outdated_flag WHERE outdated_flag.message_id = flag.message_id"
    " AND outdated_flag.flag = flag.flag)"
)
"""A condition over the table `flag`."""
_UNREAD_COUNTS: Final = (
    " AND ({0}.message_id NOT IN (SELECT message_id FROM outdated_unread) OR EXISTS (SELECT 1 FROM unread AS still"
    " WHERE still.message_id = {0}.message_id AND still.user_id = {0}.user_id))"
)


def unread_counts(db: Db, alias: str) -> str:
    """Return a condition with AND over `unread_by_user` under this name; '' while no message is noted."""
    is_noted = db.value("SELECT EXISTS (SELECT 1 FROM outdated_unread)")
    return _UNREAD_COUNTS.format(alias) if is_noted else ""


def note_unread(db: Db, ids: Sequence[int]) -> None:
    """Note messages, before rows of `unread` are deleted for many users."""
    if ids:  # an early return keeps results of the table cached
        db.many(
            "INSERT INTO outdated_unread (message_id, next_user) VALUES (?, 0)"
            " ON CONFLICT (message_id) DO UPDATE SET next_user = 0",
            [(message_id,) for message_id in ids],
        )


def note_flag(db: Db, message_id: MessageId, flag: str) -> None:
    """Note that the rows of a message and a flag in `flag` no longer count."""
    db.run("INSERT OR IGNORE INTO outdated_flag (message_id, flag) VALUES (?, ?)", message_id, flag)


def is_any_flag_noted(db: Db) -> bool:
    """Whether there are rows in `flag` that do not count."""
    return bool(db.value("SELECT EXISTS (SELECT 1 FROM outdated_flag)"))


def with_noted_flags(db: Db, ids: Collection[int]) -> list[MessageId]:
    """Return which of the messages have rows in `flag` that do not count."""
    if not ids or not is_any_flag_noted(db):
        return []
    return db.column(
        "SELECT DISTINCT message_id FROM json_each(?) CROSS JOIN outdated_flag ON message_id = value",
        orjson.dumps(sorted(ids)).decode(),
    )


def is_flag_noted(db: Db, message_id: MessageId, flag: str) -> bool:
    """Whether rows of a message and a flag in `flag` do not count."""
    if not is_any_flag_noted(db):
        return False
    return bool(
        db.value(
            "SELECT EXISTS (SELECT 1 FROM outdated_flag WHERE message_id = ? AND flag = ?)",
            message_id,
            flag,
        )
    )


def delete_some(db: Db) -> bool:
    """Delete rows of the next users, if enough messages or flags are noted; returns whether to go on."""
    return _delete_unread(db) or _delete_flags(db)


def _delete_unread(db: Db) -> bool:
    # Those that were begun first, so that a batch is complete before the next begins.
    rows = db.rows(
        "SELECT message_id, next_user FROM outdated_unread ORDER BY next_user DESC, message_id LIMIT ?",
        BATCH,
    )
    first = rows[0][1] if rows else 0
    if not first and len(rows) < BATCH:
        return False
    ids = [message_id for message_id, next_user in rows if next_user == first]
    among = f"message_id IN ({placeholders(ids)})"
    end: int | None = db.value(
        "SELECT id FROM user WHERE id >= ? ORDER BY id LIMIT 1 OFFSET ?", first, SLICE
    )
    db.run(
        "DELETE FROM unread_by_user WHERE user_id IN (SELECT id FROM user WHERE id >= ? AND (? IS NULL OR id < ?))"
        f" AND {among} AND NOT EXISTS (SELECT 1 FROM unread WHERE unread.message_id = unread_by_user.message_id"
        " AND unread.user_id = unread_by_user.user_id)",
        first,
        end,
        end,
        *ids,
    )
    if end is None:
        db.run(f"DELETE FROM outdated_unread WHERE {among}", *ids)
    else:
        db.run(f"UPDATE outdated_unread SET next_user = ? WHERE {among}", end, *ids)
    return True


def _delete_flags(db: Db) -> bool:
    noted = db.rows("SELECT message_id, flag FROM outdated_flag LIMIT ?", BATCH)
    if len(noted) < BATCH:
        return False
    pairs = f"(message_id, flag) IN (VALUES {', '.join(['(?, ?)'] * len(noted))})"
    values = [value for pair in noted for value in pair]
    ids = sorted({message_id for message_id, _ in noted})
    firsts = [
        user_id
        for message_id, flag in noted
        for user_id in db.column(
            "SELECT user_id FROM flag WHERE message_id = ? AND flag = ? ORDER BY user_id LIMIT 1",
            message_id,
            flag,
        )
    ]
    if not firsts:
        db.run(f"DELETE FROM outdated_flag WHERE {pairs}", *values)
        return True
    first = min(firsts)
    db.run(
        f"DELETE FROM flag WHERE message_id IN ({placeholders(ids)}) AND user_id >= ? AND user_id < ? AND {pairs}",
        *ids,
        first,
        first + SLICE,
        *values,
    )
    return True
