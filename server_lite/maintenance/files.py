"""A server's file before it is opened: is it there, who holds it, and how a new one comes about. Prints nothing."""

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
    """Raise StartError unless there is a file to open."""
    try:
        status = db.stat()
    except FileNotFoundError as error:
        raise StartError(f"{db}: no such file; `chinwag-server init` creates one.") from error
    except OSError as error:
        raise StartError(f"{db} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(status.st_mode):
        raise StartError(f"{db} is not a file.")
    if status.st_size == 0:  # SQLite would begin a new database in it
        raise StartError(f"{db} is empty: its contents are lost or elsewhere.")
    if not os.access(db, os.R_OK | (os.W_OK if writable else 0)):
        raise StartError(
            f"You do not have permission to read{' and write' if writable else ''} {db}."
        )


def refuse_existing(db: Path) -> None:
    """Raise StartError if there is anything at this path; nothing is ever overwritten."""
    if not db.parent.is_dir():
        raise StartError(f"{db.parent}: no such folder.")
    if os.path.lexists(db):
        raise StartError(f"{db} already exists, and was not changed.")


@contextmanager
def locked(db: Path) -> Iterator[None]:
    """Hold the database for the time of a command; raises StartError if somebody else holds it."""
    lock = Lock(db)
    if not lock.take():
        raise StartError(in_use(db))
    try:
        yield
    finally:
        lock.release()


def in_use(db: Path) -> str:
    """Who holds the database, in one sentence."""
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
    """Build the file under another name and move it into place when it is whole.

    The caller holds the lock. `then` adds to the transaction that founds the organization.
    Raises StartError if there is something at the path, and ApiError for what `new` may not say.
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
