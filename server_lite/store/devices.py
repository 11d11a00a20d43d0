"""Clients that want to be told of messages by push. Kept, shown, and never pushed to. SQL only."""

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
    """One person's devices by id, each with the state of its push registration."""
    rows = db.rows(
        f"SELECT id, {', '.join(FIELDS)} FROM device WHERE user_id = ? ORDER BY id", user_id
    )
    return {str(row[0]): dict(zip(FIELDS, row[1:], strict=True)) for row in rows}


def insert(db: Db, user_id: UserId) -> int:
    """A new device; returns its id."""
    return insert_row(db, "device", user_id=user_id)


def delete(db: Db, user_id: UserId, device_id: int) -> bool:
    """Forget a device; False when the person has no such."""
    return bool(db.run("DELETE FROM device WHERE user_id = ? AND id = ?", user_id, device_id))


def add_token(db: Db, user_id: UserId, kind: str, token: str, now: float) -> None:
    """Remember the registration of an old mobile client."""
    db.run(
        "INSERT OR REPLACE INTO push_token (user_id, kind, token, at) VALUES (?, ?, ?, ?)",
        user_id,
        kind,
        token,
        now,
    )


def remove_token(db: Db, user_id: UserId, kind: str, token: str) -> bool:
    """Forget it; False when there is no such."""
    sql = "DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ?"
    return bool(db.run(sql, user_id, kind, token))
