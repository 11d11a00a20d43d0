"""Used sign-in tokens, by digest, until they expire: each works once. SQL only."""

from server_lite.store.connection import Db
from server_lite.store.rows import insert_row


def use(db: Db, digest: bytes, expires: float) -> bool:
    """Record the use of a token; returns False if it was used before."""
    if db.row("SELECT 1 FROM used_token WHERE digest = ?", digest) is not None:
        return False
    insert_row(db, "used_token", digest=digest, expires=expires)
    return True


def forget_some(db: Db, now: float, limit: int) -> bool:
    """Delete tokens that have expired, at most `limit`; returns whether there may be more."""
    return limit == db.run(
        "DELETE FROM used_token WHERE digest IN"
        " (SELECT digest FROM used_token WHERE expires < ? LIMIT ?)",
        *(now, limit),
    )
