"""Rows of repeatable requests, with their answers. SQL only."""

from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row


def find(db: Db, user_id: UserId, key: str) -> tuple[bytes, str, float] | None:
    """Return (digest of the request, its answer as JSON, when) of the first request with this key."""
    row = db.row(
        "SELECT request, answer, at FROM idempotency WHERE user_id = ? AND key = ?", user_id, key
    )
    return None if row is None else (row[0], row[1], row[2])


def insert(db: Db, user_id: UserId, key: str, *, request: bytes, answer: str, at: float) -> None:
    """Store an answer; `at` is in seconds of a running server."""
    insert_row(db, "idempotency", user_id=user_id, key=key, request=request, answer=answer, at=at)


def delete(db: Db, user_id: UserId, key: str) -> None:
    """Delete the row of a key."""
    db.run("DELETE FROM idempotency WHERE user_id = ? AND key = ?", user_id, key)


def forget_some(db: Db, before: float, limit: int) -> bool:
    """Delete older rows, by seconds of a running server, at most `limit`; returns whether there may be more."""
    return limit == db.run(
        "DELETE FROM idempotency WHERE (user_id, key) IN"
        " (SELECT user_id, key FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)",
        *(before, limit),
    )


def set_running(db: Db, seconds: float) -> None:
    """Store the total seconds for which servers of this organization have run."""
    db.run("UPDATE event_counter SET running = ?", seconds)
