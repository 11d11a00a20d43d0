"""`chinwag-server serve --check`: what this version would do to a stored organization. Changes nothing."""

import shutil
from pathlib import Path
from typing import Final

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.errors import StartError
from server_lite.maintenance.files import require_file
from server_lite.maintenance.upgrade_check import read_stored
from server_lite.store import upgrades
from server_lite.store.instance_lock import is_alive, server_info
from server_lite.store.migrations import between, newest

NOTHING_TO_DO: Final = 0
UPGRADE: Final = 3
"""Exit codes; 1 is a file that this version would refuse, or a disk without space."""
MEGABYTE: Final = 1_000_000


def check(db: Path) -> int:
    """Print what `serve` would do to the file; returns the exit code. Raises StartError if it would fail."""
    require_file(db, writable=False)
    with progress("Reading") as tell:
        tell(0, 1)
        stored = read_stored(db)
    note = server_info(db)
    if note is not None and is_alive(note.pid):
        output.show(f"Process {note.pid} serves {db} now: stop it first.")
    if stored.version == newest():
        output.show(
            f"{db} has schema {stored.version}, as this version does. Nothing would be changed."
        )
        return NOTHING_TO_DO
    _show_upgrade(db, stored.version, stored.size)
    return UPGRADE


def _show_upgrade(db: Path, version: int, size: int) -> None:
    output.show(f"{db} has schema {version}. This version would upgrade it to schema {newest()}:")
    for name in between(version, newest()):
        output.show(f"  {name}")
    kept = upgrades.kept_path(db)
    if kept.exists():
        output.show(f"The old file is already kept: {kept}.")
        needed = size
    else:
        output.show(f"The current file would be kept: {kept}, {_megabytes(size)}.")
        needed = 2 * size
    free = shutil.disk_usage(kept.parent).free
    says = f"That needs up to {_megabytes(needed)}, and {_megabytes(free)} are free."
    if free < needed:
        raise StartError(f"{says} Free disk space.")
    output.show(says)
    output.show("An earlier version could not serve the file afterwards; it could serve the copy.")


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"
