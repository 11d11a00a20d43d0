"""Damage of a file that is served is found without anybody waiting for it, and said loudly."""

import asyncio
import logging
import os
import threading
from pathlib import Path

import pytest

from server_lite.maintenance.damage import look_for_damage
from server_lite.store.connection import Db
from server_lite.store.database import Database


async def test_damage_is_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A disk that turned bad shows in the log at the start, and not when somebody needs the page."""
    db = tmp_path / "team.db"
    Database(db).close()
    assert await look_for_damage(db) == []
    assert not caplog.records
    data = bytearray(db.read_bytes())
    for page in range(10, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 2000] = os.urandom(2000)
    db.write_bytes(data)
    assert await look_for_damage(db)
    (said,) = caplog.records
    assert said.levelno == logging.CRITICAL
    assert f"{db} is damaged" in said.getMessage()


@pytest.mark.parametrize("before", [True, False], ids=["before it reads", "while it reads"])
async def test_a_server_that_stops_does_not_wait_for_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    """Ctrl+C ends the server at once, however large the file is and whatever the check is at."""
    db = tmp_path / "team.db"
    Database(db).close()
    endless = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    )
    column = Db.column
    begun = asyncio.Event()
    cancelled = threading.Event()
    loop = asyncio.get_running_loop()

    def slowly(self: Db, _: str) -> list[str]:
        loop.call_soon_threadsafe(begun.set)
        if before:
            cancelled.wait()
        return column(self, endless)

    monkeypatch.setattr(Db, "column", slowly)
    check = asyncio.ensure_future(look_for_damage(db))
    await begun.wait()
    check.cancel()
    await asyncio.sleep(0)  # it is cancelled now
    cancelled.set()
    async with asyncio.timeout(5):
        await asyncio.gather(check, return_exceptions=True)
    assert check.cancelled()
