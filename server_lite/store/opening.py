"""Opens the organization's database: creates, checks and migrates it. No nouns."""

import os
import stat
from pathlib import Path
from typing import Final

import apsw

from server_lite.errors import StartError
from server_lite.store import checksums, upgrades
from server_lite.store.connection import Db, configure, open_writer
from server_lite.store.identity import strange
from server_lite.store.migrations import APPLICATION_ID, migrate, newest

_NO_ROOM: Final = frozenset((apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_WRITE))
"""Errors of SQLite where the files beside the database cannot grow, besides `FullError`."""
_LEAST_ROOM: Final = 2**16
"""Bytes that opening needs: the index of the write-ahead log is half of it."""


def open_file(path: Path, *, keeps_older: bool) -> apsw.Connection:
    """Open or create the file; every problem becomes one sentence."""
    if not path.parent.is_dir():
        raise StartError(f"{path.parent}: no such folder, so no database can be created in it.")
    fresh = not path.exists()
    if fresh:
        _create_private(path)
    try:
        checksums.require(path)
        connection = open_writer(path)
        if fresh:
            checksums.begin(connection)
        _check(connection, path, fresh=fresh)
        configure(connection)  # only now: it changes the file
        if keeps_older and 0 < connection.pragma("user_version") < newest():
            upgrades.keep(path)
        migrate(connection, path)
    except apsw.NotADBError as error:
        raise StartError(f"{path} is not a database, and was not changed.") from error
    except apsw.CorruptError as error:
        raise StartError(f"{path} is damaged ({error}); it was not changed.") from error
    except apsw.FullError as error:
        raise StartError(_full(path)) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.IOError) as error:
        if getattr(error, "extendedresult", 0) in _NO_ROOM and _has_no_room(path):
            raise StartError(_full(path)) from error
        raise StartError(
            f"{path} cannot be opened for writing: {checksums.error_text(error)}."
        ) from error
    except apsw.BusyError as error:
        raise StartError(f"{path} is in use by another program.") from error
    return connection


def _full(path: Path) -> str:
    return f"The disk of {path} is full, so it cannot be opened. Free some space and try again."


def _has_no_room(path: Path) -> bool:
    disk = os.statvfs(path.resolve().parent)
    return disk.f_bavail * disk.f_frsize < _LEAST_ROOM


def _create_private(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, stat.S_IRUSR | stat.S_IWUSR))
    except OSError as error:
        raise StartError(f"{path} cannot be created: {error.strerror}.") from error


def _check(connection: apsw.Connection, path: Path, *, fresh: bool) -> None:
    """Refuse the file of another program, and one from a newer version of this one."""
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    try:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except apsw.SQLError as error:  # the header names a format that SQLite does not know
        raise StartError(f"{path} cannot be used, and was not changed: {error}.") from error
    if not fresh and application != APPLICATION_ID and (application or (tables and tables[0])):
        raise StartError(f"{path} belongs to another program, and was not changed.")
    if version > newest():
        raise StartError(
            f"{path} was made by a newer version (schema {version}, this one knows {newest()});"
            " it was not changed."
        )
    reasons = strange(Db(connection), version) if application == APPLICATION_ID else []
    if reasons:
        raise StartError(f"{path} was not changed: {'; '.join(reasons)}.")
