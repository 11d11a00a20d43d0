"""An organization in a plain form, out of one file and into a new one: its records as lines, files beside them."""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

import apsw

from server_lite.errors import ApiError, StartError
from server_lite.export import format as form
from server_lite.export.exporter import iter_records
from server_lite.export.format import Record
from server_lite.export.importer import import_record
from server_lite.maintenance.files import locked, refuse_existing, require_file
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, checksums, custom_emoji, generation, messages, uploads, users
from server_lite.store.backups import Tell
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.export_import import put_off_references
from server_lite.store.migrations import require_newest

BATCH: Final = 1000
"""Messages in one transaction. All that comes before them is in one: it may name what comes later."""
FILES: Final = 20
"""The same for files, which are larger."""


# Out of a file


def export_file(db: Path, out: Path, *, person: str | None, tell: Tell) -> int:
    """Write the records, and their files beside them, under other names, then give them theirs.

    `person` is the address of the one whose view is exported; None: everything. Returns how many
    records there are; their files are in `files_of(out)`. Raises StartError.
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
            files.rename(folder)  # first: records that are there have their files
        draft.rename(out)
    except apsw.Error as error:
        raise StartError(f"{db} cannot be read: {checksums.words(error)}.") from error
    except OSError as error:
        raise StartError(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        backups.discard(draft)
        shutil.rmtree(files, ignore_errors=True)
    return number


def files_of(out: Path) -> Path:
    """`team.jsonl` -> `team.jsonl.files`, the folder beside it."""
    return out.with_name(f"{out.name}.files")


def _write(db: Db, email: str | None, draft: Path, files: Path, tell: Tell) -> int:
    viewer = None
    if email is not None:
        viewer = users.by_email(db, email)
        if viewer is None:
            raise StartError(f"No account has the email address {email}.")
    of = messages.count(db)
    number = said = 0
    total = form.Sum()
    with _private(draft) as out:
        for record in iter_records(db, viewer):
            line = form.to_line(record)
            out.write(line)
            total.add(record, line)
            number += 1
            if isinstance(record, form.Message):
                said += 1
                tell(said, of)
            else:
                _write_bytes(db, record, files)
        out.write(form.to_line(total.end()))
        out.flush()
        os.fsync(out.fileno())
    return number


def _write_bytes(db: Db, record: Record, files: Path) -> None:
    if isinstance(record, form.File):
        with _private(files / "uploads" / str(record.id)) as out:
            number = 0
            while data := uploads.read_slice(db, record.id, number):
                out.write(data)
                number += 1
    elif isinstance(record, form.Emoji):
        with _private(files / "emoji" / str(record.id)) as out:
            out.write(custom_emoji.image_of(db, record.id) or b"")


def _private(path: Path) -> BinaryIO:
    """A new file that only its owner can read, in folders that only they can open."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


# Into a file


def import_file(db: Path, source: Path, tell: Tell) -> None:
    """Make a new organization of the records, complete or not at all; raises StartError."""
    refuse_existing(db)
    with locked(db):
        draft = db.with_name(f".{db.name}.new-{os.getpid()}")
        discard_abandoned(db)
        try:
            _fill(draft, source, tell)
            faults = backups.faults(draft)
            if faults:
                raise StartError(f"{source} is inconsistent: {'; '.join(faults)}.")
            draft.rename(db)
            backups.sync(db.parent)
        except OSError as error:
            raise StartError(f"{source} cannot be read: {error.strerror}.") from error
        finally:
            backups.discard(draft)


def _fill(draft: Path, source: Path, tell: Tell) -> None:
    database = Database(draft)
    try:
        with source.open("rb") as lines:
            size = os.fstat(lines.fileno()).st_size
            for batch in _batches(_read(lines, source)):
                database.write_now(partial(_store, batch=batch, source=source))
                tell(lines.tell(), size)
        database.write_now(generation.begin_anew)
    except ApiError as error:  # the transaction as a whole: a row that names what never came
        raise StartError(f"{source} is inconsistent: {error.__cause__ or error}.") from error
    finally:
        database.close()


Numbered = tuple[int, Record]


def _read(lines: BinaryIO, source: Path) -> Iterator[Numbered]:
    """The records with the numbers of their lines; the organization first, and all that were written."""
    number = 0
    total = form.Sum()
    while line := lines.readline():
        number += 1
        record = form.from_line(line, f"Line {number} of {source}")
        if (number == 1) != isinstance(record, form.Organization):
            raise StartError(
                f"Line {number} of {source}: the organization must be the first line, once."
            )
        if isinstance(record, form.End):
            if record != total.end():
                raise StartError(f"{source} was changed or damaged since it was written.")
            if lines.readline():
                raise StartError(f"{source} continues after its end, in line {number + 1}.")
            return
        total.add(record, line)
        yield number, record
    if number == 0:
        raise StartError(f"{source} is empty.")
    raise StartError(f"{source} is incomplete: it stops after line {number}, before its end.")


def _batches(records: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    batch: list[Numbered] = []
    weight = 0.0
    for number, record in records:
        batch.append((number, record))
        if isinstance(record, form.File | form.Message):
            weight += 1 / (FILES if isinstance(record, form.File) else BATCH)
        if weight >= 1:
            yield batch
            batch, weight = [], 0.0
    yield batch


def _store(tx: Tx, batch: list[Numbered], source: Path) -> None:
    put_off_references(tx)
    for number, record in batch:
        try:
            import_record(tx, record, files_of(source))
        except (StartError, ApiError, apsw.ConstraintError) as error:
            raise StartError(f"Line {number} of {source}: {error}.") from error
