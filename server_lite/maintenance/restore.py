"""Restores an organization from a backup, completely or not at all, losing nothing. `cli/restore.py` prints.

The new file is created under another name, migrated, and verified before anything in place is touched.
The existing file is renamed and kept. Clients register again by themselves.
"""

import os
import time
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

import apsw

from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.maintenance.files import locked, require_file
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, checksums, secret_key
from server_lite.store.backups import Tell
from server_lite.store.database import Database
from server_lite.store.instance_lock import write_private


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The result of a restore."""

    counts: dict[str, int]
    """Row count of each table."""
    aside: Path | None
    """New path of the file that was in place."""
    missing_key: Path | None
    """The missing key file: the organization has bots, and neither backup nor place has one."""


def restore(backup: Path, db: Path, *, force: bool, tell: Tell) -> Restored:
    """Restore a backup. Refused while a server owns the database, or if one exists.

    `force` renames the existing one. Raises StartError.
    """
    require_file(backup, writable=False)
    if not db.parent.is_dir():
        raise StartError(f"{db.parent}: no such folder.")
    if backup.resolve() == db:
        raise StartError(f"{db} cannot be restored from itself.")
    with locked(db):
        if os.path.lexists(db) and not force:
            raise StartError(f"{db} already exists, and was not changed; --force moves it aside.")
        return _replace(backup, db, tell)


def _replace(backup: Path, db: Path, tell: Tell) -> Restored:
    """Create the new file and replace the existing one."""
    draft = db.with_name(f".{db.name}.restored-{os.getpid()}")
    discard_abandoned(db)
    try:
        counts = _prepare(backup, draft, tell, replaced=db)
        aside = set_aside(db)
        missing_key = _bring_key(backup, db, has_bots=bool(counts.get("bot")))
        draft.replace(db)
        backups.sync(db.parent)
    except OSError as error:
        raise StartError(f"{db} could not be restored: {error.strerror}.") from error
    finally:
        backups.discard(draft)
    return Restored(counts=counts, aside=aside, missing_key=missing_key)


def _prepare(backup: Path, draft: Path, tell: Tell, *, replaced: Path) -> dict[str, int]:
    """Copy the backup, migrate it, and delete all event queues."""
    try:
        counts = backups.copy(backup, draft, tell)
        _check(draft, backup, counts)
        Database(draft, keeps_older=False).close()  # migrates an older one
        backups.add_checksums(draft)
        backups.part_with_the_past(draft, replaced=replaced)
        Database(draft).close()  # raises the ceiling of event IDs
        _check(draft, backup, None)
        backups.sync(draft)
    except apsw.Error as error:
        raise StartError(f"{backup} cannot be restored: {checksums.error_text(error)}.") from error
    return counts


def _check(draft: Path, backup: Path, counts: dict[str, int] | None) -> None:
    faults = backups.faults(draft, counts=counts)
    if faults:
        raise StartError(f"{backup} cannot be restored: {'; '.join(faults)}.")


def set_aside(db: Path) -> Path | None:
    """Give the existing file a second name, then prepare its place. Returns the new name.

    The old file keeps its first name until it is replaced atomically. Its write-ahead log must be removed
    before that, or SQLite would apply it to the new file.
    """
    if not os.path.lexists(db):
        backups.discard(db)  # a log without its file is useless, but would corrupt the next one
        return None
    backups.settle(db)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = (
        f"{db.name}.before-{stamp}{again}" for again in chain([""], (f".{n}" for n in count(2)))
    )
    aside = next(path for path in map(db.with_name, names) if not os.path.lexists(path))
    for end in ("", "-wal", ".key"):
        with suppress(FileNotFoundError):
            os.link(db.with_name(db.name + end), aside.with_name(aside.name + end))
    backups.sync(db.parent)
    for end in backups.SIDE_FILES:
        with suppress(FileNotFoundError):
            db.with_name(db.name + end).unlink()
    return aside


def _bring_key(backup: Path, db: Path, *, has_bots: bool) -> Path | None:
    """Copy the backup's key file; an existing one stays if the backup has none.

    Returns the path of the missing one: there are bots, and neither the backup nor the place has a key file.
    """
    theirs, ours = secret_key.path_beside(backup), secret_key.path_beside(db)
    if theirs.exists():
        write_private(ours, theirs.read_bytes())
        return None
    return theirs if has_bots and not ours.exists() else None
