"""Checksums of database pages: SQLite's checksum VFS, included in apsw. Opens files; knows no table.

A file with eight reserved bytes per page stores a checksum in them. Checksums are computed when pages are
written to the file, and verified when pages are read from it: a byte that changed on disk is an error, and
never different text. The write-ahead log has SQLite's own checksums.
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
"""Earlier schemas are served by versions that write no checksums, so such files get none."""
RESERVED: Final = 8
"""Bytes reserved at the end of each page; stored in this byte of the header:"""
_HEADER_BYTE: Final = 20
STATEMENTS: Final = 300
"""Size of the statement cache: a register alone uses a hundred."""
MISMATCH: Final = "a page does not match its checksum: bytes of it changed on the disk"


@cache
def available() -> bool:
    """Whether this apsw can verify pages; after the first call, every file is opened with checksums.

    Built from source instead of installed as a wheel, apsw may lack the extension.
    """
    path = extension_path()
    if path is None:
        return False
    with closing(apsw.Connection(":memory:")) as connection:
        connection.enable_load_extension(True)
        connection.load_extension(path)  # becomes the default VFS
    return True


def extension_path() -> str | None:
    """Return the path of the extension, as `apsw.sqlite_extra` does, which imports a megabyte for it; None without it."""
    assert apsw.__file__ is not None
    folder = Path(apsw.__file__).with_name("sqlite_extra_binaries")
    for suffix in (".so", ".dylib"):
        path = folder / f"{EXTENSION}{suffix}"
        if path.exists():
            return str(path)
    from apsw import sqlite_extra  # installed in another way

    return sqlite_extra.path(EXTENSION) if sqlite_extra.has(EXTENSION) else None


def connect(
    name: Path | str, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
) -> apsw.Connection:
    """Open a file so that pages are verified, if it has checksums."""
    available()
    return apsw.Connection(str(name), flags=flags, statementcachesize=STATEMENTS)


def begin(connection: apsw.Connection) -> None:
    """Enable checksums for an empty file, before the first write."""
    if available():
        connection.reserve_bytes("main", RESERVED)


def begin_copy(connection: apsw.Connection, page_size: int) -> None:
    """Enable checksums for an empty file into which the pages of another are copied.

    Pages leave SQLite's cache for a large file before the first page does, in which the VFS looks whether
    pages have checksums. They would be written as they were: those of a write-ahead log have none yet.
    """
    begin(connection)
    connection.execute(f"PRAGMA page_size = {page_size:d}")
    connection.execute("PRAGMA user_version = 1")  # writes the first page


def has_checksums(path: Path) -> bool:
    """Whether the file has checksums, by its header."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTE + 1)
    return len(header) > _HEADER_BYTE and header[_HEADER_BYTE] == RESERVED


def require(path: Path) -> None:
    """Raise StartError if the file has checksums that this program could not maintain."""
    if not available() and has_checksums(path):
        raise StartError(
            f"{path} has checksums, which this build of apsw cannot write. Install apsw as a wheel."
        )


def give(path: Path, draft: Path) -> None:
    """Rewrite a copy to add checksums. No other process may have it open; a failure leaves it unusable.

    Needs space for another copy, which is created at `draft`, beside it. Raises apsw.Error and OSError.
    """
    with closing(connect(path)) as connection:
        if connection.pragma("user_version") < FIRST_SCHEMA:
            return
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.reserve_bytes("main", RESERVED)
        os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        connection.execute("VACUUM INTO ?", (str(draft),))
    os.truncate(path, 0)
    with closing(connect(draft)) as roomy, closing(connect(path)) as writer:
        roomy.execute("PRAGMA checksum_verification = OFF")  # its pages have room for them, no more
        begin_copy(writer, roomy.pragma("page_size"))
        with writer.backup("main", roomy, "main") as steps:
            steps.step()


def error_text(error: apsw.Error) -> str:
    """Return SQLite's error as text for people, naming a checksum mismatch as such."""
    return MISMATCH if is_mismatch(error) else str(error)


def is_mismatch(error: Exception) -> bool:
    """Whether a page that was read does not match its checksum."""
    return getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA


def problem_text(problem: str) -> str:
    """Return an integrity check's finding as text for people, naming a checksum mismatch as such."""
    return re.sub(
        rf"unable to get the page\. error code={apsw.SQLITE_IOERR_DATA}\b", MISMATCH, problem
    )
