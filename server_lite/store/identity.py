"""Whether a file is a database of this program: its header, and exactly the schema of our migrations.

A file from elsewhere may have been made to do harm: a trigger, a view, a generated column or
an index on an expression runs when the file is read or changed, and a name may contain SQL. So its schema
is compared with ours before any other statement is executed. No user texts except the reasons.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

import apsw

from server_lite.store.connection import Db, Row
from server_lite.store.migrations import APPLICATION_ID, build, migrations, newest

Thing = tuple[str, str, str, str | None]
"""(type, name, table, SQL) of a row of `sqlite_schema`."""

STATISTICS: Final = frozenset(
    {
        ("table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
        (
            "table",
            "sqlite_stat4",
            "sqlite_stat4",
            "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
        ),
    }
)
"""Tables that ANALYZE adds: an owner may have run it, and they execute nothing."""

READING: Final = frozenset(
    {
        apsw.SQLITE_SELECT,
        apsw.SQLITE_READ,
        apsw.SQLITE_FUNCTION,
        apsw.SQLITE_RECURSIVE,
        apsw.SQLITE_TRANSACTION,
        apsw.SQLITE_SAVEPOINT,
    }
)
PRAGMAS: Final = frozenset(
    {
        "application_id",
        "data_version",
        "foreign_key_check",
        "integrity_check",
        "page_count",
        "page_size",
        "quick_check",
        "user_version",
    }
)
"""Pragmas needed to examine a file. They change nothing."""


def identity(db: Db) -> list[str]:
    """Return why this version cannot serve the file; empty if it can. Executes nothing from the file."""
    if db.value("PRAGMA application_id") != APPLICATION_ID:
        return ["it is not a Chinwag database"]
    version = db.value("PRAGMA user_version")
    if version > newest():
        return [f"it was made by a newer version (schema {version}, this one knows {newest()})"]
    if version == 0:
        return ["there is no organization in it yet"]
    return strange(db, version)


def strange(db: Db, version: int) -> list[str]:
    """Return the first differences between the file's schema and ours of that version."""
    if version not in {0, *(number for number, _ in migrations())}:
        return [f"schema {version} does not exist"]
    ours, schema = expected(version), list(_schema(db))
    reasons = [
        f"it has a {_shown(kind)} {_shown(name)} that is not Chinwag's"
        for kind, name, table, sql in schema
        if (kind, name, table, sql) not in ours | STATISTICS
    ]
    reasons += [
        f"its {kind} {_shown(name)} is missing or changed"
        for kind, name, _, _ in sorted(ours - set(schema), key=str)
    ]
    if not reasons and len(schema) != len(set(schema)):
        reasons = ["its schema names something twice"]
    return reasons[:3]


@cache
def expected(version: int) -> frozenset[Thing]:
    """Return the schema of this version, as our migrations create it in memory."""
    connection = apsw.Connection(":memory:")
    try:
        build(connection, version)
        return frozenset(_schema(Db(connection)))
    finally:
        connection.close()


def confine(connection: apsw.Connection) -> None:
    """Restrict a connection to reading: no ATTACH, no VACUUM, no PRAGMA that changes anything."""
    connection.authorizer = _only_reading


def _only_reading(
    operation: int, first: str | None, second: str | None, _database: str | None, _by: str | None
) -> int:
    if operation in READING:
        return apsw.SQLITE_OK
    if operation == apsw.SQLITE_PRAGMA and first in PRAGMAS:
        is_change = second is not None and first in ("application_id", "user_version")
        return apsw.SQLITE_DENY if is_change else apsw.SQLITE_OK
    return apsw.SQLITE_DENY


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def _schema(db: Db) -> Iterator[Thing]:
    yield from map(_thing, db.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def _thing(row: Row) -> Thing:
    kind, name, table, sql = row
    return kind, name, table, sql


def _shown(name: object) -> str:
    """Return an untrusted name for a terminal, with escapes and line breaks spelled out."""
    return ascii(name)[:80] if not str(name).isidentifier() else str(name)[:80]
