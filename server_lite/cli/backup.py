"""`chinwag-server backup`: a verified copy of an organization, served or not."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.errors import StartError
from server_lite.maintenance.backup import back_up, forget_oldest, refuse_target, stamped
from server_lite.maintenance.files import require_file
from server_lite.store import secret_key


def backup(options: argparse.Namespace) -> None:
    """Make a backup; then delete the oldest ones in the folder if requested."""
    require_file(options.db)
    in_folder = options.to.is_dir()
    if options.keep is not None and not in_folder:
        raise StartError(f"--keep needs a folder of backups, and {options.to} is not a folder.")
    target = options.to / stamped(options.db) if in_folder else options.to
    refuse_target(target, options.db, force=options.force)
    with progress("Copying") as tell:
        counts = back_up(options.db, target, tell)
    output.show(f"{target}: {described(counts, target)}; verified.")
    if secret_key.path_beside(target).exists():
        output.show(
            f"{secret_key.path_beside(target)} encrypts the keys of bots. Anyone with both files can"
            " act as them: keep it apart, but keep it."
        )
    if options.keep is not None:
        for old in forget_oldest(options.to, options.db, options.keep):
            output.show(f"Deleted {old}, the oldest backup.")


def described(counts: Mapping[str, int], path: Path) -> str:
    """Return the contents of a copy, for people."""
    things = (
        ("user", "account", "accounts"),
        ("channel", "channel", "channels"),
        ("message", "message", "messages"),
    )
    numbers = ", ".join(
        f"{(count := counts.get(table, 0)):,} {one if count == 1 else many}"
        for table, one, many in things
    )
    return f"{numbers}, {path.stat().st_size / 1e6:,.1f} MB"
