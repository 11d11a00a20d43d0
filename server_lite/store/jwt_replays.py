"""Used sign-in tokens, by digest, until they expire: each works once. SQL only."""

from server_lite.store.connection import Db
from server_lite.store.rows import insert_row


def use(db: Db, digest: bytes, expires: float) -> bool:
    """Record the use of a token; returns False if it was used before."""
    if db.row("SELECT 1 FROM used_token WHERE digest = ?", digest) is not None:
        return False
    insert_row(db, "used_token", digest=digest, expires=expires)
    return True


def forget_expired(db: Db, now: float) -> None:
    """Delete tokens that have expired."""
    db.run("DELETE FROM used_token WHERE expires < ?", now)
