"""Reads in threads: others are served meanwhile, what is read is of one moment, and none takes for ever."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event, get_ident

import pytest

from server_lite.errors import TookTooLong
from server_lite.store.connection import Db
from server_lite.store.database import Database
from server_lite.store.long_reads import THREADS, LongReads

FOR_EVER = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "x.db")
    yield database
    database.close()


async def test_the_loop_goes_on_while_a_long_read_runs(database: Database) -> None:
    """A change is made and told while somebody reads; the reader sees the file as it was."""
    changed = Event()

    def read(db: Db) -> tuple[int, bool]:
        assert changed.wait(5)
        return get_ident(), db.value("SELECT count(*) FROM setting WHERE name = 'x'") == 0

    reading = asyncio.create_task(database.long_reads.read(read))
    await asyncio.sleep(0)
    await database.write(lambda tx: tx.run("INSERT INTO setting VALUES ('x', '1')"))
    changed.set()
    thread, saw_nothing = await reading
    assert thread != get_ident()
    assert saw_nothing


async def test_what_is_noted_at_the_beginning_is_what_is_read(database: Database) -> None:
    """The position that a client gets with its first state is the position of that state."""
    noted: list[int] = []

    def count(db: Db) -> int:
        return int(db.value("SELECT count(*) FROM setting WHERE name LIKE 'x%'"))

    async def change() -> None:
        for number in range(20):
            await database.write(
                lambda tx, number=number: tx.run(
                    "INSERT INTO setting VALUES (?, '1')", f"x{number}"
                )  # type: ignore[misc]  # bound per row
            )

    changing = asyncio.create_task(change())
    for _ in range(5):
        begun = noted.append
        counted = await database.long_reads.read(
            count,
            begun=lambda: begun(count(database.reader)),  # noqa: B023  # called at once
        )
        assert noted[-1] == counted
    await changing


async def test_long_reads_of_one_person_delay_nobody_else(database: Database) -> None:
    """Who searches ten times at once waits for their own searches; the next person's begins at once."""
    begun, goes_on = [Event() for _ in range(5)], Event()

    def read(number: int) -> int:
        begun[number].set()
        assert goes_on.wait(5)
        return number

    def ask(number: int, asker: str) -> "asyncio.Task[int]":
        reading = database.long_reads.read(lambda _: read(number), asker=asker)
        return asyncio.create_task(reading)

    anns = [ask(number, "ann") for number in range(4)]
    await asyncio.sleep(0)
    anns[3].cancel()  # who gives up while waiting takes no turn along
    ben = ask(4, "ben")
    try:
        assert await asyncio.to_thread(begun[4].wait, 5)
        assert not begun[2].is_set()
    finally:
        goes_on.set()
        answers = await asyncio.gather(*anns, ben, return_exceptions=True)
    assert answers[:3] == [0, 1, 2]
    assert answers[4] == 4


async def test_a_read_that_takes_too_long_is_stopped(database: Database) -> None:
    """Nobody's search runs for ever; the thread is free for the next."""
    reads = LongReads(database.path, seconds=0.001)
    for _ in range(THREADS + 1):
        with pytest.raises(TookTooLong):
            await reads.read(lambda db: db.value(FOR_EVER))
    assert await reads.read(lambda db: db.value("SELECT 1")) == 1
    reads.close()


async def test_a_read_for_nobody_is_stopped(database: Database) -> None:
    """Who goes away leaves no thread behind that still searches."""
    reading = [
        asyncio.create_task(database.long_reads.read(lambda db: db.value(FOR_EVER), deadline=False))
        for _ in range(THREADS)
    ]
    for _ in range(3):
        await asyncio.sleep(0)
    for task in reading:
        task.cancel()
    await asyncio.wait(reading)
    assert await database.long_reads.read(lambda db: db.value("SELECT 1")) == 1
