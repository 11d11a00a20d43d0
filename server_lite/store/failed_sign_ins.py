"""Attempts to sign in by password that did not succeed, by address and name. SQL only.

Times are seconds of a running server (`Tx.running`): no clock that jumps opens or shuts the limits.
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
    """When somebody at this address tried this name in vain, oldest first."""
    return db.column(
        "SELECT at FROM failed_sign_in WHERE address = ? AND name = ? AND at > ? ORDER BY at",
        address,
        _key(name),
        now - PERIOD,
    )


def attempts_from(db: Db, address: str, now: float) -> list[float]:
    """When somebody at this address tried any name in vain, oldest first."""
    return db.column(
        "SELECT at FROM failed_sign_in WHERE address = ? AND at > ? ORDER BY at",
        address,
        now - PERIOD,
    )


def attempts_on(db: Db, name: str, now: float) -> int:
    """How often this name was tried in vain, from wherever."""
    count: int = db.value(
        "SELECT count(*) FROM failed_sign_in WHERE name = ? AND at > ?", _key(name), now - PERIOD
    )
    return count


def forget_old(db: Db, now: float) -> None:
    """Forget those that no longer count, and those that an older version noted by the clock."""
    db.run("DELETE FROM failed_sign_in WHERE at <= ? OR at > ?", now - PERIOD, now + PERIOD)


def add(db: Db, address: str, name: str, now: float) -> None:
    """One more attempt."""
    insert_row(db, "failed_sign_in", address=address, name=_key(name), at=now)


def forget(db: Db, address: str, name: str) -> None:
    """The name's owner came: earlier attempts from there count no more."""
    db.run("DELETE FROM failed_sign_in WHERE address = ? AND name = ?", address, _key(name))
