"""`chinwag-server init`: a new organization, complete or not at all."""

import argparse
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from server_lite.actions import credentials
from server_lite.actions.organization import Founding, found
from server_lite.cli import output
from server_lite.cli.secret_input import hashed_password
from server_lite.errors import StartError
from server_lite.store.database import Database, Tx
from server_lite.store.instance_lock import Lock
from server_lite.store.users import UserRow

LABEL: Final = "this machine"


def init(options: argparse.Namespace) -> None:
    """Make the organization, its owner and the welcome channel in a file that does not exist yet."""
    refuse_existing(options.db)
    hashed = hashed_password(stdin=options.password_stdin)
    founding = Founding(
        name=options.realm_name,
        owner_email=options.owner_email,
        owner_name=options.owner_name,
        password=hashed,
    )
    lock = Lock(options.db)
    if not lock.take():
        raise StartError(f"{options.db} is in use by another program.")
    try:
        make(options.db, founding)
    finally:
        lock.release()
    output.show(
        f"{options.realm_name} is ready. Start it with `chinwag-server serve --db {options.db}`."
    )


def refuse_existing(db: Path) -> None:
    """Raise StartError if there is anything at this path; nothing is ever overwritten."""
    if not db.parent.is_dir():
        raise StartError(f"{db.parent}: no such folder.")
    if os.path.lexists(db):
        raise StartError(f"{db} already exists, and was not changed.")


def make(
    db: Path,
    founding: Founding,
    then: Callable[[Tx, UserRow], None] = lambda _, __: None,
    *,
    clock: Callable[[], float] = time.time,
) -> None:
    """Build the file under another name and move it into place when it is whole.

    The caller holds the lock. `then` adds to the transaction that founds the organization.
    """
    refuse_existing(db)
    draft = db.with_name(f".{db.name}.new-{os.getpid()}")
    try:
        database = Database(draft, clock=clock)
        try:
            database.write_now(lambda tx: then(tx, found(tx, founding)))
        finally:
            database.close()
        draft.rename(db)
    finally:
        for left in (draft, *(draft.with_name(draft.name + end) for end in ("-wal", "-shm"))):
            with suppress(FileNotFoundError):
                left.unlink()


def make_with_key(db: Path, *, name: str, email: str, owner: str) -> tuple[str, str]:
    """The same without a password: the owner's address, and a key that signs them in."""
    founding = Founding(name=name, owner_email=email, owner_name=owner, password=None)
    given: list[tuple[str, str]] = []

    def give(tx: Tx, user: UserRow) -> None:
        given.append((user.email, credentials.sign_in(tx, user, LABEL)["api_key"]))

    make(db, founding, give)
    return given[0]
