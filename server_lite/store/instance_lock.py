"""Exclusive ownership of a database: the lock, and the note with which to reach its owner.

The lock is the kernel's (`flock`), so it ends with its process, however that ends. There are two: on a
file beside the database, which exists before the database does, and on the database itself, which is
locked whatever name it is reached by, and even if the file beside it was removed. `flock` and the locks of
SQLite (`fcntl`) do not see each other; but closing any descriptor of a file drops those of SQLite in
the same process, so a lock is taken before the database is opened, and released after it is closed.

The note is JSON, readable only by the owner of the file, because it contains the secret by which commands
authenticate. No database, no HTTP.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.store.regular_file import read_bytes

PRIVATE: Final = 0o600
TIMEOUT: Final = 10.0
"""Seconds to wait for another command, or for a server that is just starting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """Address and secret of the server that owns a database."""

    pid: int
    host: str
    port: int
    url: str
    version: str
    secret: str
    certificate: str | None = None
    """SHA-256 of the server's certificate, in hexadecimal; None without encryption."""


class Lock:
    """Ownership of one database, taken by `take`, released by `release` or the end of the process."""

    def __init__(self, db: Path) -> None:
        self.path: Final = beside(db, "lock")
        self.note: Final = beside(db, "server.json")
        self._db: Final = db
        self._descriptor: int | None = None
        self._of_file: int | None = None

    def take(self) -> bool:
        """Try to take the lock, without waiting; returns whether this process owns it. Raises StartError."""
        if not self.path.parent.is_dir():
            raise StartError(f"{self.path.parent}: no such folder.")
        while True:
            try:
                descriptor = os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
            except OSError as error:
                raise StartError(f"{self.path} cannot be created: {error.strerror}.") from error
            if not _locked(descriptor):
                os.close(descriptor)
                return False
            if _is_at(descriptor, self.path):
                break
            os.close(descriptor)  # its owner removed it just now
        try:
            of_file = os.open(self._db, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:  # missing, or unreadable: opening the database reports it
            of_file = None
        if of_file is not None and not _locked(of_file):
            os.close(of_file)
            os.close(descriptor)
            return False
        self._descriptor, self._of_file = descriptor, of_file
        return True

    def publish(self, note: ServerInfo) -> None:
        """Write the note for commands; the file appears complete or not at all."""
        text = orjson.dumps(asdict(note))
        write_private(self.note, text)

    def release(self) -> None:
        """Release the database. The lock's own file stays beside it; without a database, it is removed.

        Removing it is safe while it is locked: whoever locks a file that is no longer there opens the next.
        """
        if self._descriptor is None:
            return
        with suppress(FileNotFoundError):
            self.note.unlink()
        if not self._db.exists():  # it was not created after all
            with suppress(OSError):
                self.path.unlink()
        if self._of_file is not None:
            os.close(self._of_file)
        os.close(self._descriptor)
        self._descriptor = self._of_file = None


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether the open file is the one at this path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def beside(db: Path, what: str) -> Path:
    """`/data/team.db` -> `/data/team.db.<what>`; links are resolved, so one file has one lock."""
    whole = db.resolve()
    return whole.with_name(f"{whole.name}.{what}")


def write_private(path: Path, data: bytes) -> None:
    """Replace a file atomically by one that only its owner can read."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, PRIVATE)
            file.write(data)
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise StartError(f"{path} cannot be written: {error.strerror}.") from error


def server_info(db: Path) -> ServerInfo | None:
    """Return the note of the server that owns this database, or owned it before it was killed."""
    try:
        return ServerInfo(**orjson.loads(read_bytes(beside(db, "server.json"))))
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def acquire_or_find(db: Path) -> Iterator[ServerInfo | None]:
    """Take the lock, or find the owner: yields None, or the note of the running server.

    Waits for another command to end and for a starting server to publish its note.
    """
    lock = Lock(db)
    give_up = time.monotonic() + TIMEOUT
    while not lock.take():
        note = server_info(db)
        if note is not None and is_alive(note.pid):
            yield note
            return
        if time.monotonic() > give_up:
            raise StartError(f"{db} is in use by another program.")
        time.sleep(0.02)
    try:
        yield None
    finally:
        lock.release()


def is_alive(pid: int) -> bool:
    """Whether a process with this ID exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
