"""Rows of emails that were posted, for deduplication. SQL only."""

from server_lite.store.connection import Db


def is_known(db: Db, digest: bytes) -> bool:
    """Whether the email was already posted."""
    count: int = db.value("SELECT count(*) FROM received_mail WHERE digest = ?", digest)
    return count > 0


def insert(db: Db, digest: bytes, at: float) -> None:
    """Record a posted email."""
    db.run("INSERT INTO received_mail (digest, at) VALUES (?, ?)", digest, at)


def delete_before(db: Db, at: float) -> None:
    """Delete records older than any mail server's retries."""
    db.run("DELETE FROM received_mail WHERE at < ?", at)
