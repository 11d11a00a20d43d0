"""A server's file before it is opened: whether it exists, its owner, creating a new one. Prints nothing."""

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.errors import StartError
from server_lite.store import backups
from server_lite.store.database import Database, Tx
from server_lite.store.instance_lock import Lock, is_alive, server_info
from server_lite.store.users import UserRow


def require_file(db: Path, *, writable: bool = True) -> None:
    """Raise StartError unless the file exists and can be opened."""
    try:
        status = db.stat()
    except FileNotFoundError as error:
        raise StartError(f"{db}: no such file; `chinwag-server init` creates one.") from error
    except OSError as error:
        raise StartError(f"{db} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(status.st_mode):
        raise StartError(f"{db} is not a file.")
    if status.st_size == 0:  # SQLite would create a new database in it
        raise StartError(f"{db} is empty: its contents are lost or elsewhere.")
    if not os.access(db, os.R_OK | (os.W_OK if writable else 0)):
        raise StartError(
            f"You do not have permission to read{' and write' if writable else ''} {db}."
        )


def resolved(path: Path) -> Path:
    """Return the path without symbolic links; raises StartError where they lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise StartError(f"{path} cannot be used: its symbolic links lead in a circle.") from error


def refuse_existing(db: Path) -> None:
    """Raise StartError if anything exists at this path; nothing is ever overwritten."""
    if not db.parent.is_dir():
        raise StartError(f"{db.parent}: no such folder.")
    if os.path.lexists(db):
        raise StartError(f"{db} already exists, and was not changed.")


@contextmanager
def locked(db: Path) -> Iterator[None]:
    """Lock the database during a command; raises StartError if another process owns it."""
    lock = Lock(db)
    if not lock.take():
        raise StartError(in_use(db))
    try:
        yield
    finally:
        lock.release()


def in_use(db: Path) -> str:
    """Return a sentence that says which process owns the database."""
    note = server_info(db)
    if note is not None and is_alive(note.pid):
        return f"{db} is already served, by process {note.pid} at {note.url}."
    return f"{db} is in use by another command; try again in a moment."


def create_organization(
    db: Path,
    new: NewOrganization,
    then: Callable[[Tx, UserRow], None] = lambda _, __: None,
    *,
    clock: Callable[[], float] = time.time,
) -> None:
    """Create the database under another name and move it into place when it is complete.

    The caller holds the lock. `then` adds to the transaction that sets up the organization.
    Raises StartError if something exists at the path, and ApiError for invalid values in `new`.
    """
    refuse_existing(db)
    draft = db.with_name(f".{db.name}.new-{os.getpid()}")
    try:
        database = Database(draft, clock=clock)
        try:
            database.write_now(lambda tx: then(tx, set_up_organization(tx, new)))
        finally:
            database.close()
        draft.rename(db)
    finally:
        backups.discard(draft)
