"""The write-ahead log does not stay as long as a reader once made it, and no change waits until it is cut."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from server_lite.store import write_ahead_log
from server_lite.store.connection import open_reader
from server_lite.store.database import Database, Tx

pytestmark = pytest.mark.usefixtures("created_anew")

LONG = 2**17


def fill(tx: Tx) -> None:
    """Write some pages."""
    tx.run("CREATE TABLE IF NOT EXISTS filling (bytes)")
    tx.run("INSERT INTO filling VALUES (randomblob(?))", LONG)


def little(tx: Tx) -> None:
    """Write a page."""
    tx.run("UPDATE event_counter SET ceiling = ceiling + 1")


async def settled(database: Database) -> None:
    """Wait for the thread that tidies. As long as there is a reader, the log stays long."""
    for _ in range(3):
        await asyncio.sleep(0)
        while database._is_tidying:  # noqa: ASYNC110  # a thread tidies
            await asyncio.sleep(0)


async def test_a_log_that_grew_during_a_backup_is_cut_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the next change it would take 40 ms for 250 MB, and hold up all answers."""
    monkeypatch.setattr(write_ahead_log, "PAGES", 1)
    monkeypatch.setattr(write_ahead_log, "LONGEST_FILE", LONG)
    database = Database(tmp_path / "x.db")
    file = tmp_path / "x.db-wal"
    cut, ours = write_ahead_log.WriteAheadLog._cut, threading.get_ident()
    threads: list[int] = []

    def watched(self: write_ahead_log.WriteAheadLog) -> None:
        threads.append(threading.get_ident())
        cut(self)

    monkeypatch.setattr(write_ahead_log.WriteAheadLog, "_cut", watched)
    await settled(database)
    backup = open_reader(database.path)
    backup.execute("BEGIN")
    backup.execute("SELECT count(*) FROM user").fetchall()
    for _ in range(3):
        await database.write(fill)
    await settled(database)
    assert file.stat().st_size > 3 * LONG
    backup.close()
    limit = await database.write(lambda tx: tx.value("PRAGMA journal_size_limit"))
    assert limit == -1, "beyond a limit, SQLite cuts it in a change"
    await database.write(fill)
    await settled(database)
    assert file.stat().st_size == 0
    assert set(threads) == {threads[0]} != {ours}
    await database.write(fill)
    await settled(database)
    assert database.read(lambda db: db.value("SELECT count(*) FROM filling")) == 5
    database.close()


async def test_a_log_that_somebody_reads_is_cut_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing waits for a reader: it may take an hour."""
    monkeypatch.setattr(write_ahead_log, "PAGES", 1)
    monkeypatch.setattr(write_ahead_log, "LONGEST_FILE", 0)
    database = Database(tmp_path / "x.db")
    file = tmp_path / "x.db-wal"
    await database.write(fill)
    reader = open_reader(database.path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM user").fetchall()
    await database.write(fill)
    await settled(database)
    assert file.stat().st_size > 0
    reader.close()
    await database.write(fill)
    await settled(database)
    assert file.stat().st_size == 0
    database.close()


async def test_a_log_that_cannot_be_copied_yet_keeps_no_thread_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During a backup, or on a full disk, the thread tried without end: changes waited for it, and a core was busy."""
    database = Database(tmp_path / "x.db")
    monkeypatch.setattr(write_ahead_log, "PAGES", 20)
    now, attempts = 0.0, list[int]()
    log = database._write_ahead_log
    log._monotonic = lambda: now
    checkpoint = log.checkpoint

    def counted() -> None:
        attempts.append(log._pages)
        checkpoint()

    monkeypatch.setattr(log, "checkpoint", counted)
    backup = open_reader(database.path)
    backup.execute("BEGIN")
    backup.execute("SELECT count(*) FROM user").fetchall()

    async def attempts_after(*changes: Callable[[Tx], None]) -> int:
        attempts.clear()
        for change in changes:
            await database.write(change)
            await settled(database)
        return len(attempts)

    assert await attempts_after(fill, fill) == 2, "each is long enough for another one"
    assert await attempts_after(little, little) == 0
    now += write_ahead_log.PAUSE
    assert await attempts_after(little, little) == 1
    backup.close()
    now += write_ahead_log.PAUSE
    assert await attempts_after(little, little) == 1, "all is copied, and the log begins anew"
    assert await attempts_after(fill) == 1
    database.close()
