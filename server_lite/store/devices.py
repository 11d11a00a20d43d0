"""Clients registered for push notifications: stored and shown, nothing is pushed. SQL only."""

from typing import Final

from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

FIELDS: Final = (
    "push_key_id",
    "push_token_id",
    "pending_push_token_id",
    "push_token_last_updated_timestamp",
    "push_registration_error_code",
)
PER_PERSON: Final = 50


def of(db: Db, user_id: UserId) -> dict[str, dict[str, object]]:
    """Return a user's devices by ID, each with the state of its push registration."""
    rows = db.rows(
        f"SELECT id, {', '.join(FIELDS)} FROM device WHERE user_id = ? ORDER BY id", user_id
    )
    return {str(row[0]): dict(zip(FIELDS, row[1:], strict=True)) for row in rows}


def insert(db: Db, user_id: UserId) -> int:
    """Insert a device; returns its ID."""
    return insert_row(db, "device", user_id=user_id)


def delete(db: Db, user_id: UserId, device_id: int) -> bool:
    """Delete a device; returns False if the user has no such device."""
    return bool(db.run("DELETE FROM device WHERE user_id = ? AND id = ?", user_id, device_id))


def add_token(db: Db, user_id: UserId, kind: str, token: str, now: float) -> None:
    """Store the push token of an old mobile client."""
    db.run(
        "INSERT OR REPLACE INTO push_token (user_id, kind, token, at) VALUES (?, ?, ?, ?)",
        user_id,
        kind,
        token,
        now,
    )


def remove_token(db: Db, user_id: UserId, kind: str, token: str) -> bool:
    """Delete a push token; returns False if it does not exist."""
    sql = "DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ?"
    return bool(db.run(sql, user_id, kind, token))
