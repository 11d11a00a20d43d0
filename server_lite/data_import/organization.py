"""Makes a new organization of a source: complete, or not at all, or nothing where it is there already."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import apsw

from server_lite.data_import.detect import opened
from server_lite.data_import.source import Imported, Placed, Source
from server_lite.errors import ApiError, StartError
from server_lite.export import format as form
from server_lite.export.importer import import_record
from server_lite.maintenance.files import locked, refuse_existing
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.store import backups, generation, settings
from server_lite.store.backups import Tell
from server_lite.store.database import Database, Tx
from server_lite.store.export_import import put_off_references

BATCH: Final = 1000
"""Messages in one transaction. All that comes before them is in one: it may name what comes later."""
FILES: Final = 20
"""The same for files, which are larger."""
_ORIGIN: Final = "imported_from"
"""Name of the setting that holds the digest of what an organization was made of."""


def import_file(db: Path, path: Path, tell: Tell, *, dry_run: bool = False) -> Imported:
    """Make a new organization of a file or folder; raises StartError.

    A dry run makes it too, and throws it away: what it says is what would come.
    """
    if not dry_run and not os.path.lexists(db):
        refuse_existing(db)
    with locked(db):
        discard_abandoned(db)
        with opened(path, work=db.with_name(f".{db.name}.part-{os.getpid()}")) as source:
            if os.path.lexists(db) and not dry_run:
                return _again(db, source)
            return _make(db, source, tell, dry_run=dry_run)


def _again(db: Path, source: Source) -> Imported:
    """Nothing, if the organization that is there was made of the same; raises StartError otherwise."""
    try:
        with backups.opened(db) as reader:
            if settings.value(reader, _ORIGIN, "") == source.digest():
                return Imported(counts={}, left_out={}, was_there=True)
    except apsw.Error:
        pass  # whatever it is, it is not what came of this source
    raise StartError(f"{db} already exists, and was not changed.")


def _make(db: Path, source: Source, tell: Tell, *, dry_run: bool) -> Imported:
    draft = db.with_name(f".{db.name}.new-{os.getpid()}")
    try:
        with _readable(source.path):
            imported = _fill(draft, source, tell)
        faults = backups.faults(draft)
        if faults:
            raise StartError(f"{source.path} is inconsistent: {'; '.join(faults)}.")
        if not dry_run:
            draft.rename(db)
            backups.sync(db.parent)
    finally:
        backups.discard(draft)
    return imported


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}.") from error


def _fill(draft: Path, source: Source, tell: Tell) -> Imported:
    database = Database(draft)
    counts: Counter[str] = Counter()
    try:
        for batch in _batches(source.records(tell)):
            database.write_now(partial(_store, batch=batch, source=source))
            counts.update(record.type for _, record in batch)
        database.write_now(partial(_finish, digest=source.digest()))
    except ApiError as error:  # the transaction as a whole: a row that names what never came
        reason = error.__cause__ or error
        raise StartError(f"{source.path} is inconsistent: {reason}.") from error
    finally:
        database.close()
    return Imported(counts=dict(counts), left_out=dict(sorted(source.left_out.items())))


def _batches(records: Iterator[Placed]) -> Iterator[list[Placed]]:
    batch: list[Placed] = []
    weight = 0.0
    for placed in records:
        batch.append(placed)
        match placed[1]:
            case form.File():
                weight += 1 / FILES
            case form.Message() | form.LateReaction() | form.LatePart():
                weight += 1 / BATCH
        if weight >= 1:
            yield batch
            batch, weight = [], 0.0
    yield batch


def _store(tx: Tx, batch: list[Placed], source: Source) -> None:
    put_off_references(tx)
    for where, record in batch:
        try:
            import_record(tx, record, source.find)
        except (StartError, ApiError, apsw.ConstraintError) as error:
            reason = str(error)
            end = "" if reason.endswith((".", "!")) else "."
            raise StartError(f"{where}: {reason}{end}") from error


def _finish(tx: Tx, digest: str) -> None:
    settings.store(tx, _ORIGIN, digest)
    generation.begin_anew(tx)
