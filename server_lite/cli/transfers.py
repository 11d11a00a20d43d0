"""`chinwag-server export` and `import`: an organization out of one file and into a new one."""

import argparse
from pathlib import Path
from typing import Final

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.data_import.organization import import_file
from server_lite.errors import StartError
from server_lite.export.files import export_file, files_of
from server_lite.export.zulip.writer import export_for_zulip, lines_of

NEWEST_RELEASE: Final = 11
"""Of full servers: what an export is written for unless a version is named."""

NOUNS: Final = {
    "domain": "domains",
    "linkifier": "linkifiers",
    "playground": "playgrounds",
    "profile_field": "profile fields",
    "person": "accounts",
    "group": "user groups",
    "folder": "channel folders",
    "channel": "channels",
    "emoji": "custom emoji",
    "scheduled": "scheduled messages",
    "file": "files",
    "message": "messages",
    "reaction": "reactions",
    "part": "votes, ticks and options of polls and to-do lists",
}
"""What types of records are called."""


def export_records(options: argparse.Namespace) -> None:
    """Write an organization, or what one person may read of it, to a new file."""
    if options.format == "zulip":
        _export_for_zulip(options)
        return
    if options.zulip is not None:
        raise StartError("--zulip names a version for `--format zulip`; add that, or leave it out.")
    out: Path = options.out
    with progress("Writing") as tell:
        number = export_file(options.db, out, person=options.person, tell=tell)
    output.show(f"{out}: {number:,} records, without passwords and keys.")
    if files_of(out).exists():
        output.show(f"{files_of(out)}: their files.")


def _export_for_zulip(options: argparse.Namespace) -> None:
    if options.person is not None:
        raise StartError("--person is for JSON lines; a full server imports whole organizations.")
    version = options.zulip or NEWEST_RELEASE
    with progress("Writing") as tell:
        written = export_for_zulip(options.db, options.out, version=version, tell=tell)
    output.show(f"{options.out}: an export for a full Zulip server, version {version}.")
    for line in lines_of(written):
        output.show(line)


def import_records(options: argparse.Namespace) -> None:
    """Make a new organization from an export."""
    db: Path = options.db.resolve()
    with progress("Reading") as tell:
        imported = import_file(db, options.file, tell, dry_run=options.dry_run)
    if imported.was_there:
        output.show(f"{db} was made from {options.file}: nothing to add.")
        return
    for kind, number in imported.counts.items():
        if kind != "organization":
            output.show(f"{number:>12,} {NOUNS.get(kind, kind)}")
    for noun, number in imported.left_out.items():
        output.show(f"Not imported: {noun} ({number:,}).")
    if options.dry_run:
        output.show(f"Dry run: {db} was not created.")
        return
    output.show(
        f"{db} is ready. No account has a password yet: `chinwag-server user set-password` sets one."
    )
