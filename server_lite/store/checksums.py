"""Checksums of pages: SQLite's checksum VFS, which apsw brings along. Opens files; knows no table.

A file with eight reserved bytes a page has a checksum in them. They are computed as pages are written
to the file, and compared as pages are read from it: a byte that changed on the disk is an error, and
no other text. What lies in the write-ahead log has SQLite's own checksums.
"""

import os
import re
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

import apsw

from server_lite.errors import StartError

EXTENSION: Final = "cksumvfs"
FIRST_SCHEMA: Final = 31
"""Versions before this schema would write pages without their checksums, so their files get none."""
RESERVED: Final = 8
"""Bytes at the end of each page; the header says so in this byte:"""
_HEADER_BYTE: Final = 20
STATEMENTS: Final = 300
"""That stay prepared: a register alone has a hundred."""
MISMATCH: Final = "a page does not match its checksum: bytes of it changed on the disk"


@cache
def available() -> bool:
    """Whether this apsw can check pages; from the first call on, every file is opened that way.

    Built from its source instead of installed as a wheel, apsw may lack it.
    """
    from apsw import sqlite_extra

    if sqlite_extra.has(EXTENSION) is None:
        return False
    with closing(apsw.Connection(":memory:")) as connection:
        sqlite_extra.load(connection, EXTENSION)  # makes itself the default for what is opened next
    return True


def connect(
    name: Path | str, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
) -> apsw.Connection:
    """Open a file so that its pages are compared with their checksums, if it has any."""
    available()
    return apsw.Connection(str(name), flags=flags, statementcachesize=STATEMENTS)


def begin(connection: apsw.Connection) -> None:
    """Give an empty file checksums. Nothing may have been written to it."""
    if available():
        connection.reserve_bytes("main", RESERVED)


def has_checksums(path: Path) -> bool:
    """Whether the pages of a file have checksums, by its header."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTE + 1)
    return len(header) > _HEADER_BYTE and header[_HEADER_BYTE] == RESERVED


def require(path: Path) -> None:
    """Raise StartError where pages have checksums that this program could not keep right."""
    if not available() and has_checksums(path):
        raise StartError(
            f"{path} has checksums, which this build of apsw cannot write. Install apsw as a wheel."
        )


def give(path: Path, draft: Path) -> None:
    """Rewrite a file without checksums so that it has them. Nobody else may have it open.

    Needs room for a second copy, which is made at `draft`, beside it. Raises apsw.Error and OSError.
    """
    with closing(connect(path)) as connection:
        if connection.pragma("user_version") < FIRST_SCHEMA:
            return
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.reserve_bytes("main", RESERVED)
        os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        connection.execute("VACUUM INTO ?", (str(draft),))
    draft.replace(path)


def error_text(error: apsw.Error) -> str:
    """An error of SQLite for people: that of a checksum is no failure of the disk to answer."""
    return MISMATCH if is_mismatch(error) else str(error)


def is_mismatch(error: Exception) -> bool:
    """Whether a page was read that does not match its checksum."""
    return getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA


def problem_text(problem: str) -> str:
    """What an integrity check says of a page that it could not read, for people."""
    return re.sub(
        rf"unable to get the page\. error code={apsw.SQLITE_IOERR_DATA}\b", MISMATCH, problem
    )
