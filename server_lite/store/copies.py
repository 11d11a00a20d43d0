"""Copies of an organisation's file: a consistent one of a file in use, and whether one is sound. No words.

A copy is of one moment. Its source may be written to meanwhile, by another process too: a reader's
snapshot holds no writer up, it only keeps the write-ahead log from starting over. A copy is a single
file in SQLite's plain journal mode, so that it can be opened from a medium that cannot be written.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import apsw

from server_lite.store.connection import Db, open_reader
from server_lite.store.migrations import APPLICATION_ID, newest

PAGES: Final = 512
"""Pages in one step of a copy: 2 MiB."""

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file while it is in use."""

EVENT_IDS: Final = 1_000_000_000
MESSAGE_IDS: Final = 1_000_000
"""How far ids jump when an older state comes back: further than any organisation got since it was kept."""

Tell = Callable[[int, int], None]
"""Told how many of how many steps are done."""


def copy(source: Path, target: Path, tell: Tell) -> dict[str, int]:
    """Write the state of this moment to a file that is ours alone; returns the rows of each table.

    `target` is overwritten and on disk afterwards. Raises apsw.Error and OSError.
    """
    os.close(os.open(target, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    with closing(open_reader(source)) as reader:
        reader.execute("BEGIN")
        counts = count(Db(reader))  # the first read: the snapshot is of now
        with closing(apsw.Connection(str(target))) as writer:
            writer.execute(
                "PRAGMA synchronous = OFF"
            )  # it counts when it is whole, and synced then
            with writer.backup("main", reader, "main") as steps:
                while not steps.done:
                    steps.step(PAGES)
                    tell(steps.page_count - steps.remaining, steps.page_count)
            writer.execute("PRAGMA journal_mode = DELETE")
    sync(target)
    return counts


def count(db: Db) -> dict[str, int]:
    """How many rows each table has."""
    names = db.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " ORDER BY name"
    )
    return {name: db.value(f'SELECT count(*) FROM "{name}"') for name in names}


def faults(path: Path, *, counts: Mapping[str, int] | None = None) -> list[str]:
    """What is wrong with a copy, in words; nothing if it is sound, and has as many rows as it should.

    Reads every page. Changes nothing, and leaves nothing beside the file.
    """
    try:
        with closing(_quiet(path)) as connection:
            db = Db(connection)
            return identity(db) or [
                *(f"integrity: {text}" for text in integrity(db)),
                *(f"{table} names what is not there" for table in dangling(db)),
                *_missing(count(db), counts),
            ]
    except apsw.Error as error:
        return [str(error)]


def _quiet(path: Path) -> apsw.Connection:
    """A connection to a file that nobody writes; without locks, so also on media that have none."""
    name = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"file:{name}?immutable=1", flags=flags)


def identity(db: Db) -> list[str]:
    """Why it is no file that this version can serve; nothing if it is one."""
    if db.value("PRAGMA application_id") != APPLICATION_ID:
        return ["it is not an organisation of this program"]
    version = db.value("PRAGMA user_version")
    if version > newest():
        return [f"it was made by a newer version (schema {version}, this one knows {newest()})"]
    return []


def integrity(db: Db) -> list[str]:
    """What SQLite finds wrong with pages and indexes: the first few things, in its words."""
    found = db.column("PRAGMA integrity_check(5)")
    return [] if found == ["ok"] else found


def dangling(db: Db) -> list[str]:
    """Tables with rows that name rows of others which are not there."""
    return db.column('SELECT DISTINCT "table" FROM pragma_foreign_key_check')


def _missing(found: Mapping[str, int], wanted: Mapping[str, int] | None) -> list[str]:
    if wanted is None:
        return []
    return [
        f"{name} has {found.get(name, 0)} rows instead of {wanted.get(name, 0)}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]


def part_with_the_past(path: Path) -> None:
    """Make an older state fit to be served again: clients register anew, no id is given twice.

    What clients know came after this state. Their queues go, and the ids of events and messages go on
    above all that were given out, so that nothing new is taken for something they have seen.
    """
    with closing(apsw.Connection(str(path))) as connection, connection:
        db = Db(connection)
        db.run("DELETE FROM local_echo")
        db.run("DELETE FROM queue")
        db.run("DELETE FROM event_log")
        db.run("DELETE FROM audience")
        db.run("UPDATE event_counter SET ceiling = ceiling + ?", EVENT_IDS)
        sent = db.value("SELECT max(seq) FROM sqlite_sequence WHERE name = 'message'") or 0
        db.run("DELETE FROM sqlite_sequence WHERE name = 'message'")
        db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('message', ?)", sent + MESSAGE_IDS)


def settle(path: Path) -> None:
    """Bring what is in the write-ahead log into the file, as far as that can be read."""
    with suppress(apsw.Error), closing(apsw.Connection(str(path))) as connection:
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
