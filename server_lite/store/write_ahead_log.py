"""Keeps the write-ahead log short: copies it into the database, and cuts its file. Knows no table and no event.

Both wait for the disk, so they are for a thread. A reader of an old snapshot, such as a backup, lets the log grow.
Afterwards the file would stay as long as it was, or SQLite would cut it in the next change: 40 ms for 250 MB.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from server_lite.store.connection import BUSY_TIMEOUT

PAGES: Final = 1000
"""Length from which it is copied: 4 MB."""
PAUSE: Final = 1.0
"""Seconds after which what could not be copied is tried again, if it has not grown by as many pages before."""
LONGEST_FILE: Final = 64 * 2**20
"""Bytes from which the file is cut when it was copied."""
log = logging.getLogger("chinwag.server")


class WriteAheadLog:
    """The log of a connection that writes, the only one that copies it."""

    def __init__(
        self,
        connection: apsw.Connection,
        path: Path,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._path = path
        self._file = Path(connection.filename_wal)
        self._monotonic = monotonic
        self._pages = 0
        self._tried_pages = 0
        """Its length when it was last copied, as far as it could be: a reader may hold it, or the disk be full."""
        self._tried = -PAUSE
        connection.set_wal_hook(self._note_pages)  # which also disables automatic checkpoints

    @property
    def is_long(self) -> bool:
        """Whether it has to be copied, and that is worth trying now."""
        return self._pages >= PAGES and (
            self._pages >= self._tried_pages + PAGES or self._monotonic() >= self._tried + PAUSE
        )

    def checkpoint(self) -> None:
        """Copy what no reader needs, and cut the file if that was all; raises `apsw.Error`. SQLite would ignore errors."""
        self._tried_pages, self._tried = self._pages, self._monotonic()
        pages, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        if pages == copied:
            self._pages = 0
            if self._file_size() > LONGEST_FILE:
                self._cut()

    def _file_size(self) -> int:
        try:
            return self._file.stat().st_size
        except OSError:  # the files were moved: the next change notices
            return 0

    def _cut(self) -> None:
        """Cut the file, unless it has a reader: then a later checkpoint cuts it."""
        self._connection.set_busy_timeout(0)
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            log.debug("the write-ahead log of %s is in use, and cut later", self._path)
        finally:
            self._connection.set_busy_timeout(BUSY_TIMEOUT)

    def _note_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        if pages < self._tried_pages:  # it began anew
            self._tried_pages = 0
        self._pages = pages
        return apsw.SQLITE_OK
