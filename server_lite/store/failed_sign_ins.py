"""Failed attempts to sign in by password, by address and name. SQL only.

Times are seconds of a running server (`Tx.running`), so clock changes do not affect the limits.
"""

from typing import Final

from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

PERIOD: Final = 1800.0
"""Seconds for which an attempt counts."""
LONGEST: Final = 254


def _key(name: str) -> str:
    return name.strip().casefold()[:LONGEST]


def attempts(db: Db, address: str, name: str, now: float) -> list[float]:
    """Return the times of failed attempts from this address at this name, oldest first."""
    return db.column(
        "SELECT at FROM failed_sign_in WHERE address = ? AND name = ? AND at > ? ORDER BY at",
        address,
        _key(name),
        now - PERIOD,
    )


def attempts_from(db: Db, address: str, now: float) -> list[float]:
    """Return the times of failed attempts from this address at any name, oldest first."""
    return db.column(
        "SELECT at FROM failed_sign_in WHERE address = ? AND at > ? ORDER BY at",
        address,
        now - PERIOD,
    )


def attempts_on(db: Db, name: str, now: float) -> int:
    """Return the number of failed attempts at this name from all addresses."""
    count: int = db.value(
        "SELECT count(*) FROM failed_sign_in WHERE name = ? AND at > ?", _key(name), now - PERIOD
    )
    return count


def forget_old(db: Db, now: float) -> None:
    """Delete expired attempts, and those that an older version stored by the clock."""
    db.run("DELETE FROM failed_sign_in WHERE at <= ? OR at > ?", now - PERIOD, now + PERIOD)


def add(db: Db, address: str, name: str, now: float) -> None:
    """Insert an attempt."""
    insert_row(db, "failed_sign_in", address=address, name=_key(name), at=now)


def forget(db: Db, address: str, name: str) -> None:
    """Delete the attempts from this address at this name, after a successful one."""
    db.run("DELETE FROM failed_sign_in WHERE address = ? AND name = ?", address, _key(name))
