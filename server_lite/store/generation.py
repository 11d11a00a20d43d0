"""The organization's generation: a random ID, renewed by every restore and import.

Clients compare it: requests queued for one generation are not sent to the next, which may lack the users and
channels that they refer to. SQL only.
"""

import secrets
from typing import Final

from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

_NAME: Final = "organization_generation"
STEP: Final = 1_000_000
"""Jump of row IDs after a restore: larger than any organization can have used since the backup."""


def current(db: Db) -> str:
    """Return the generation, 32 hexadecimal digits; empty before the first start of a server."""
    generation: str = settings.value(db, _NAME, "")
    return generation


def ensure(db: Db) -> None:
    """Give an organization a generation if it has none."""
    if not current(db):
        settings.store(db, _NAME, secrets.token_hex(16))


def begin_anew(db: Db, *, above: dict[str, int] | None = None) -> None:
    """Start a new generation, in which no ID ever used is used again.

    `above` has the highest known ID of each table from elsewhere, such as the file that
    is replaced.
    """
    settings.store(db, _NAME, secrets.token_hex(16))
    counters_here, elsewhere = counters(db), above or {}
    for table, number in counters_here.items():
        db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        highest = max(number, elsewhere.get(table, 0)) + STEP
        insert_row(db, "sqlite_sequence", name=table, seq=highest)


def counters(db: Db) -> dict[str, int]:
    """Return the highest ID used in each table that never reuses one."""
    given: dict[str, int | None] = dict(db.rows("SELECT name, seq FROM sqlite_sequence"))
    tables = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    )
    return {table: given.get(table) or 0 for table in tables}
