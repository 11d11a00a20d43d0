"""Rows of emails that were posted. SQL only."""

from server_lite.store.connection import Db


def is_known(db: Db, digest: bytes) -> bool:
    """Whether it was posted."""
    count: int = db.value("SELECT count(*) FROM received_mail WHERE digest = ?", digest)
    return count > 0


def insert(db: Db, digest: bytes, at: float) -> None:
    """It is posted now."""
    db.run("INSERT INTO received_mail (digest, at) VALUES (?, ?)", digest, at)


def delete_before(db: Db, at: float) -> None:
    """No mail server tries as long as that."""
    db.run("DELETE FROM received_mail WHERE at < ?", at)
