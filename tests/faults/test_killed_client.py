"""The client dies without a word, in a real terminal: what was typed is there, what was sent is once."""

import asyncio
import json
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.team import KETTLE, team
from tests.faults.cutting import Cutter, cuttable
from tests.live import Live, Person, live, until
from tests.real_terminal import CHINWAG, RealTerminal, real_terminal
from tui.accounts import Account, write_zuliprc
from tui.narrow import TopicNarrow

ENTER = b"\r"
ATTACH = b"\x07u"


@dataclass(slots=True)
class Machine:
    """Ann's machine: a folder that outlives each run of her client, and a wire to the server."""

    server: Live
    wire: Cutter
    ann: Person
    tea: TopicNarrow
    home: Path
    shown: bytes = KETTLE.encode()
    """What is on the screen when the conversation is."""

    @asynccontextmanager
    async def client(self) -> AsyncIterator[RealTerminal]:
        """A run of the client, in her topic, writing; it ends by SIGKILL at the end of the block."""
        zuliprc = self.home / "zuliprc"
        command = [CHINWAG, "--zuliprc", str(zuliprc)]
        command += ["--narrow", "channel:design topic:tea"]
        async with real_terminal(
            command, {"CHINWAG_HOME": str(self.home)}, size=(180, 50), warm=True
        ) as seen:
            await seen.until(self.shown)
            seen.send(b"c")
            await seen.until(b" Send ")  # the composer has the focus
            yield seen

    def rows(self, table: str) -> list[str]:
        """What the disk has."""
        (file,) = self.home.glob("state/accounts/*/account.db")
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        column = {"outbox": "message", "edit": "content"}.get(table, table)
        try:
            return [row[0] for row in connection.execute(f"SELECT {column} FROM {table}")]
        finally:
            connection.close()

    def kept(self) -> list[str]:
        """The drafts on the disk."""
        return [json.loads(text)["content"] for text in self.rows("draft")]

    def outgoing(self) -> set[str]:
        """What is on its way, by the disk."""
        return {json.loads(text)["content"] for text in self.rows("outbox")}

    async def said(self) -> list[str]:
        """What the topic has, after what was there."""
        page = await self.ann.get(
            "messages",
            narrow=[{"operator": "topic", "operand": "tea"}],
            anchor="newest",
            num_before=5000,
            num_after=0,
            apply_markdown=False,
        )
        return [message["content"] for message in page["messages"]][1:]

    async def has(self, count: int) -> bool:
        """Whether so many lines left the composer for good."""
        return len(self.outgoing() | set(await self.said())) >= count

    async def says(self, *texts: str) -> None:
        """Wait until the server has exactly that."""

        async def there() -> bool:
            return await self.said() == list(texts)

        await until(there)
        await until(lambda: not self.rows("outbox"))


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    (tmp_path / "server").mkdir()
    home = tmp_path / "home"
    home.mkdir()
    async with live(tmp_path / "server") as server, cuttable(server.url) as wire:
        ann, _, tea = await team(server)
        account = Account(site=wire.url, email=ann.email, key=ann.key)
        write_zuliprc(home / "zuliprc", account)
        yield Machine(server, wire, ann, tea, home)


async def test_killed_while_writing(machine: Machine) -> None:
    """What I had typed at the last pause is in the composer when I am back."""
    async with machine.client() as seen:
        seen.send(b"half a thought")
        await until(lambda: machine.kept() == ["half a thought"])
        seen.send(b" and")
    async with machine.client() as seen:
        await seen.until(b"half a thought")
        seen.send(b" whole" + ENTER)
        await machine.says("half a thought whole")
        await until(lambda: machine.kept() == [])


@pytest.mark.parametrize("side", ["request", "answer"])
async def test_killed_while_sending(machine: Machine, side: str) -> None:
    """Whether the server had it already or not: it is there once, and no draft is left of it."""
    gate = machine.wire.stop(
        b"POST /api/v1/messages ", "request" if side == "request" else "answer"
    )
    async with machine.client() as seen:
        seen.send(b"on its way" + ENTER)
        await gate.reached.wait()
        if side == "request":  # else the stream of events may have told that it arrived
            assert len(machine.rows("outbox")) == 1
        assert machine.kept() == []
    machine.wire.gates.clear()
    gate.opened.set()
    async with machine.client():
        await machine.says("on its way")


async def test_killed_while_uploading(machine: Machine) -> None:
    """The file goes up again by itself, lies there once, and the link is in what I write."""
    plan = machine.home / "plan.txt"
    plan.write_text("two cups")
    gate = machine.wire.stop(b"POST /api/v1/user_uploads ", "answer")
    async with machine.client() as seen:
        seen.send(ATTACH)
        await seen.until(b"Attach a file")
        await seen.settle()
        seen.send(b"\x15")
        seen.send(str(plan).encode() + ENTER)
        await gate.reached.wait()
    machine.wire.gates.clear()
    async with machine.client() as seen:
        await until(lambda: not machine.rows("upload"))
        (link,) = machine.kept()
        assert link.startswith("[plan.txt](/user_uploads/")
    mine = (await machine.ann.get("attachments"))["attachments"]
    assert [each["name"] for each in mine] == ["plan.txt"]
    assert mine[0]["path_id"] in link


async def _die_often(machine: Machine, kills: int, chance: random.Random) -> None:
    """Each run writes some lines and sends them, and dies at any moment of that."""
    promised: set[str] = set()
    for number in range(kills):
        async with machine.client() as seen:
            before = len(promised)
            for at in range(chance.randrange(1, 7)):
                # Lines in one burst would be a paste, and one message.
                await until(partial(machine.has, before + at))
                line = f"run {number} {at}"
                seen.send(line.encode())
                await seen.shows(line)
                seen.send(ENTER)
            await asyncio.sleep(chance.uniform(0, 0.1))
        machine.shown = b"run "
        promised |= machine.outgoing() | set(await machine.said())
    async with machine.client():
        await until(lambda: not machine.rows("outbox"))
    said = await machine.said()
    assert len(said) == len(set(said)), "something was sent twice"
    assert set(said) == promised


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_killed_many_times(machine: Machine) -> None:
    """Whenever it dies, nothing is there twice, and what left the composer arrives."""
    await _die_often(machine, 40, random.Random())
