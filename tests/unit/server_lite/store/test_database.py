"""What a commit promises: all or nothing, told if and only if stored, refused in one sentence."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

import apsw
import pytest

from server_lite.errors import ApiError, StartError, Unavailable
from server_lite.events.base import AnyEvent, ClientCapabilities, Payload
from server_lite.ids import UserId
from server_lite.store import database as database_module
from server_lite.store import (
    disk_errors,
    event_log,
    index_upkeep,
    opening,
    search_index,
    settings,
    step_limit,
    unread_messages,
    write_ahead_log,
)
from server_lite.store.connection import Db
from server_lite.store.database import CHANGES_AT_ONCE, Database, Tx
from server_lite.store.event_log import Entry
from tests.unit.server_lite.probe import ProbeEvent

pytestmark = pytest.mark.usefixtures("created_anew")

ANN, BOB, CYD = UserId(1), UserId(2), UserId(3)


@pytest.fixture
def told() -> list[Entry]:
    return []


@pytest.fixture
def database(tmp_path: Path, told: list[Entry]) -> Database:
    database = Database(tmp_path / "x.db")
    database.on_commit = told.extend
    return database


def test_a_change_and_its_event_are_stored_together(database: Database, told: list[Entry]) -> None:
    """Whoever is told of a change finds it on disk, and the event beside it."""

    def change(tx: Tx) -> None:
        settings.store(tx, "name", "Tea")
        tx.emit(ProbeEvent(words="renamed"), to=[ANN, BOB])

    database.write_now(change)
    assert database.read(lambda db: settings.value(db, "name", None)) == "Tea"
    assert [entry.event for entry in told] == [ProbeEvent(words="renamed")]
    assert database.read(lambda db: db.column("SELECT kind FROM event_log")) == ["said"]


def test_a_refused_change_tells_nobody(database: Database, told: list[Entry]) -> None:
    """A change that fails half-way leaves neither data nor event."""

    def change(tx: Tx) -> None:
        settings.store(tx, "name", "Tea")
        tx.emit(ProbeEvent(words="renamed"), to=[ANN])
        raise ApiError("no")

    with pytest.raises(ApiError, match="no"):
        database.write_now(change)
    assert told == []
    assert database.read(lambda db: settings.value(db, "name", None)) is None
    assert database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0


async def test_changes_that_wait_together_fail_alone(database: Database, told: list[Entry]) -> None:
    """In one group commit a refused change takes no other one with it, and order is kept."""

    async def say(words: str) -> None:
        def change(tx: Tx) -> None:
            tx.emit(ProbeEvent(words=words), to=[ANN])
            if words == "bad":
                raise ApiError("bad")

        await database.write(change)

    words = ["bad", "a", "bad", "b"]
    outcomes = await asyncio.gather(*map(say, words), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ApiError, type(None), ApiError, type(None)]
    await asyncio.sleep(0)
    assert [entry.event for entry in told] == [ProbeEvent(words="a"), ProbeEvent(words="b")]
    assert database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 2


async def test_an_event_that_is_too_large_fails_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is written with those of others: SQLite would refuse them all."""
    monkeypatch.setattr(event_log, "MOST_BYTES", 1_000)

    def said(tx: Tx, words: str) -> None:
        tx.emit(ProbeEvent(words=words), to=[ANN], personal={ANN: words})

    changes = [database.write(partial(said, words=words)) for words in ("a", "b" * 600, "c")]
    outcomes = await asyncio.gather(*changes, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), Unavailable, type(None)]
    assert database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 2


