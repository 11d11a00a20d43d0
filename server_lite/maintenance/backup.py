"""Makes a verified copy of an organization, served or not. Prints nothing; `cli/backup.py` does.

The copy appears under its name once it is complete and verified. The key file, from which bots' API keys are
derived, is copied beside it and not into it: like the database, a backup alone authenticates nobody.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from server_lite.errors import StartError
from server_lite.maintenance.files import resolved
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, checksums, secret_key
from server_lite.store.backups import Tell
from server_lite.store.instance_lock import write_private

_STAMP: Final = "%Y%m%dT%H%M%SZ"


def stamped(db: Path) -> str:
    """Return a name that sorts by time: `team.db` -> `team-20250615T150640Z.db`."""
    return f"{db.stem}-{time.strftime(_STAMP, time.gmtime())}.db"


def refuse_target(target: Path, db: Path, *, force: bool) -> None:
    """Raise StartError if a backup of `db` may not be written there: `force` replaces an older one."""
    if not target.parent.is_dir():
        raise StartError(f"{target.parent}: no such folder.")
    if resolved(target) == db.resolve():
        raise StartError("The backup target is the database itself.")
    if os.path.lexists(target) and not (force and target.is_file()):
        raise StartError(f"{target} already exists, and was not changed.")
    key, ours = secret_key.path_beside(target), secret_key.path_beside(db)
    if key.exists() and not force and not (ours.exists() and _bytes(ours) == _bytes(key)):
        raise StartError(f"{key} already exists with another key, and was not changed.")


def back_up(db: Path, target: Path, tell: Tell) -> dict[str, int]:
    """Copy to another name, verify, rename; returns the row count of each table.

    A failure leaves nothing and changes nothing, and raises StartError.
    """
    draft = target.with_name(f".{target.name}.part-{os.getpid()}")
    discard_abandoned(target)
    try:
        counts = backups.copy(db, draft, tell)
        faults = backups.faults(draft, counts=counts)
        if faults:
            raise StartError(f"{db} could not be backed up: {'; '.join(faults)}.")
        ours = secret_key.path_beside(db)
        if ours.exists():  # first, so that a backup never lacks its key
            write_private(secret_key.path_beside(target), _bytes(ours))
        draft.replace(target)
        backups.sync(target.parent)
    except apsw.Error as error:
        raise StartError(f"{db} could not be copied: {checksums.error_text(error)}.") from error
    except OSError as error:
        raise StartError(f"{target} could not be written: {error.strerror}.") from error
    finally:
        backups.discard(draft)
    return counts


def _bytes(key: Path) -> bytes:
    try:
        return key.read_bytes()
    except OSError as error:
        raise StartError(f"{key} cannot be read: {error.strerror}.") from error


def forget_oldest(folder: Path, db: Path, keep: int) -> Iterator[Path]:
    """Keep only the newest backups of this database in the folder; yields each that was deleted."""
    name = re.compile(re.escape(db.stem) + r"-\d{8}T\d{6}Z\.db")
    mine = sorted(path for path in folder.iterdir() if name.fullmatch(path.name))
    for old in mine[:-keep]:
        old.unlink()
        with suppress(FileNotFoundError):
            secret_key.path_beside(old).unlink()
        yield old
