"""Copies of an organization's database: snapshots of a file in use, and checks of copies. No user texts.

A copy is a snapshot. Its source may be written meanwhile, by another process too: a reader's
snapshot blocks no writer, it only keeps the write-ahead log from restarting. A copy is a single
file in SQLite's plain journal mode, so that it can be opened from a read-only medium.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from server_lite.errors import StartError
from server_lite.store import checksums, generation
from server_lite.store.connection import Db, open_reader, open_writer, prepare
from server_lite.store.identity import confine, identity, quoted

PAGES: Final = 512
"""Pages in one step of a copy: 2 MiB."""

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of files that SQLite keeps beside a database in use."""

EVENT_IDS: Final = 1_000_000_000
"""Jump of event IDs after a restore: larger than any organization can have used since the backup."""

Tell = Callable[[int, int], None]
"""Called with (steps done, steps in total)."""


def copy(source: Path, target: Path, tell: Tell) -> dict[str, int]:
    """Write a snapshot to a file readable only by its owner; returns the row count of each table.

    `target` is overwritten and synced to disk. Raises StartError if the source is not a database
    of this program, apsw.Error and OSError.
    """
    os.close(os.open(target, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    with opened(source) as db:
        counts = count(db)
        with closing(checksums.connect(target)) as writer:
            # The copy counts once complete, and is synced then.
            writer.execute("PRAGMA synchronous = OFF")
            if checksums.has_checksums(source):
                checksums.begin_copy(writer, db.value("PRAGMA page_size"))
            with writer.backup("main", db.connection, "main") as steps:
                while not steps.done:
                    steps.step(PAGES)
                    tell(steps.page_count - steps.remaining, steps.page_count)
            writer.execute("PRAGMA journal_mode = DELETE")
    add_checksums(target)
    sync(target)
    return counts


@contextmanager
def opened(path: Path) -> Iterator[Db]:
    """Open a read-only snapshot of an organization's database.

    The file is untrusted: it is checked before anything in it is executed. Raises StartError, apsw.Error.
    """
    with snapshot(path) as reader:
        yield known(reader, path)  # the first read fixes the snapshot


@contextmanager
def snapshot(path: Path) -> Iterator[apsw.Connection]:
    """Open a read-only snapshot of any SQLite file: check its identity before trusting anything in it."""
    with closing(open_reader(path)) as reader:
        reader.execute("BEGIN")
        yield reader


def known(connection: apsw.Connection, path: Path) -> Db:
    """Confine a connection to reading and check that the file is ours; raises StartError if it is not."""
    confine(connection)
    db = Db(connection)
    reasons = identity(db)
    if reasons:
        raise StartError(f"{path} cannot be used: {'; '.join(reasons)}.")
    return db


def count(db: Db) -> dict[str, int]:
    """Return the row count of each table."""
    names = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " ORDER BY name"
    )
    return {name: db.value(f"SELECT count(*) FROM {quoted(name)}") for name in names}


def faults(path: Path, *, counts: Mapping[str, int] | None = None) -> list[str]:
    """Return the problems of a copy, in words; empty if it is sound and has the expected row counts.

    Reads every page. Changes nothing, and leaves nothing beside the file.
    """
    try:
        with closing(quiet(path)) as connection:
            confine(connection)
            db = Db(connection)
            return identity(db) or [
                *(f"integrity: {text}" for text in integrity(db)),
                *(f"broken references in {table}" for table in dangling(db)),
                *_missing(count(db), counts),
            ]
    except apsw.Error as error:
        return [checksums.error_text(error)]


def add_checksums(path: Path) -> None:
    """Rewrite a copy with checksums if it has none and this SQLite supports them."""
    if not checksums.available() or checksums.has_checksums(path):
        return
    draft = path.with_name(f"{path.name}.checked")
    try:
        checksums.give(path, draft)
    finally:
        discard(draft)


def quiet(path: Path) -> apsw.Connection:
    """Open a file that nobody writes, without locks, so that read-only media work."""
    name = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = checksums.connect(f"file:{name}?immutable=1", flags)
    prepare(connection)
    return connection


def integrity(db: Db, *, quick: bool = False) -> list[str]:
    """Return SQLite's first complaints about pages and, unless `quick`, indexes."""
    problems = db.column("PRAGMA quick_check(5)" if quick else "PRAGMA integrity_check(5)")
    return [] if problems == ["ok"] else [checksums.problem_text(text) for text in problems]


def dangling(db: Db) -> list[str]:
    """Return tables with rows that refer to missing rows."""
    return db.column('SELECT DISTINCT "table" FROM pragma_foreign_key_check')


def _missing(counts: Mapping[str, int], expected: Mapping[str, int] | None) -> list[str]:
    if expected is None:
        return []
    return [
        f"{name} has {counts.get(name, 0)} rows instead of {expected.get(name, 0)}"
        for name in sorted({*counts, *expected})
        if counts.get(name) != expected.get(name)
    ]


def part_with_the_past(path: Path, *, replaced: Path) -> None:
    """Prepare a restored database for serving: clients register again, no ID is used twice.

    Clients know a later state than this one. Their queues are deleted, and all counters continue above
    what was used, so that no new row is mistaken for one they have seen. `replaced` is
    the file that is replaced, if there is one: it knows which IDs were used.
    """
    above, ceiling = _given_out(replaced)
    with closing(open_writer(path)) as connection, connection:
        db = Db(connection)
        db.run("DELETE FROM local_echo")
        db.run("DELETE FROM queue")
        db.run("DELETE FROM event_log")
        db.run("DELETE FROM audience")
        db.run("UPDATE event_counter SET ceiling = max(ceiling, ?) + ?", ceiling, EVENT_IDS)
        generation.begin_anew(db, above=above)


def _given_out(path: Path) -> tuple[dict[str, int], int]:
    """Return a file's highest used IDs by table, and event ID; nothing if it cannot be read."""
    if path.is_file():
        with suppress(StartError, apsw.Error), opened(path) as db:
            return generation.counters(db), db.value("SELECT ceiling FROM event_counter")
    return {}, 0


def settle(path: Path) -> None:
    """Checkpoint the write-ahead log into the file, as far as it is readable."""
    with suppress(apsw.Error), closing(open_writer(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def discard(path: Path) -> None:
    """Delete a database and the files that SQLite left beside it."""
    for end in ("", *SIDE_FILES):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()


def sync(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def size(db: Db) -> int:
    """Return the size of a database in bytes, by its page count."""
    pages: int = db.value("PRAGMA page_count")
    return pages * int(db.value("PRAGMA page_size"))
