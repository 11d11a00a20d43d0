"""API keys, stored only as digests. Several per user, each with a label."""

import hashlib
import secrets
import string
from typing import Final

from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row
from server_lite.store.users import UserRow, by_id

LENGTH: Final = 32
PER_PERSON: Final = 50
"""Maximum of keys; beyond it, the least recently used key is deleted."""

_ALPHABET: Final = string.ascii_letters + string.digits


def new_key() -> str:
    """Return 32 alphanumerics from the system's source of randomness: 190 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def digest(key: str) -> bytes:
    """Return the digest to store. The key is random, so a plain hash cannot be reversed by guessing."""
    return hashlib.sha256(key.encode()).digest()


def insert(db: Db, user_id: UserId, key: str, label: str, now: float) -> None:
    """Store a key of the user, deleting the least recently used ones beyond the maximum."""
    insert_row(
        db, "api_key", digest=digest(key), user_id=user_id, label=label, created=now, last_used=now
    )
    db.run(
        "DELETE FROM api_key WHERE user_id = ? AND digest NOT IN"
        " (SELECT digest FROM api_key WHERE user_id = ? ORDER BY last_used DESC LIMIT ?)",
        user_id,
        user_id,
        PER_PERSON,
    )


def owner(db: Db, key: str) -> UserRow | None:
    """Return the owner of an API key."""
    user_id = db.value("SELECT user_id FROM api_key WHERE digest = ?", digest(key))
    return None if user_id is None else by_id(db, user_id)


def delete_all(db: Db, user_id: UserId) -> None:
    """Revoke all API keys of the user."""
    db.run("DELETE FROM api_key WHERE user_id = ?", user_id)


def has_key(db: Db, user_id: UserId) -> bool:
    """Whether the user has an API key."""
    return db.value("SELECT 1 FROM api_key WHERE user_id = ?", user_id) is not None
