"""Rows of event queues: what survives a restart. SQL only; the rest is in `server_lite.queues`."""

from collections.abc import Collection, Sequence

import orjson

from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row
from server_lite.store.users import Role


def everything(db: Db) -> list[tuple[str, UserId, str, int, int, float]]:
    """Return (ID, owner, options as JSON, cursor, seconds until it expires, seconds behind) of all queues."""
    return [
        (queue_id, user_id, options, cursor, idle, forgotten)
        for queue_id, user_id, options, cursor, idle, forgotten in db.rows(
            "SELECT id, user_id, options, cursor, idle_timeout, forgotten FROM queue"
        )
    ]


def insert(
    db: Db, queue_id: str, *, user_id: UserId, options: str, cursor: int, idle_timeout: int
) -> None:
    """Insert a queue."""
    insert_row(
        db,
        "queue",
        id=queue_id,
        user_id=user_id,
        options=options,
        cursor=cursor,
        idle_timeout=idle_timeout,
    )


def set_cursors(db: Db, cursors: Sequence[tuple[int, str]]) -> None:
    """Store the last event that the client of each queue acknowledged: pairs of event and queue."""
    if cursors:  # an early return keeps results of the table cached
        db.many("UPDATE queue SET cursor = ? WHERE id = ?", cursors)


def set_forgotten(db: Db, forgotten: Sequence[tuple[float, str]]) -> None:
    """Store for how many seconds the client of each queue has been behind: pairs of seconds and queue."""
    if forgotten:
        db.many("UPDATE queue SET forgotten = ? WHERE id = ?", forgotten)


def delete(db: Db, queue_id: str) -> None:
    """Delete a queue."""
    db.run("DELETE FROM queue WHERE id = ?", queue_id)


def delete_of_users(db: Db, user_ids: Collection[UserId]) -> None:
    """Delete all queues of these users."""
    if not user_ids:
        return
    given = orjson.dumps(sorted(user_ids)).decode()
    db.run("DELETE FROM queue WHERE user_id IN (SELECT value FROM json_each(?))", given)


def listeners_to_all_public(db: Db) -> frozenset[UserId]:
    """Return users with a queue for all public channels; guests are excluded."""
    return db.cached(_listeners_to_all_public)


def _listeners_to_all_public(db: Db) -> frozenset[UserId]:
    return frozenset(
        db.column(
            "SELECT queue.user_id FROM queue JOIN user ON user.id = queue.user_id"
            " WHERE queue.options ->> 'all_public_streams' AND user.is_active AND user.role <= ?",
            Role.MEMBER,
        )
    )
