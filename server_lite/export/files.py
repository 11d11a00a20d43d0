"""Exports an organization in the plain form: its records as lines, files beside them."""

import os
import shutil
from pathlib import Path

import apsw

from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.exporter import iter_records
from server_lite.export.format import Record
from server_lite.export.paths import private
from server_lite.ids import UserId
from server_lite.maintenance.files import require_file
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import (
    avatars,
    backups,
    checksums,
    custom_emoji,
    messages,
    uploads,
    users,
)
from server_lite.store.backups import Tell
from server_lite.store.connection import Db
from server_lite.store.migrations import require_newest


def export_file(db: Path, out: Path, *, person: str | None, tell: Tell) -> int:
    """Write the records, and their files beside them, to temporary names, then rename both.

    `person` is the email address of the user whose view is exported; None: everything. Returns the number of
    records; their files are in `files_of(out)`. Raises StartError.
    """
    require_file(db)
    folder = files_of(out)
    for place in (out, folder):
        if os.path.lexists(place):
            raise StartError(f"{place} already exists, and was not changed.")
    discard_abandoned(out)
    discard_abandoned(folder)
    draft, files = (place.with_name(f".{place.name}.part-{os.getpid()}") for place in (out, folder))
    try:
        with backups.opened(db) as reader:
            require_newest(reader, db)
            number = _write(reader, person, draft, files, tell)
        if files.exists():
            files.rename(folder)  # first, so that records never lack their files
        draft.rename(out)
    except apsw.Error as error:
        raise StartError(f"{db} cannot be read: {checksums.error_text(error)}.") from error
    except OSError as error:
        raise StartError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        backups.discard(draft)
        shutil.rmtree(files, ignore_errors=True)
    return number


def files_of(out: Path) -> Path:
    """Return the folder beside the file: `team.jsonl` -> `team.jsonl.files`."""
    return out.with_name(f"{out.name}.files")


def _write(db: Db, email: str | None, draft: Path, files: Path, tell: Tell) -> int:
    viewer = None
    if email is not None:
        viewer = users.by_email(db, email)
        if viewer is None:
            raise StartError(f"No account has the email address {email}.")
    of = messages.count(db)
    number = percent = 0
    total = form.Sum()
    with private(draft) as out:
        for record in iter_records(db, viewer):
            line = form.to_line(record)
            out.write(line)
            total.add(record, line)
            number += 1
            if isinstance(record, form.Message):
                percent += 1
                tell(percent, of)
            else:
                _write_bytes(db, record, files)
        out.write(form.to_line(total.end()))
        out.flush()
        os.fsync(out.fileno())
    return number


def _write_bytes(db: Db, record: Record, files: Path) -> None:
    if isinstance(record, form.File):
        with private(files / "uploads" / str(record.id)) as out:
            number = 0
            while data := uploads.read_slice(db, record.id, number):
                out.write(data)
                number += 1
    elif isinstance(record, form.Emoji):
        with private(files / "emoji" / str(record.id)) as out:
            out.write(custom_emoji.image_of(db, record.id) or b"")
    elif isinstance(record, form.Person) and record.has_picture:
        user = users.by_id(db, UserId(record.id))
        picture = None if user is None else avatars.by_path(db, user.avatar or "")
        with private(files / "avatars" / str(record.id)) as out:
            if picture is not None:
                for number in avatars.slices_of(picture):
                    out.write(avatars.read_slice(db, picture.id, number))
