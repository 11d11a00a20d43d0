"""Maintenance commands of a large organization while its members write: each does its work, and loses nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Final

import pytest

from server_lite.cli.arguments import run
from server_lite.store.database import Database
from tests.large_organization import SCALE, Large, large
from tests.live import until

pytestmark = pytest.mark.soak


@asynccontextmanager
async def writing(there: Large) -> AsyncIterator[list[int]]:
    """Have Ann write to Ben without a pause; the IDs of what was acknowledged."""
    acknowledged: list[int] = []

    async def write() -> None:
        while True:
            sent = await there.ann.post(
                "messages", type="direct", to=[there.ben.id], content="hello"
            )
            acknowledged.append(sent["id"])

    task = asyncio.create_task(write())
    try:
        yield acknowledged
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _has(db: Path, message_id: int) -> bool:
    with closing(Database(db)) as database:
        return bool(database.reader.value("SELECT 1 FROM message WHERE id = ?", message_id))


def _restored(copy: Path, other: Path, message_id: int) -> bool:
    return run(["restore", str(copy), "--db", str(other)]) == 0 and _has(other, message_id)


def _imported(copy: Path, other: Path, _: int) -> bool:
    return run(["import", str(copy), "--db", str(other)]) == 0


def _lines(copy: Path, _: Path, message_id: int) -> bool:
    return f'"id":{message_id},' in copy.read_text()


def _exists(copy: Path, _: Path, __: int) -> bool:
    return copy.exists()


COMMANDS: Final[dict[str, tuple[list[str], Callable[[Path, Path, int], bool]]]] = {
    "backup": (["backup", "--db", "DB", "COPY"], _restored),
    "doctor": (["doctor", "--db", "DB"], lambda *_: True),
    "export": (["export", "--db", "DB", "--out", "COPY"], _imported),
    "export of a person": (
        ["export", "--db", "DB", "--person", "ann@example.com", "--out", "COPY"],
        _lines,
    ),
    "export for a full server": (
        ["export", "--db", "DB", "--format", "zulip", "--out", "COPY"],
        _exists,
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_works_while_people_write(tmp_path: Path, command: str) -> None:
    """Messages acknowledged before the command began are in its copy, and members go on sending meanwhile."""
    words, holds = COMMANDS[command]
    copy, other = tmp_path / "copy.db", tmp_path / "other.db"
    places = {"DB": str(tmp_path / "server" / "chinwag.db"), "COPY": str(copy)}
    async with large(tmp_path / "server", SCALE) as there, writing(there) as acknowledged:
        await until(lambda: len(acknowledged) > 20)
        before = acknowledged[-1]
        ended = await asyncio.to_thread(run, [places.get(word, word) for word in words])
        assert ended == 0
        assert acknowledged[-1] > before
    assert await asyncio.to_thread(holds, copy, other, before)
