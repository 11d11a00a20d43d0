"""Creates an organization from a source, or adds what is new to an imported one. Complete or not at all."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

import apsw

from server_lite.data_import.detect import opened
from server_lite.data_import.merge import Change, Members, Merge
from server_lite.data_import.source import Imported, Named, Placed, Source
from server_lite.errors import ApiError, StartError
from server_lite.export import format as form
from server_lite.export.importer import add_members, import_record
from server_lite.maintenance.files import locked, refuse_existing
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.maintenance.restore import set_aside
from server_lite.store import (
    backups,
    channels,
    checksums,
    generation,
    imported,
    search_index,
    subscriptions,
)
from server_lite.store.backups import Tell
from server_lite.store.database import Database, Tx
from server_lite.store.export_import import put_off_references

BATCH: Final = 1000
"""Messages in one transaction. Everything before is a single one, as records refer to later ones."""
FILES: Final = 20
"""Files in one transaction, fewer because they are larger."""
_RECORDS: Final = {"uploads": "file", "emoji": "emoji", "avatars": "person"}
"""Kinds of files, and the types of records that have them."""


def import_file(db: Path, path: Path, tell: Tell, *, dry_run: bool = False) -> Imported:
    """Import a new organization from a file or folder, or add what is new in it; raises StartError.

    A dry run imports too, and discards the result, so that its report is accurate.
    """
    is_new = not os.path.lexists(db)
    if not db.is_file() and not (is_new and dry_run):
        refuse_existing(db)
    with locked(db):
        discard_abandoned(db)
        with opened(path, work=db.with_name(f".{db.name}.part-{os.getpid()}")) as source:
            if os.path.lexists(db):
                return _again(db, source, tell, dry_run=dry_run)
            return _make(db, source, tell, dry_run=dry_run)


def _again(db: Path, source: Source, tell: Tell, *, dry_run: bool) -> Imported:
    """Add what is new, if the organization was imported from the same one; raises StartError otherwise."""
    try:
        with backups.opened(db) as reader:
            before = imported.state(reader)
    except apsw.Error:  # not a file created from this source
        before = imported.ImportState(spans=[])
    if before.digest and before.digest == source.digest():
        return Imported(counts={}, left_out={}, was_there=True)
    if not before.origin and dry_run:
        return _make(db, source, tell, dry_run=True)
    if not before.origin:
        raise StartError(f"{db} already exists, and was not changed.")
    return _make(db, source, tell, dry_run=dry_run, origin=before.origin)


def _make(
    db: Path, source: Source, tell: Tell, *, dry_run: bool, origin: str | None = None
) -> Imported:
    """Import into a draft and move it into place. `origin` is that of the existing organization."""
    draft = db.with_name(f".{db.name}.new-{os.getpid()}")
    aside = None
    try:
        with _readable(source.path):
            if origin is not None:
                backups.copy(db, draft, _silent)
                Database(draft, keeps_older=False).close()  # migrates an older one
            result = _fill(draft, source, tell, origin)
        if origin is not None:
            backups.part_with_the_past(draft, replaced=db)
            Database(draft).close()  # raises the ceiling of event IDs
        faults = backups.faults(draft)
        if faults:
            raise StartError(f"{source.path} is inconsistent: {'; '.join(faults)}.")
        if origin is not None and not result.counts:
            return replace(result, was_there=True)
        if not dry_run:
            aside = set_aside(db)
            backups.sync(draft)
            draft.replace(db)
            backups.sync(db.parent)
    except apsw.Error as error:
        raise StartError(
            f"{db} cannot be {'made' if origin is None else 'changed'}: {checksums.error_text(error)}."
        ) from error
    finally:
        backups.discard(draft)
    return replace(result, is_later=origin is not None, aside=aside)


def _silent(_done: int, _of: int) -> None:
    """Report no progress: copying is a small part of the work."""


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}.") from error


def _fill(draft: Path, source: Source, tell: Tell, origin: str | None) -> Imported:
    database = Database(draft)
    counts: Counter[str] = Counter()
    newest = _Newest(imported.state(database.reader))
    merge = None
    try:
        database.write_now(search_index.require)  # of the messages that are there
        for batch in _batches(source.records(tell)):
            if origin is not None and source.origin() != origin:
                raise StartError(
                    f"{source.path} is an export of another organization: nothing was changed."
                )
            if origin is not None and merge is None:
                merge = Merge(database.reader, source, source.left_out)
            changes = list(batch if merge is None else merge.batch(batch))
            database.write_now(partial(_store, batch=changes, source=source, merge=merge))
            newest.look_at(batch)
            counts.update(each.type for _, each in changes if not isinstance(each, Members))
        spans = [(0, 0)] if merge is None else merge.spans
        state = newest.state(source, spans if source.numbers_stay else [])
        database.write_now(partial(_finish, state=state))
    except ApiError as error:  # from the end of the transaction: a row refers to a missing one
        reason = error.__cause__ or error
        raise StartError(f"{source.path} is inconsistent: {reason}.") from error
    finally:
        database.close()
    return Imported(counts=dict(counts), left_out=dict(sorted(source.left_out.items())))


class _Newest:
    """How far the imports of an organization went."""

    def __init__(self, before: imported.ImportState) -> None:
        self._number = before.last_number
        self._until = before.until

    def look_at(self, batch: list[Placed]) -> None:
        for _, record in batch:
            if isinstance(record, form.Message):
                self._number = max(self._number, record.id)
                self._until = max(self._until, record.time)

    def state(self, source: Source, spans: list[tuple[int, int]]) -> imported.ImportState:
        return imported.ImportState(
            digest=source.digest(),
            origin=source.origin(),
            last_number=self._number,
            until=self._until,
            spans=spans,
        )


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


def _store(tx: Tx, batch: list[tuple[str, Change]], source: Source, merge: Merge | None) -> None:
    def find(kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        return source.find(kind, number if merge is None else merge.there(_RECORDS[kind], number))

    put_off_references(tx)
    for where, change in batch:
        try:
            if isinstance(change, Members):
                assert merge is not None
                _change_members(tx, change, merge)
                continue
            import_record(tx, change, find)
            if merge is None and isinstance(change, Named):
                imported.add(tx, change.type, source.key(change), change.id)
        except (StartError, ApiError, apsw.ConstraintError) as error:
            reason = str(error)
            end = "" if reason.endswith((".", "!")) else "."
            raise StartError(f"{where}: {reason}{end}") from error
    for row in () if merge is None else merge.learned():
        imported.add(tx, *row)


def _change_members(tx: Tx, change: Members, merge: Merge) -> None:
    add_members(tx, change.channel, change.come)
    if change.stay is not None:
        gone = [
            (user_id, change.channel)
            for user_id in subscriptions.subscriber_ids(tx, change.channel)
            if user_id not in change.stay and merge.is_of_export(user_id)
        ]
        subscriptions.end(tx, gone, newest=channels.newest_message_id(tx))


def _finish(tx: Tx, state: imported.ImportState) -> None:
    imported.set_state(tx, state)
    generation.begin_anew(tx)
