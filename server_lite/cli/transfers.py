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
from server_lite.maintenance.files import resolved

NEWEST_RELEASE: Final = 11
"""Default version of full servers that an export is written for."""

NOUNS: Final = {
    "domain": ("domain", "domains"),
    "linkifier": ("linkifier", "linkifiers"),
    "playground": ("playground", "playgrounds"),
    "profile_field": ("profile field", "profile fields"),
    "person": ("account", "accounts"),
    "group": ("user group", "user groups"),
    "folder": ("channel folder", "channel folders"),
    "channel": ("channel", "channels"),
    "emoji": ("custom emoji", "custom emoji"),
    "scheduled": ("scheduled message", "scheduled messages"),
    "file": ("file", "files"),
    "message": ("message", "messages"),
    "reaction": ("reaction", "reactions"),
    "part": (
        "vote, tick or option of polls and to-do lists",
        "votes, ticks and options of polls and to-do lists",
    ),
}
"""Singular and plural of the records of a type."""


def export_records(options: argparse.Namespace) -> None:
    """Write an organization, or what one user may read of it, to a new file."""
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
    """Create an organization from an export, or add what is new in a later one."""
    db = resolved(options.db)
    with progress("Reading") as tell:
        imported = import_file(db, options.file, tell, dry_run=options.dry_run)
    if imported.was_there:
        output.show(f"{db} was made from {options.file}: nothing to add.")
        return
    for kind, number in imported.counts.items():
        if kind != "organization":
            output.show(f"{number:>12,} {NOUNS[kind][number != 1]}")
    for noun, number in imported.left_out.items():
        output.show(f"Not imported: {noun} ({number:,}).")
    if options.dry_run:
        what = "changed" if imported.is_later else "created"
        output.show(f"Dry run: {db} was not {what}.")
        return
    if imported.is_later:
        output.show(f"Added to {db}. The file from before the import is {imported.aside}.")
        return
    output.show(
        f"{db} is ready. No account has a password yet: `chinwag-server user set-password` sets one."
    )
