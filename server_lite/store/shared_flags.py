"""Flags that a message gave to many users, by message, until they are moved to the table `flag`. SQL only.

Theory of operation. The rows of `flag` are keyed by user, since that is how they are read: a message that mentions
5,000 users would write to 5,000 pages. So it writes them by message, to a few pages. Maintenance moves the rows of
many messages at once, some users at a time (`move_some`), so that each user's pages are written once for all of them.
Each row is in exactly one of the tables, however far the move has come: reads take both. Flags whose rows in `flag` are
outdated (`outdated_rows`) are shared, however few have them, and move when those rows are deleted.

Thousands of rows are not deleted at once either: without its row of `shared_flag` none of them counts, and the upkeep
deletes them (`delete_some`). Until then no other shared flag gets the ID.
"""

from collections.abc import Collection, Sequence
from typing import Final

import orjson

from server_lite.ids import MessageId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db, placeholders

BATCH: Final = 64
"""Shared flags that wait before they are moved, and that are moved together."""
SLICE: Final = 64
"""Users whose rows one transaction moves."""
DELETED: Final = 5_000
"""Rows that no longer count and that one transaction deletes."""

WITH_USERS: Final = (
    "shared_flag CROSS JOIN shared_flag_user ON shared_flag_user.shared_flag_id = shared_flag.id"
)
"""A row for each shared flag of each user."""
_ANY_FLAG: Final = (
    "(SELECT user_id, flag, message_id FROM flag WHERE {} UNION ALL"
    f" SELECT user_id, flag, message_id FROM {WITH_USERS})"
)
ANY_FLAG: Final = _ANY_FLAG.format(outdated_rows.FLAG_COUNTS)
"""The rows of `flag` that count, and the shared ones."""
OF_MESSAGE: Final = (
    "SELECT flag, json_group_array(user_id) FROM flag WHERE message_id = ?"
    " AND flag NOT IN (SELECT flag FROM outdated_flag WHERE message_id = ?) GROUP BY flag UNION ALL"
    f" SELECT flag, json_group_array(user_id) FROM {WITH_USERS} WHERE message_id = ? GROUP BY flag"
)
"""Each flag of a message with its users as a JSON array, twice if some are shared. Three times the message's ID."""
OF_USER: Final = (
    f"SELECT message_id, flag FROM {WITH_USERS} AND user_id = ? WHERE message_id BETWEEN ? AND ?"
)
"""A user's shared flags on a range of messages: fewer are shared than messages on a page."""


def any_flag(db: Db) -> str:
    """Return `ANY_FLAG`, for reads of many rows: no row is looked up in `outdated_flag` while that is empty."""
    return ANY_FLAG if outdated_rows.is_any_flag_noted(db) else _ANY_FLAG.format("TRUE")


def add(db: Db, message_id: MessageId, flag: str, user_ids: Collection[UserId]) -> None:
    """Set a flag that a message gives to many users."""
    shared_id = _id_of(db, message_id, flag)
    if shared_id is None:
        shared_id = db.insert(
            "INSERT INTO shared_flag (id, message_id, flag) SELECT 1 + max("
            "ifnull((SELECT max(id) FROM shared_flag), 0),"
            " ifnull((SELECT max(shared_flag_id) FROM shared_flag_user), 0)), ?, ?",
            message_id,
            flag,
        )
    db.run(
        "INSERT OR IGNORE INTO shared_flag_user (shared_flag_id, user_id) SELECT ?, value FROM json_each(?)",
        shared_id,
        _as_json(user_ids),
    )


def remove(db: Db, message_id: MessageId, flag: str, user_ids: Collection[UserId]) -> int:
    """Clear a flag of a message for users; returns for how many of them it was shared."""
    shared_id = _id_of(db, message_id, flag)
    if shared_id is None:
        return 0
    return db.run(
        "DELETE FROM shared_flag_user WHERE shared_flag_id = ?"
        " AND user_id IN (SELECT value FROM json_each(?))",
        shared_id,
        _as_json(user_ids),
    )


def remove_flag(db: Db, message_id: MessageId, flag: str) -> None:
    """Clear a flag of a message for all for whom it is shared."""
    db.run("DELETE FROM shared_flag WHERE message_id = ? AND flag = ?", message_id, flag)


def _id_of(db: Db, message_id: MessageId, flag: str) -> int | None:
    shared_id: int | None = db.value(
        "SELECT id FROM shared_flag WHERE message_id = ? AND flag = ?", message_id, flag
    )
    return shared_id


def _as_json(user_ids: Collection[UserId]) -> str:
    return orjson.dumps(sorted(user_ids)).decode()


def remove_messages(db: Db, ids: Sequence[int]) -> None:
    """Clear the shared flags of these messages, which are about to be deleted."""
    db.many("DELETE FROM shared_flag WHERE message_id = ?", [(message_id,) for message_id in ids])


def delete_some(db: Db) -> bool:
    """Delete rows that no longer count, of one flag; returns whether to go on."""
    left: int | None = db.value(
        "WITH RECURSIVE found (id) AS (SELECT min(shared_flag_id) FROM shared_flag_user UNION ALL"
        " SELECT (SELECT min(shared_flag_id) FROM shared_flag_user WHERE shared_flag_id > found.id)"
        " FROM found WHERE found.id IS NOT NULL)"
        " SELECT id FROM found WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM shared_flag) LIMIT 1"
    )
    if left is None:
        return False
    last = db.value(
        "SELECT max(user_id) FROM (SELECT user_id FROM shared_flag_user WHERE shared_flag_id = ?"
        " ORDER BY user_id LIMIT ?)",
        *(left, DELETED),
    )
    db.run("DELETE FROM shared_flag_user WHERE shared_flag_id = ? AND user_id <= ?", left, last)
    return True


def move_some(db: Db) -> bool:
    """Move rows of the next users to `flag`, if enough shared flags wait; returns whether to go on."""
    ids = db.column(
        "SELECT id FROM shared_flag WHERE NOT EXISTS (SELECT 1 FROM outdated_flag"
        " WHERE outdated_flag.message_id = shared_flag.message_id AND outdated_flag.flag = shared_flag.flag)"
        " ORDER BY id LIMIT ?",
        BATCH,
    )
    if len(ids) < BATCH:
        return False
    among = f"shared_flag_id IN ({placeholders(ids)})"
    first = db.value(
        "SELECT min((SELECT min(user_id) FROM shared_flag_user WHERE shared_flag_id = shared_flag.id))"
        f" FROM shared_flag WHERE id IN ({placeholders(ids)})",
        *ids,
    )
    if first is None:
        db.run(f"DELETE FROM shared_flag WHERE id IN ({placeholders(ids)})", *ids)
        return True
    slice_ = (*ids, first, first + SLICE)
    db.run(
        f"INSERT OR IGNORE INTO flag (user_id, flag, message_id) SELECT user_id, flag, message_id FROM {WITH_USERS}"
        f" WHERE {among} AND user_id >= ? AND user_id < ? ORDER BY 1, 2, 3",
        *slice_,
    )
    db.run(f"DELETE FROM shared_flag_user WHERE {among} AND user_id >= ? AND user_id < ?", *slice_)
    return True
