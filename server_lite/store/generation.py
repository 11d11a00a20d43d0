"""The organization's generation: a random ID, another one after every restore and import.

Clients compare it: what they queued for one generation is not sent to the next, because people and
channels that they know of may be missing from it. SQL only.
"""

import secrets
from typing import Final

from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

_NAME: Final = "organization_generation"
STEP: Final = 1_000_000
"""How far numbers jump when an older state comes back: further than any organization got since."""


def current(db: Db) -> str:
    """The generation, 32 hexadecimal digits; empty before the first start of a server."""
    generation: str = settings.value(db, _NAME, "")
    return generation


def ensure(db: Db) -> None:
    """Give an organization without a generation one."""
    if not current(db):
        settings.store(db, _NAME, secrets.token_hex(16))


def begin_anew(db: Db, *, above: dict[str, int] | None = None) -> None:
    """Start a new generation: no number of anything that was given out before is given again.

    `above` has the highest number of each table that is known from elsewhere, as of the file that
    is replaced.
    """
    settings.store(db, _NAME, secrets.token_hex(16))
    counters_here, elsewhere = counters(db), above or {}
    for table, number in counters_here.items():
        db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        highest = max(number, elsewhere.get(table, 0)) + STEP
        insert_row(db, "sqlite_sequence", name=table, seq=highest)


def counters(db: Db) -> dict[str, int]:
    """The highest number that was given out in each table that never gives one twice."""
    given: dict[str, int | None] = dict(db.rows("SELECT name, seq FROM sqlite_sequence"))
    tables = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    )
    return {table: given.get(table) or 0 for table in tables}
