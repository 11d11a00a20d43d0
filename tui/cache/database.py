"""The file with drafts and outbox of one account: must survive kill -9 and power cuts.

SQLite rather than files of JSON: every change is one row in one transaction (`synchronous=FULL`), so two
clients of one account can write at the same time without losing each other's changes, a crash leaves the
state before or after, and unchanged rows are not written again. The last known state of the server, which is
large and may be lost, is a file of JSON beside it (`tui.cache.snapshots`).
"""

import contextlib
import errno
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tui.cache import salvage
from tui.errors import ConfigError
from tui.regular_file import open_regular, reason_of

SCHEMA_VERSION = 2
NEWEST_VERSION = 1000
"""Numbers beyond this one are damage."""
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
"""The statements that migrate each version to the next; the first begins with an empty file."""
_TABLES = ("outbox", "draft", "edit", "upload")
"""Tables of what the user wrote."""


class DiskRefusal(ConfigError):
    """The disk is full, or lets nothing be written."""


class Database:
    """One connection. Every method may raise ConfigError with a sentence for the user."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. A damaged one is kept under another name, and its readable rows are copied
        to the new one. If the disk takes nothing, what is in the file can be read, and each change tries to
        open it again.
        """
        self.path = path
        self.set_aside: Path | None = None
        """The copy of a damaged file; None if the file was fine."""
        self._refusal = ""
        """Why the disk takes nothing, while the rows are a copy in memory."""
        try:
            with self._sorted_errors():
                self._connection = self._opened()
        except DiskRefusal as error:
            self._refusal = str(error)
            self._connection = _in_memory(path)

    def _opened(self) -> sqlite3.Connection:
        path = self.path
        log = salvage.read_log(path)
        if log is not None and log.is_damaged:
            log = salvage.read_log(path)  # another process may just have written to it
        if log is not None and log.is_damaged:
            self.set_aside = salvage.set_aside(path)
        try:
            connection = _open(path)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise  # locked, full, not allowed: the file itself may be fine
            self.set_aside = self.set_aside or salvage.set_aside(path)
            salvage.remove(path)
            connection = _open(path)
        if self.set_aside is not None:
            _take(connection, salvage.rows(self.set_aside, log, _TABLES, ";".join(_SCHEMA)))
        return connection

    def _writable(self) -> sqlite3.Connection:
        """Return the connection to the file, which is opened again if the disk had refused it."""
        if self._refusal:
            connection = self._opened()
            self._connection.close()
            self._connection, self._refusal = connection, ""
        return self._connection

    @property
    def is_read_only(self) -> bool:
        """Whether the disk took nothing so far; a change may find that it does."""
        return bool(self._refusal)

    @property
    def trouble(self) -> str:
        """A sentence about a disk that takes nothing, or about damage of the file; "" if all is well."""
        if self._refusal:
            return self._refusal
        if self.set_aside is None:
            return ""
        return (
            "The file with your drafts and unsent messages was damaged. The readable part was recovered;"
            f" a copy of the damaged file is {self.set_aside}."
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, sql: str, *values: object) -> list[Sequence[Any]]:
        """Return the rows of a query."""
        with self._sorted_errors():
            return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values: object) -> int:
        """Run a statement and commit; return the number of changed rows."""
        with self._sorted_errors():
            return self._writable().execute(sql, values).rowcount

    def data_version(self) -> int:
        """Return a number that changes when another process changed the file."""
        return int(self.rows("PRAGMA data_version")[0][0])

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all changes of the block, or none; no other process writes in between.

        Within another transaction it is a part of that.
        """
        if self._is_within():
            yield
            return
        with self._sorted_errors():
            self._writable().execute("BEGIN IMMEDIATE")
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
        except (*salvage.DAMAGED, OSError) as error:
            kind = DiskRefusal if _is_refusal(error) else ConfigError
            raise kind(_sentence(self.path, error)) from error


def _take(connection: sqlite3.Connection, salvaged: salvage.Rows) -> None:
    """Insert the rows of a damaged file; those of its log are newer than what SQLite read of it."""
    for table, rows in salvaged.items():
        for row in rows:
            if not _is_whole(row):
                continue
            places = ", ".join("?" * len(row))
            with contextlib.suppress(*salvage.DAMAGED):  # broken in another way
                connection.execute(
                    f"INSERT OR REPLACE INTO {table} VALUES ({places})",  # our own tables
                    row,
                )


def _is_whole(row: Sequence[Any]) -> bool:
    """Whether the JSON in a row can be read, and its text holds no wiped bytes."""
    for value in row:
        if isinstance(value, bytes) or (isinstance(value, str) and "\0" in value):
            return False
        if isinstance(value, str) and value.startswith("{"):
            try:
                json.loads(value)
            except ValueError:
                return False
    return True


def _tables_of(version: int) -> set[str]:
    """Return the names of the tables that a file of this version has: a damaged number does not fit them."""
    return set(re.findall(r"CREATE TABLE (\w+)", "".join(_SCHEMA[:version])))


def _is_full(error: Exception) -> bool:
    name, number = getattr(error, "sqlite_errorname", ""), getattr(error, "errno", None)
    return name in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE") or number in (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
    )


def _is_refusal(error: Exception) -> bool:
    """Whether the disk is full or lets nothing be written."""
    name, number = getattr(error, "sqlite_errorname", ""), getattr(error, "errno", None)
    return _is_full(error) or name.startswith("SQLITE_READONLY") or number == errno.EROFS


def _sentence(path: Path, error: Exception) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if _is_full(error):
        return "The disk is full: drafts and messages are kept in memory only. Free some space before you quit Chinwag."
    if _is_refusal(error):
        return f"{path} cannot be written: drafts and messages are kept in memory only. Check the folder's owner and permissions."
    if name.startswith("SQLITE_BUSY"):
        return f"{path} is locked by another program. Close that, and try again."
    return f"{path} cannot be used: {reason_of(error)}."


def _open(path: Path) -> sqlite3.Connection:
    # Made first, so that neither it nor SQLite's files beside it are ever readable by others.
    os.close(open_regular(path, os.O_RDWR | os.O_CREAT))
    connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
    connection.text_factory = salvage.text
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _in_memory(path: Path) -> sqlite3.Connection:
    """Return a copy of the file that takes no changes; an empty one where it cannot be read."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        salvage.load(connection, path)
        _prepare(connection)
    except salvage.DAMAGED:
        connection.close()
        connection = sqlite3.connect(":memory:", isolation_level=None)
        _prepare(connection)
    connection.text_factory = salvage.text
    connection.execute("PRAGMA query_only = 1")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = 1")
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("the file is damaged")
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if SCHEMA_VERSION < version <= NEWEST_VERSION:
        raise sqlite3.OperationalError("it was written by a newer version of Chinwag")
    tables = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    if not 0 <= version <= SCHEMA_VERSION or tables != _tables_of(version):
        raise sqlite3.DatabaseError("the file is damaged")
    for statements in _SCHEMA[version:]:
        for statement in statements.split(";"):
            connection.execute(statement)
    connection.execute("COMMIT")
