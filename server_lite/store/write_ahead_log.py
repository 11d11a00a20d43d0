"""Keeps the write-ahead log short: copies it into the database, and cuts its file. Knows no table and no event.

Both wait for the disk, so they are for a thread. A reader of an old snapshot, such as a backup, lets the log grow.
Afterwards the file would stay as long as it was, or SQLite would cut it in the next change: 40 ms for 250 MB.
"""

import logging
from pathlib import Path
from typing import Final

import apsw

from server_lite.store.connection import BUSY_TIMEOUT

PAGES: Final = 1000
"""Length from which it is copied: 4 MB."""
LONGEST_FILE: Final = 64 * 2**20
"""Bytes from which the file is cut when it was copied."""
log = logging.getLogger("chinwag.server")


class WriteAheadLog:
    """The log of a connection that writes, the only one that copies it."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._file = Path(connection.filename_wal)
        self._pages = 0
        connection.set_wal_hook(self._note_pages)  # which also disables automatic checkpoints

    @property
    def is_long(self) -> bool:
        """Whether it has to be copied."""
        return self._pages >= PAGES

    def checkpoint(self) -> None:
        """Copy what no reader needs, and cut the file if that was all; raises `apsw.Error`. SQLite would ignore errors."""
        pages, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        self._pages -= copied
        if pages == copied and self._file_size() > LONGEST_FILE:
            self._cut()

    def _file_size(self) -> int:
        try:
            return self._file.stat().st_size
        except OSError:  # somebody moved the files: the next change notices
            return 0

    def _cut(self) -> None:
        """Cut the file, unless somebody reads from it: then the next checkpoint does."""
        self._connection.set_busy_timeout(0)
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            log.debug("the write-ahead log of %s is in use, and cut later", self._path)
        finally:
            self._connection.set_busy_timeout(BUSY_TIMEOUT)

    def _note_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK
