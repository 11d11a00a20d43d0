"""Copies of an organization's file: a consistent one of a file in use, and whether one is sound. No words.

A copy is of one moment. Its source may be written to meanwhile, by another process too: a reader's
snapshot holds no writer up, it only keeps the write-ahead log from starting over. A copy is a single
file in SQLite's plain journal mode, so that it can be opened from a medium that cannot be written.
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
"""What SQLite keeps beside a file while it is in use."""

EVENT_IDS: Final = 1_000_000_000
"""How far event IDs jump when an older state comes back: further than any organization got since."""

Tell = Callable[[int, int], None]
"""Told how many of how many steps are done."""


def copy(source: Path, target: Path, tell: Tell) -> dict[str, int]:
    """Write the state of this moment to a file that is ours alone; returns the rows of each table.

    `target` is overwritten and on disk afterwards. Raises StartError if the source is no organization
    of this program, apsw.Error and OSError.
    """
    os.close(os.open(target, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    with opened(source) as db:
        counts = count(db)
        with closing(checksums.connect(target)) as writer:
            writer.execute(
                "PRAGMA synchronous = OFF"
            )  # it counts when it is whole, and synced then
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
    """A snapshot of an organization's file, which can only be read.

    Whoever made the file: it is checked before anything in it is executed. Raises StartError, apsw.Error.
    """
    with snapshot(path) as reader:
        yield known(reader, path)  # the first read: the snapshot is of now


@contextmanager
def snapshot(path: Path) -> Iterator[apsw.Connection]:
    """The same of any file of SQLite: whose it is has to be asked before anything in it is trusted."""
    with closing(open_reader(path)) as reader:
        reader.execute("BEGIN")
        yield reader


def known(connection: apsw.Connection, path: Path) -> Db:
    """A connection that can only read, to a file that is one of ours; raises StartError if it is not."""
    confine(connection)
    db = Db(connection)
    reasons = identity(db)
    if reasons:
        raise StartError(f"{path} cannot be used: {'; '.join(reasons)}.")
    return db


def count(db: Db) -> dict[str, int]:
    """How many rows each table has."""
    names = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " ORDER BY name"
    )
    return {name: db.value(f"SELECT count(*) FROM {quoted(name)}") for name in names}


def faults(path: Path, *, counts: Mapping[str, int] | None = None) -> list[str]:
    """What is wrong with a copy, in words; nothing if it is sound, and has as many rows as it should.

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
    """Rewrite a copy that could have checksums of pages, and has none."""
    if not checksums.available() or checksums.has_checksums(path):
        return
    draft = path.with_name(f"{path.name}.checked")
    try:
        checksums.give(path, draft)
    finally:
        discard(draft)


def quiet(path: Path) -> apsw.Connection:
    """A connection to a file that nobody writes; without locks, so also on media that have none."""
    name = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = checksums.connect(f"file:{name}?immutable=1", flags)
    prepare(connection)
    return connection


def integrity(db: Db, *, quick: bool = False) -> list[str]:
    """What SQLite finds wrong with pages and, unless `quick`, indexes: the first few things."""
    problems = db.column("PRAGMA quick_check(5)" if quick else "PRAGMA integrity_check(5)")
    return [] if problems == ["ok"] else [checksums.problem_text(text) for text in problems]


def dangling(db: Db) -> list[str]:
    """Tables with rows that name rows of others which are not there."""
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
    """Make an older state fit to be served again: clients register anew, no number is given twice.

    What clients know came after this state. Their queues go, and the numbers of everything go on above
    all that were given out, so that nothing new is taken for something they have seen. `replaced` is
    the file in whose place it comes, if there is one: it knows what was given out.
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
    """The numbers that a file has given out, by table, and of events; nothing if it cannot be read."""
    if path.is_file():
        with suppress(StartError, apsw.Error), opened(path) as db:
            return generation.counters(db), db.value("SELECT ceiling FROM event_counter")
    return {}, 0


def settle(path: Path) -> None:
    """Bring what is in the write-ahead log into the file, as far as that can be read."""
    with suppress(apsw.Error), closing(open_writer(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def discard(path: Path) -> None:
    """Remove a file of ours and what SQLite left beside it."""
    for end in ("", *SIDE_FILES):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def size(db: Db) -> int:
    """Bytes of a file, as SQLite counts its pages."""
    pages: int = db.value("PRAGMA page_count")
    return pages * int(db.value("PRAGMA page_size"))
