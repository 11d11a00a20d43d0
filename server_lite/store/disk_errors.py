"""Errors of SQLite and its disk, and what they are to a request whose change was not stored. Writes nothing."""

from typing import Final

import apsw

from server_lite.errors import Unavailable

FAILED_SYNCS: Final = frozenset({apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC})
DISK_ERRORS: Final = (apsw.IOError, apsw.FullError, apsw.CorruptError, apsw.CantOpenError)


def unavailable(error: BaseException) -> Unavailable:
    """Return the error for a request that failed because of the disk."""
    text = "The server could not store this. Nothing was changed; try again."
    if getattr(error, "extendedresult", 0) in FAILED_SYNCS:
        text = "The server's disk failed while storing this; it may or may not have been stored."
    if isinstance(error, apsw.BusyError):
        text = "Another program locks the server's database. Nothing was changed; try again later."
    if isinstance(error, apsw.FullError):
        text = "The server's disk is full. Nothing was changed; reading works. Try again later."
    refused = Unavailable(text)
    refused.__cause__ = error
    return refused
