"""One SQLite connection: pragmas, statements, plain rows. Knows no table, no event and no asyncio."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from server_lite.errors import IntegerTooLarge
from server_lite.store.checksums import connect

Row = tuple[Any, ...]

PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # acknowledged means on disk: NORMAL loses commits at a power cut
    "PRAGMA fullfsync = 1",  # macOS: fsync alone does not reach the platter
    "PRAGMA checkpoint_fullfsync = 1",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA recursive_triggers = ON",
)


class Db:
    """A connection that reads; inside a transaction (`Tx`) it is one that writes."""

    __slots__ = ("_connection",)

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> apsw.Connection:
        """For what is no statement: copies, and limits of one connection."""
        return self._connection

    def row(self, sql: str, /, *values: Any) -> Row | None:
        """The first row, or None."""
        cursor = self._execute(sql, values)
        for row in cursor:
            return tuple(row)
        return None

    def rows(self, sql: str, /, *values: Any) -> list[Row]:
        """All rows."""
        return [tuple(row) for row in self._execute(sql, values)]

    def value(self, sql: str, /, *values: Any) -> Any:
        """The first column of the first row, or None."""
        row = self.row(sql, *values)
        return None if row is None else row[0]

    def column(self, sql: str, /, *values: Any) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self._execute(sql, values)]

    def run(self, sql: str, /, *values: Any) -> int:
        """Execute a change; returns how many rows it touched."""
        before = self._connection.total_changes()
        self._execute(sql, values)
        return self._connection.total_changes() - before

    def insert(self, sql: str, /, *values: Any) -> int:
        """Execute an INSERT; returns the new row's id."""
        self._execute(sql, values)
        return self._connection.last_insert_rowid()

    def many(self, sql: str, rows: Sequence[Sequence[Any]], /) -> None:
        """Execute a change once for each row of values."""
        try:
            self._connection.executemany(sql, rows)
        except OverflowError as error:
            raise IntegerTooLarge from error

    def _execute(self, sql: str, values: Sequence[Any]) -> apsw.Cursor:
        try:
            return self._connection.execute(sql, values)
        except OverflowError as error:
            raise IntegerTooLarge from error


def marks(values: Sequence[Any]) -> str:
    """`?, ?, ?` for an IN list; SQLite's default limit is 32,766 values."""
    return ", ".join("?" * len(values))


def open_writer(path: Path) -> apsw.Connection:
    """The one connection that writes and checkpoints; `configure` it once it is known to be ours."""
    connection = connect(path)
    prepare(connection)
    return connection


def configure(connection: apsw.Connection) -> None:
    """Make a writer durable. Changes the file: its journal becomes a write-ahead log."""
    for pragma in PRAGMAS:
        connection.execute(pragma)


def open_reader(path: Path) -> apsw.Connection:
    """A connection that cannot write, and never checkpoints."""
    connection = connect(path, apsw.SQLITE_OPEN_READONLY)
    prepare(connection)
    connection.execute("PRAGMA query_only = ON")
    connection.wal_autocheckpoint(0)
    return connection


def prepare(connection: apsw.Connection) -> None:
    """Make a new connection safe: whatever the file is, and before anything of it is read."""
    connection.set_busy_timeout(5000)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # Before the first statement: our schema has no trigger and no view, so those of a file are no help.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, 32 * 1024 * 1024)
