"""Rows of muted users. SQL only."""

from server_lite.ids import UserId
from server_lite.store.connection import Db


def of(db: Db, user_id: UserId) -> list[tuple[UserId, int]]:
    """Return (muted user, UNIX seconds), in the order of muting."""
    rows = db.rows(
        "SELECT muted_id, at FROM muted_user WHERE user_id = ? ORDER BY at, muted_id", user_id
    )
    return [(muted_id, int(at)) for muted_id, at in rows]


def insert(db: Db, user_id: UserId, muted_id: UserId, now: float) -> bool:
    """Mute a user; returns False if they were already muted."""
    return bool(
        db.run(
            "INSERT OR IGNORE INTO muted_user (user_id, muted_id, at) VALUES (?, ?, ?)",
            user_id,
            muted_id,
            now,
        )
    )


def delete(db: Db, user_id: UserId, muted_id: UserId) -> bool:
    """Unmute a user; returns False if they were not muted."""
    sql = "DELETE FROM muted_user WHERE user_id = ? AND muted_id = ?"
    return bool(db.run(sql, user_id, muted_id))


def muted_by(db: Db, muted_id: UserId) -> frozenset[UserId]:
    """Return the users who muted this user."""
    return frozenset(db.column("SELECT user_id FROM muted_user WHERE muted_id = ?", muted_id))
