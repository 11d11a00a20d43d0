"""`chinwag-server restore`: an organization from a backup, completely or not at all, losing nothing."""

import argparse

from server_lite.cli import output
from server_lite.cli.backup import described
from server_lite.cli.progress import progress
from server_lite.maintenance.files import resolved
from server_lite.maintenance.restore import restore as put_in_place


def restore(options: argparse.Namespace) -> None:
    """Restore a backup, and print the result and the path of the old file."""
    db = resolved(options.db)
    with progress("Copying") as tell:
        restored = put_in_place(options.backup, db, force=options.force, tell=tell)
    if restored.missing_key is not None:
        output.show(
            f"There is no {restored.missing_key}:"
            " bots keep working, but their keys cannot be shown again."
        )
    output.show(f"{db}: {described(restored.counts, db)}; verified. Clients will reload.")
    if restored.aside is not None:
        output.show(f"The old database is now {restored.aside}.")
