"""API keys: only their digests are stored. Several per person, each with a label."""

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
"""More keys than this and the one unused the longest is forgotten."""

_ALPHABET: Final = string.ascii_letters + string.digits


def new_key() -> str:
    """32 alphanumerics from the system's source of randomness: 190 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def digest(key: str) -> bytes:
    """What is stored. The key itself is random, so a plain hash cannot be guessed back."""
    return hashlib.sha256(key.encode()).digest()


def insert(db: Db, user_id: UserId, key: str, label: str, now: float) -> None:
    """Remember a key of this person, forgetting the least used beyond the cap."""
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
    """Whose key this is."""
    user_id = db.value("SELECT user_id FROM api_key WHERE digest = ?", digest(key))
    return None if user_id is None else by_id(db, user_id)


def delete_all(db: Db, user_id: UserId) -> None:
    """Revoke every key of this person."""
    db.run("DELETE FROM api_key WHERE user_id = ?", user_id)


def has_key(db: Db, user_id: UserId) -> bool:
    """Whether the account can sign in with some key."""
    return db.value("SELECT 1 FROM api_key WHERE user_id = ?", user_id) is not None
