"""`chinwag-server backup`: a verified copy of an organization, made while it is served or not.

The copy appears under its name when it is whole and was read back. The key file that seals bots' keys
is copied beside it and not into it: a backup alone signs nobody in, as the file alone does not.
"""

import argparse
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.cli.serving import existing
from server_lite.errors import StartError
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, checksums, secret_key
from server_lite.store.instance_lock import write_private

_STAMP: Final = "%Y%m%dT%H%M%SZ"


def backup(options: argparse.Namespace) -> None:
    """Copy, read back, give it its name; then forget the oldest of a folder if told so."""
    existing(options.db)
    in_folder = options.to.is_dir()
    if options.keep is not None and not in_folder:
        raise StartError(f"--keep needs a folder of backups, and {options.to} is not a folder.")
    target = options.to / stamped(options.db) if in_folder else options.to
    _refuse_existing(target, options.db, force=options.force)
    counts = _make(options.db, target)
    output.show(f"{target}: {described(counts, target)}; verified.")
    if secret_key.path_beside(target).exists():
        output.show(
            f"{secret_key.path_beside(target)} encrypts the keys of bots. Anyone with both files can"
            " act as them: keep it apart, but keep it."
        )
    if options.keep is not None:
        _forget_oldest(options.to, options.db, options.keep)


def stamped(db: Path) -> str:
    """`team.db` -> `team-20250615T150640Z.db`: names that sort by time."""
    return f"{db.stem}-{time.strftime(_STAMP, time.gmtime())}.db"


def described(counts: Mapping[str, int], path: Path) -> str:
    """What is in a copy, for people."""
    things = (("user", "accounts"), ("channel", "channels"), ("message", "messages"))
    numbers = ", ".join(f"{counts.get(table, 0):,} {name}" for table, name in things)
    return f"{numbers}, {path.stat().st_size / 1e6:,.1f} MB"


def _refuse_existing(target: Path, db: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise StartError(f"{target.parent}: no such folder.")
    if target.resolve() == db.resolve():
        raise StartError("The backup target is the database itself.")
    if os.path.lexists(target) and not (force and target.is_file()):
        raise StartError(f"{target} already exists, and was not changed.")
    key, ours = secret_key.path_beside(target), secret_key.path_beside(db)
    if key.exists() and not force and not (ours.exists() and _bytes(ours) == _bytes(key)):
        raise StartError(f"{key} already exists with another key, and was not changed.")


def _make(db: Path, target: Path) -> dict[str, int]:
    """Copy under another name, verify, rename. Whatever fails leaves nothing and changes nothing."""
    draft = target.with_name(f".{target.name}.part-{os.getpid()}")
    discard_abandoned(target)
    try:
        with progress("Copying") as tell:
            counts = backups.copy(db, draft, tell)
        faults = backups.faults(draft, counts=counts)
        if faults:
            raise StartError(f"{db} could not be backed up: {'; '.join(faults)}.")
        ours = secret_key.path_beside(db)
        if ours.exists():  # first: a backup that is there has its key
            write_private(secret_key.path_beside(target), _bytes(ours))
        draft.replace(target)
        backups.sync(target.parent)
    except apsw.Error as error:
        raise StartError(f"{db} could not be copied: {checksums.words(error)}.") from error
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


def _forget_oldest(folder: Path, db: Path, keep: int) -> None:
    """Of the backups of this file in the folder, keep the newest ones."""
    name = re.compile(re.escape(db.stem) + r"-\d{8}T\d{6}Z\.db")
    mine = sorted(path for path in folder.iterdir() if name.fullmatch(path.name))
    for old in mine[:-keep]:
        old.unlink()
        with suppress(FileNotFoundError):
            secret_key.path_beside(old).unlink()
        output.show(f"Deleted {old}, the oldest backup.")
