"""The file with drafts and outbox of one account: what must survive kill -9 and power cuts.

SQLite rather than files of JSON: every change is one row in one transaction (`synchronous=FULL`), so
two TUIs of one account can write at the same time without losing each other's, a crash leaves the
state before or after, and nobody writes the same lines again. The last known state of the server,
which is large and may be lost, is a file of JSON beside it (`tui.cache.snapshots`).
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tui.errors import ConfigError

SCHEMA_VERSION = 2
_SCHEMA = (
    """
CREATE TABLE outbox (
    local_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    created REAL NOT NULL,
    message TEXT NOT NULL
) STRICT;
CREATE TABLE draft (
    local_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    updated REAL NOT NULL,
    draft TEXT NOT NULL
) STRICT;
CREATE TABLE lost_draft (draft_id INTEGER PRIMARY KEY) STRICT;
PRAGMA user_version = 1
""",
    """
CREATE TABLE edit (
    message_id INTEGER PRIMARY KEY,
    updated REAL NOT NULL,
    was TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;
CREATE TABLE upload (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    started REAL NOT NULL,
    upload TEXT NOT NULL
) STRICT;
PRAGMA user_version = 2
""",
)
"""What makes each version of the one before; the first makes it of an empty file."""


class Database:
    """One connection. Every method may raise ConfigError with a sentence for people."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file; one that is damaged is kept under another name."""
        self.path = path
        self.set_aside: Path | None = None
        """Where a damaged file went; None if all was well."""
        with self._sorted_errors():
            try:
                self._connection = _open(path)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise  # locked, full, not allowed: the file itself may be well
                self.set_aside = path.with_name(f"{path.name}.damaged-{int(time.time())}")
                path.replace(self.set_aside)
                self._connection = _open(path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, sql: str, *values: object) -> list[Sequence[Any]]:
        """The rows of a question."""
        with self._sorted_errors():
            return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values: object) -> int:
        """Change something for good; returns how many rows."""
        with self._sorted_errors():
            return self._connection.execute(sql, values).rowcount

    def data_version(self) -> int:
        """Another number after another process changed something."""
        return int(self.rows("PRAGMA data_version")[0][0])

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the changes within, or none; nobody else writes in between.

        Within another one it is a part of that.
        """
        if self._is_within():
            yield
            return
        with self._sorted_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._is_within():  # a full disk ends it by itself
                    self._connection.execute("ROLLBACK")
                raise

    def _is_within(self) -> bool:
        return self._connection.in_transaction

    @contextlib.contextmanager
    def _sorted_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(f"{self.path} cannot be used: {error}.") from error


def _open(path: Path) -> sqlite3.Connection:
    # Made first, so that neither it nor SQLite's files beside it are ever readable by others.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = 1")
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("the file is damaged")
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise sqlite3.OperationalError("it was written by a newer version of Chinwag")
    for statements in _SCHEMA[version:]:
        for statement in statements.split(";"):
            connection.execute(statement)
    connection.execute("COMMIT")