async def test_unread_rows_of_messages_that_come_together_are_copied_at_the_end(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and in no savepoint, for which SQLite would note each page as it was before: in a file, if they are many."""
    ran: list[str] = []

    def trace(_cursor: object, sql: str, _values: object) -> bool:
        ran.append(sql)
        return True

    def sent(tx: Tx, message_id: int) -> None:
        tx.new_messages.append((message_id, 3))

    monkeypatch.setattr(database_module, "CHANGES_AT_ONCE", 2 * unread_messages.BATCH)
    database._writer.exec_trace = trace
    ids = range(1, 2 * unread_messages.BATCH)
    await asyncio.gather(*(database.write(partial(sent, message_id=one)) for one in ids))
    database._writer.exec_trace = None
    copied = [at for at, sql in enumerate(ran) if sql.startswith("INSERT OR IGNORE INTO unread_by")]
    assert len(copied) == 1
    assert copied[0] > max(at for at, sql in enumerate(ran) if sql == "RELEASE change")


@pytest.mark.parametrize(("seconds", "at_once"), [(10.0, CHANGES_AT_ONCE), (-1.0, 1)])
async def test_thousands_of_changes_at_once_leave_turns_to_others(
    database: Database, monkeypatch: pytest.MonkeyPatch, seconds: float, at_once: int
) -> None:
    """When all clients come back, a read waits for fifty of their changes, or for one that takes long; all keep their order."""
    monkeypatch.setattr(database_module, "SECONDS_AT_ONCE", seconds)
    done: list[int] = []
    running = [
        asyncio.create_task(database.write(lambda _, number=number: done.append(number)))  # type: ignore[misc]  # bound
        for number in range(3 * CHANGES_AT_ONCE + 1)
    ]
    seen = []
    while len(done) < len(running):
        await asyncio.sleep(0)
        seen.append(len(done))
    await asyncio.gather(*running)
    assert done == [*range(len(running))]
    steps = {after - before for before, after in pairwise(seen)}
    assert steps <= {0, 1, at_once}


async def test_what_fails_after_a_commit_holds_no_later_change(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug in what follows a change costs an answer at most: others are stored, and nothing is stored twice."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    def change(tx: Tx, number: int) -> None:
        done.append(number)
        tx.end_queues([ANN])

    done = list[int]()
    database.on_queues_end = fail
    async with asyncio.timeout(1):
        await database.write(partial(change, number=0))
        monkeypatch.setattr(database.log, "commit", fail)
        with pytest.raises(RuntimeError):
            await database.write(partial(change, number=1))
        monkeypatch.undo()
        await database.write(partial(change, number=2))
    assert done == [0, 1, 2]
    database.close()


async def test_nobody_waits_for_all_changes_of_one_who_makes_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that sends fifty long messages at once gets one after another, and everybody else one in between."""
    monkeypatch.setattr(database_module, "SECONDS_AT_ONCE", -1.0)
    done = list[str]()

    async def change(asker: str, number: int) -> None:
        await database.write(lambda _: done.append(f"{asker} {number}"), asker=asker)

    asked = [("program", number) for number in range(4)] + [("Ann", 0), ("Bob", 0), ("Ann", 1)]
    await asyncio.gather(*(change(*one) for one in asked))
    assert done == [
        *("program 0", "Ann 0", "Bob 0", "program 1", "Ann 1", "program 2", "program 3")
    ]
    database.close()


def test_event_ids_rise_over_restarts_and_rollbacks(tmp_path: Path) -> None:
    """No id is ever given twice, not even one that was rolled back or never stored."""
    seen: list[int] = []
    for _ in range(3):
        database = Database(tmp_path / "x.db")
        database.on_commit = lambda entries: seen.extend(entry.id for entry in entries)
        database.write_now(lambda tx: tx.emit(ProbeEvent(words="x"), to=[ANN]))
        with pytest.raises(ApiError):
            database.write_now(_emit_and_fail)
        seen.append(database.log.heartbeat_id())
        database.close()
    assert seen == sorted(set(seen))


def _emit_and_fail(tx: Tx) -> None:
    tx.emit(ProbeEvent(words="never"), to=[ANN])
    raise ApiError("no")


def test_a_restart_reads_the_log_back(tmp_path: Path) -> None:
    """What was told before a restart can be told again after it: audience, flags and all."""
    path = tmp_path / "x.db"
    database = Database(path)
    start = database.log.head
    database.write_now(
        lambda tx: tx.emit(
            ProbeEvent(words="hi"),
            to=[ANN, BOB],
            public_listeners=[CYD],
            personal={BOB: ["mentioned"]},
        )
    )
    database.close()
    database = Database(path)
    (entry,) = database.log.page(database.reader, start, lambda *_: True).entries
    assert (entry.event, entry.audience, entry.public_listeners, entry.personal) == (
        ProbeEvent(words="hi"),
        frozenset({1, 2}),
        frozenset({3}),
        {2: ["mentioned"]},
    )


def test_nothing_is_acknowledged_when_the_disk_refuses(database: Database) -> None:
    """A full disk answers 503, never a success; the server goes on when there is room again."""
    pages = database.read(lambda db: db.value("PRAGMA page_count"))
    database.write_now(lambda tx: tx.row(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(Unavailable):
        database.write_now(lambda tx: settings.store(tx, "name", "x" * 100_000))
    database.write_now(lambda tx: tx.row("PRAGMA max_page_count = 1000000"))
    database.write_now(lambda tx: settings.store(tx, "name", "small"))
    assert database.read(lambda db: settings.value(db, "name", None)) == "small"


def test_a_database_that_another_program_locks_is_said_to_be_locked() -> None:
    """I know what to close."""
    assert str(disk_errors.unavailable(apsw.BusyError())).startswith("Another program locks")


def test_a_disk_without_room_for_the_log_is_said_to_be_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite calls it an I/O error; where there is room, it is one."""
    error = apsw.IOError("disk I/O error")
    vars(error)["extendedresult"] = apsw.SQLITE_IOERR_SHMSIZE

    def fails(_path: Path) -> apsw.Connection:
        raise error

    monkeypatch.setattr(opening, "open_writer", fails)
    with pytest.raises(StartError, match="cannot be opened for writing: disk I/O error"):
        opening.open_file(tmp_path / "team.db", keeps_older=True)
    monkeypatch.setattr(opening, "_has_no_room", lambda _path: True)
    with pytest.raises(StartError, match=r"is full, so it cannot be opened\. Free some space"):
        opening.open_file(tmp_path / "other.db", keeps_older=True)


def test_readers_cannot_write(database: Database) -> None:
    """A reading endpoint that tried to write would be stopped by the database itself."""
    with pytest.raises(apsw.ReadOnlyError):
        database.read(lambda db: db.run("DELETE FROM setting"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"not a database, and long enough to have a header" * 30, "is not a database"),
        ("other program", "belongs to another program"),
        ("newer", "was made by a newer version"),
    ],
)
def test_a_file_that_is_not_ours_is_left_alone(
    tmp_path: Path, content: bytes | str, sentence: str
) -> None:
    """Another program's file, or a newer version's, gets one sentence and not one changed byte."""
    path = tmp_path / "x.db"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "newer":
        Database(path).close()
        connection = apsw.Connection(str(path))
        connection.pragma("user_version", 999)
        connection.close()
    else:
        connection = apsw.Connection(str(path))
        connection.execute("CREATE TABLE bills (amount)")
        connection.close()
    before = path.read_bytes()
    with pytest.raises(StartError, match=sentence):
        Database(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is told as such."""
    with pytest.raises(StartError, match="no such folder"):
        Database(tmp_path / "nowhere" / "x.db")


def test_the_file_is_private(database: Database) -> None:
    """Nobody else on the machine can read the organization's messages."""
    assert database.path.stat().st_mode & 0o077 == 0


def test_an_event_that_nobody_may_see_is_not_logged(database: Database, told: list[Entry]) -> None:
    """An empty audience costs nothing."""
    database.write_now(lambda tx: tx.emit(ProbeEvent(words="x"), to=[]))
    assert told == []


def test_events_for_the_same_people_share_their_audience(
    database: Database, told: list[Entry]
) -> None:
    """The newest events are in memory: with an audience of its own each has 250 KB for 5,000 people."""
    for _ in range(2):
        database.write_now(lambda tx: tx.emit(ProbeEvent(words="said"), to=[ANN, BOB]))
    database.write_now(lambda tx: tx.emit(ProbeEvent(words="said"), to=[ANN]))
    first, second, other = (entry.audience for entry in told)
    assert first == {ANN, BOB}
    assert second is first
    assert other == {ANN}


def test_every_kind_of_event_survives_the_log() -> None:
    """An event class that could not be read back would lose events at a restart."""
    event: AnyEvent = ProbeEvent(words="x")
    payload: Payload | list[Payload] | None = ProbeEvent.load(event.dump()).payload(
        ClientCapabilities(), None
    )
    assert payload == {"type": "said", "words": "x"}


async def test_a_merge_of_the_index_holds_nobody_but_changes(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long merge runs beside the loop: who reads is answered, who writes is when it is over."""
    monkeypatch.setattr(index_upkeep, "MERGE_AFTER", 1)
    begun, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def merge(_: Db) -> bool:
        loop.call_soon_threadsafe(begun.set)
        return not go_on.wait(10)

    monkeypatch.setattr(search_index, "merge", merge)

    def before(tx: Tx) -> None:
        settings.store(tx, "name", "before")
        tx.note_index_change()

    await database.write(before)
    await begun.wait()
    change = asyncio.create_task(database.write(lambda tx: settings.store(tx, "name", "after")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert database.read(lambda db: settings.value(db, "name", None)) == "before"
    assert not change.done()
    go_on.set()
    await change
    assert database.read(lambda db: settings.value(db, "name", None)) == "after"


async def test_changes_wait_for_no_thread_that_compresses_answers(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When many clients start, their answers of megabytes keep all threads of the loop busy for seconds."""
    monkeypatch.setattr(write_ahead_log, "PAGES", 1)
    loop, is_over = asyncio.get_running_loop(), threading.Event()
    loop.set_default_executor(ThreadPoolExecutor(1))
    compressing = loop.run_in_executor(None, is_over.wait, 10)
    for number in range(3):  # the log is long after each
        await database.write(lambda tx, number=number: settings.store(tx, "name", number))  # type: ignore[misc]  # bound
    assert not compressing.done()
    is_over.set()
    await compressing
    database.close()


async def test_a_damaged_index_is_logged_and_costs_no_message(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """New messages are stored without it, so nobody would notice before they search."""
    monkeypatch.setattr(index_upkeep, "MERGE_AFTER", 1)

    def merge(_: Db) -> bool:
        raise apsw.CorruptError("database disk image is malformed")

    monkeypatch.setattr(search_index, "merge", merge)
    await database.write(lambda tx: tx.note_index_change())
    while not caplog.messages:  # noqa: ASYNC110  # a thread changes the index
        await asyncio.sleep(0)
    assert caplog.messages == [
        "the search index could not be changed: database disk image is malformed"
    ]
    await database.write(lambda tx: settings.store(tx, "name", "after"))


async def test_a_checkpoint_is_made_in_a_thread_when_callers_are_answered(
    database: Database, told: list[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sends has the answer first, then readers are told, and only then the disk is asked for more."""
    monkeypatch.setattr(write_ahead_log, "PAGES", 1)
    loop, order = asyncio.get_running_loop(), list[str]()
    checkpointed = asyncio.Event()
    checkpoint = database._checkpoint

    def watched() -> None:
        assert threading.get_ident() != ours
        checkpoint()
        loop.call_soon_threadsafe(checkpointed.set)

    ours = threading.get_ident()
    monkeypatch.setattr(database, "_checkpoint", watched)
    database.on_commit = lambda _: order.append("told")

    async def send() -> None:
        await database.write(lambda tx: tx.emit(ProbeEvent(words="hello"), to=[ANN]))
        order.append("answered")

    await send()
    await checkpointed.wait()
    assert order == ["answered", "told"]
    assert database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 1
    database.close()


async def test_a_page_that_cannot_be_read_is_said_to_be_the_disk_s(database: Database) -> None:
    """SQLite ends a transaction at such an error: that there is none to end was all the log said."""

    def fail(db: Db) -> None:
        db.connection.execute("ROLLBACK")
        raise apsw.IOError("disk I/O error")

    for _ in range(2):
        with pytest.raises(apsw.IOError):
            database.read(fail)
        with pytest.raises(apsw.IOError):
            await database.read_long(fail)
    assert database.read(lambda db: db.value("SELECT 1")) == 1
    assert await database.read_long(lambda db: db.value("SELECT 1")) == 1
    database.close()


async def test_a_read_that_takes_many_steps_is_made_in_a_thread(database: Database) -> None:
    """Nobody knows how much there is before it is read: the loop begins, and gives up after so many steps."""
    counting = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " SELECT count(*) FROM n"
    )
    threads: list[int] = []

    def count(db: Db, upto: int) -> int:
        threads.append(threading.get_ident())
        counted: int = db.value(counting, upto)
        return counted

    ours = threading.get_ident()
    assert await database.read_or_delegate(lambda db: count(db, 1_000)) == 1_000
    assert threads == [ours]
    assert await database.read_or_delegate(lambda db: count(db, 20_000)) == 20_000
    assert len(threads) == 3
    assert threads[1] == ours != threads[2]
    assert database.read(lambda db: count(db, 20_000)) == 20_000, "others have no limit"
    database.close()


async def test_thousands_of_reads_that_move_to_a_thread_leave_the_loop_its_connection(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite counts the steps of a statement over all its runs: after hundreds, a COMMIT itself was stopped.

    All reads failed from then on, until the server was restarted.
    """
    monkeypatch.setattr(step_limit, "STEPS", 1_000)
    counting = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT count(*) FROM n"

    async def read(fn: Callable[[Db], object], **_: object) -> object:
        return None

    monkeypatch.setattr(database.long_reads, "read", read)
    for _ in range(600):
        await database.read_or_delegate(lambda db: db.value(counting))
    assert database.read(lambda db: db.value("SELECT 1")) == 1
    database.close()
