"""Rows of tokens for providers of video calls: sealed, so that they are no use without the key file. SQL only."""

from server_lite.ids import UserId
from server_lite.store.connection import Db


def sealed(db: Db, user_id: UserId, provider: str) -> bytes | None:
    """A person's token for a provider."""
    token: bytes | None = db.value(
        "SELECT sealed FROM call_token WHERE user_id = ? AND provider = ?", user_id, provider
    )
    return token


def everything(db: Db) -> list[tuple[UserId, str, bytes]]:
    """All tokens: whose, for which provider, and the sealed text."""
    return [(user, name, text) for user, name, text in db.rows("SELECT * FROM call_token")]


def providers_of(db: Db, user_id: UserId) -> frozenset[str]:
    """The providers for which a person has a token."""
    return frozenset(db.column("SELECT provider FROM call_token WHERE user_id = ?", user_id))


def store(db: Db, user_id: UserId, provider: str, token: bytes) -> None:
    """Keep a token, instead of another for the same provider."""
    db.run(
        "INSERT OR REPLACE INTO call_token (user_id, provider, sealed) VALUES (?, ?, ?)",
        user_id,
        provider,
        token,
    )


def delete(db: Db, user_id: UserId, provider: str) -> bool:
    """Forget a token; whether there was one."""
    sql = "DELETE FROM call_token WHERE user_id = ? AND provider = ?"
    return db.run(sql, user_id, provider) > 0
