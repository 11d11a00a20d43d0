"""`chinwag-server export` and `import`: an organization in a plain form, out of one file and into a new one."""

import argparse
from pathlib import Path

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.export.files import export_file, files_of, import_file


def export_records(options: argparse.Namespace) -> None:
    """Write an organization, or what one person may read of it, to a new file."""
    out: Path = options.out
    with progress("Writing") as tell:
        number = export_file(options.db, out, person=options.person, tell=tell)
    output.show(f"{out}: {number:,} records, without passwords and keys.")
    if files_of(out).exists():
        output.show(f"{files_of(out)}: their files.")


def import_records(options: argparse.Namespace) -> None:
    """Make a new organization from an export."""
    db: Path = options.db.resolve()
    with progress("Reading") as tell:
        import_file(db, options.file, tell)
    output.show(
        f"{db} is ready. No account has a password yet: `chinwag-server user set-password` sets one."
    )
