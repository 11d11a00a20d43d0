"""Exports an organization for a full server: a folder, or an archive of it. Complete or not at all."""

import os
import shutil
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import apsw

from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.export.paths import private
from server_lite.export.zulip import layout
from server_lite.export.zulip.channels import add_channels
from server_lite.export.zulip.draft import Draft
from server_lite.export.zulip.groups import add_groups
from server_lite.export.zulip.messages import add_messages
from server_lite.export.zulip.organization import add_organization
from server_lite.export.zulip.people import add_people
from server_lite.export.zulip.tables import Tables, write_json
from server_lite.export.zulip.uploads import add_custom_emoji, add_uploads
from server_lite.maintenance.files import require_file
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, checksums, migrations, user_groups
from server_lite.store.backups import Tell
from server_lite.store.connection import Db

ARCHIVE: Final = ".tar.gz"
COMPRESSION: Final = 4
"""gzip's level: 9 takes six times as long, and saves a tenth."""

_COUNTED: Final = {
    "accounts": ("user", ("zerver_userprofile", "zerver_userprofile_mirrordummy")),
    "channels": ("channel", ("zerver_stream",)),
    "subscriptions": ("subscription", ("zerver_subscription",)),
    "topic policies": ("user_topic", ("zerver_usertopic",)),
    "messages": ("message", ("zerver_message",)),
    "reactions": ("reaction", ("zerver_reaction",)),
    "custom emoji": ("custom_emoji", ("zerver_realmemoji",)),
    "files": ("upload", ("zerver_attachment",)),
    "linkifiers": ("linkifier", ("zerver_realmfilter",)),
    "profile fields": ("profile_field", ("zerver_customprofilefield",)),
    "alert words": ("alert_word", ("zerver_alertword",)),
    "muted people": ("muted_user", ("zerver_muteduser",)),
}
"""Nouns counted on both sides: tables here, tables there."""

_NEVER: Final = {
    "draft": "drafts",
    "api_key": "API keys",
    "invite": "invitations",
    "navigation_view": "navigation views",
    "bot_storage": "what bots remember",
    "call_token": "sign-ins at providers of video calls",
    "outgoing_call": "waiting calls of outgoing webhooks",
    "device": "devices for push notifications",
}
"""Tables without any equivalent in the layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """The contents of an export: (rows here, rows there) by noun, and what is left out."""

    counts: Mapping[str, tuple[int, int]]
    left_out: Mapping[str, int]


def lines_of(written: ExportSummary) -> Iterator[str]:
    """Yield a summary of the export for people, line by line."""
    for noun, (here, there) in written.counts.items():
        yield f"{here:>12,} {noun}" if here == there else f"{there:>12,} {noun} of {here:,}"
    yield "Not included: passwords. People set new ones on the new server."
    for noun, number in written.left_out.items():
        yield f"Not included: {noun} ({number:,})."


def export_for_zulip(db: Path, out: Path, *, version: int, tell: Tell) -> ExportSummary:
    """Write the layout of a major version to a new folder, or to an archive if the name ends so.

    Raises StartError; then there is nothing at the path.
    """
    require_file(db)
    if os.path.lexists(out):
        raise StartError(f"{out} already exists, and was not changed.")
    discard_abandoned(out)
    folder = out.with_name(f".{out.name}.part-{os.getpid()}")
    archive = out.with_name(f".{out.name}.new-{os.getpid()}")
    try:
        with backups.opened(db) as reader:
            migrations.require_newest(reader, db)
            written = _write(reader, folder, version, tell)
        if out.name.endswith(ARCHIVE):
            _pack(folder, archive, out.name.removesuffix(ARCHIVE))
            archive.rename(out)
        else:
            folder.rename(out)
    except apsw.Error as error:
        raise StartError(f"{db} cannot be read: {checksums.error_text(error)}.") from error
    except OSError as error:
        raise StartError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        backups.discard(archive)
        shutil.rmtree(folder, ignore_errors=True)
    return written


def _write(db: Db, folder: Path, version: int, tell: Tell) -> ExportSummary:
    folder.mkdir(mode=0o700)
    realm, files = Tables(folder / "tables"), Tables(folder / "lists")
    draft = Draft(
        db=db,
        version=version,
        folder=folder,
        realm=realm,
        files=files,
        user_groups=frozenset(
            group.id
            for group in user_groups.every(db)
            if layout.has_groups(version) and not group.deactivated
        ),
    )
    try:
        realm.declare(*layout.REQUIRED_TABLES)
        for add in (add_organization, add_people, add_groups, add_channels):
            add(draft)
        for add in (add_custom_emoji, add_uploads):
            add(draft)
        add_messages(draft, tell)
        realm.write(folder / "realm.json", import_source="zulip")
        for name in ("uploads", "avatars", "emoji", "realm_icons"):
            files.write_rows(name, folder / name / "records.json")
        _attachments(files, folder)
        write_json(
            folder / "migration_status.json",
            {"zulip_version": f"{version}.0", "migrations_by_app": {}},
        )
        written = _count(draft)
        with private(folder / "stats.txt") as out:
            out.write("".join(f"{line}\n" for line in (*lines_of(written), *draft.notes)).encode())
        return written
    finally:
        realm.close()
        files.close()


def _attachments(files: Tables, folder: Path) -> None:
    rows = folder / "attachments"
    files.write_rows("zerver_attachment", rows)
    with rows.open("rb") as source, private(folder / "attachment.json") as out:
        out.write(b'{"zerver_attachment":')
        shutil.copyfileobj(source, out)
        out.write(b"}\n")
    rows.unlink()


def _count(draft: Draft) -> ExportSummary:
    here = backups.count(draft.db)
    there = draft.realm.counts + draft.files.counts
    there["zerver_subscription"] -= len(draft.people) - 1 + sum(map(len, draft.groups))
    counts = {
        noun: (here[table], sum(there[name] for name in tables))
        for noun, (table, tables) in _COUNTED.items()
    }
    accounts, written = counts["accounts"]
    counts["accounts"] = accounts - 1, written  # without the server's own bot
    left = Counter(draft.left_out)
    for table, noun in _NEVER.items():
        left[noun] += here[table]
    return ExportSummary(
        counts=counts, left_out={noun: left[noun] for noun in sorted(left) if left[noun]}
    )


def _pack(folder: Path, archive: Path, name: str) -> None:
    """Write one archive with one folder, without the names of the machine's users."""

    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    descriptor = os.open(archive, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with (
        os.fdopen(descriptor, "wb") as file,
        tarfile.open(fileobj=file, mode="w:gz", compresslevel=COMPRESSION) as out,
    ):
        out.add(folder, arcname=name or "export", filter=anonymous)
        file.flush()
    backups.sync(archive)
