"""Rows of video call providers' tokens, encrypted so that they are useless without the key file. SQL only."""

from server_lite.ids import UserId
from server_lite.store.connection import Db


def sealed(db: Db, user_id: UserId, provider: str) -> bytes | None:
    """Return a user's encrypted token for a provider."""
    token: bytes | None = db.value(
        "SELECT sealed FROM call_token WHERE user_id = ? AND provider = ?", user_id, provider
    )
    return token


def everything(db: Db) -> list[tuple[UserId, str, bytes]]:
    """Return all tokens: user, provider, and the encrypted text."""
    return [(user, name, text) for user, name, text in db.rows("SELECT * FROM call_token")]


def providers_of(db: Db, user_id: UserId) -> frozenset[str]:
    """Return the providers for which a user has a token."""
    return frozenset(db.column("SELECT provider FROM call_token WHERE user_id = ?", user_id))


def store(db: Db, user_id: UserId, provider: str, token: bytes) -> None:
    """Store a token, replacing an earlier one of the same provider."""
    db.run(
        "INSERT OR REPLACE INTO call_token (user_id, provider, sealed) VALUES (?, ?, ?)",
        user_id,
        provider,
        token,
    )


def delete(db: Db, user_id: UserId, provider: str) -> bool:
    """Delete a token; returns whether it existed."""
    sql = "DELETE FROM call_token WHERE user_id = ? AND provider = ?"
    return db.run(sql, user_id, provider) > 0
