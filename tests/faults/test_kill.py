"""The server dies in the midst of things: what it said was done is done, and done once."""

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from tests.faults.crashing_server import CrashingServer, furnished
from tests.live import until

SENDERS = 4


@dataclass(slots=True)
class Sender:
    """Somebody who sends one message after the other, each again until it was acknowledged."""

    number: int
    account: tuple[str, str]
    server: CrashingServer
    stopped: asyncio.Event
    acknowledged: dict[str, int] = field(default_factory=dict)
    resent: int = 0
    done: bool = False

    async def run(self) -> None:
        async with httpx.AsyncClient(auth=self.account, trust_env=False, timeout=5) as http:
            count = 0
            while not self.stopped.is_set():
                text = f"message {self.number}-{count}"
                self.acknowledged[text] = await self._send(http, text)
                count += 1
            self.done = True
            await self._send(http, f"the last word of {self.number}")  # wakes who waits for news

    async def _send(self, http: httpx.AsyncClient, text: str) -> int:
        while True:
            await self.server.up.wait()
            try:
                answer = await http.post(
                    f"{self.server.url}/api/v1/messages",
                    data={"type": "stream", "to": "general", "topic": "t", "content": text},
                    headers={"Idempotency-Key": text},
                )
            except httpx.TransportError:
                self.resent += 1
                await asyncio.sleep(0)
                continue
            assert answer.status_code == 200, answer.text
            message_id: int = answer.json()["id"]
            return message_id


@dataclass(slots=True)
class Reader:
    """Somebody who polls one queue all the time, with the last id that was heard."""

    account: tuple[str, str]
    server: CrashingServer
    heard: dict[str, int] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    last_event_id: int = -1

    async def register(self, http: httpx.AsyncClient) -> str:
        answer = await http.post(f"{self.server.url}/api/v1/register", data={})
        state = answer.json()
        self.last_event_id = state["last_event_id"]
        return str(state["queue_id"])

    async def run(self, wanted: asyncio.Event, senders: list[Sender]) -> None:
        async with httpx.AsyncClient(auth=self.account, trust_env=False, timeout=70) as http:
            queue_id = await self.register(http)
            wanted.set()
            while not all(sender.done for sender in senders) or not all(
                text in self.heard for sender in senders for text in sender.acknowledged
            ):
                await self.server.up.wait()
                try:
                    answer = await http.get(
                        f"{self.server.url}/api/v1/events",
                        params={"queue_id": queue_id, "last_event_id": self.last_event_id},
                    )
                except httpx.TransportError:
                    await asyncio.sleep(0)
                    continue
                assert answer.status_code == 200, answer.text
                for event in answer.json()["events"]:
                    self._hear(event)

    def _hear(self, event: dict[str, Any]) -> None:
        assert event["id"] > self.last_event_id, event
        self.last_event_id = event["id"]
        if event["type"] == "message":
            text = event["message"]["content"]
            if text in self.heard:
                self.twice.append(text)
            self.heard[text] = event["message"]["id"]


async def _die_often(folder: Path, kills: int, chance: random.Random) -> None:
    file = folder / "chinwag.db"
    accounts = furnished(file, SENDERS + 1)
    server, stopped = CrashingServer(file), asyncio.Event()
    senders = [Sender(n, accounts[n + 1], server, stopped) for n in range(SENDERS)]
    reader, listening = Reader(accounts[0], server), asyncio.Event()
    await server.start()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(reader.run(listening, senders))
            await listening.wait()
            for sender in senders:
                tasks.create_task(sender.run())
            deaths = 0
            # A death between two requests is noticed by nobody.
            while deaths < kills or (_resent(senders) < kills / 2 and deaths < 10 * kills):
                deaths += 1
                enough = _sent(senders) + 20
                await until(lambda enough=enough: _sent(senders) >= enough, seconds=20)
                await asyncio.sleep(chance.uniform(0, 0.02))
                await server.kill()
                await server.start()
            stopped.set()
    finally:
        await server.stop()
    acknowledged = {text: at for sender in senders for text, at in sender.acknowledged.items()}
    assert len(acknowledged) > kills * 20
    assert _resent(senders) >= kills / 2, "nobody noticed a death"
    _check_stored(file, acknowledged)
    assert reader.twice == []
    assert reader.heard.items() >= acknowledged.items()


def _sent(senders: list[Sender]) -> int:
    return sum(len(sender.acknowledged) for sender in senders)


def _resent(senders: list[Sender]) -> int:
    return sum(sender.resent for sender in senders)


def _check_stored(file: Path, acknowledged: dict[str, int]) -> None:
    """Nothing is lost, nothing is there twice, and the file is sound."""
    connection = apsw.Connection(str(file))
    assert connection.pragma("integrity_check") == "ok"
    stored = list(
        connection.execute("SELECT content, id FROM message WHERE content LIKE 'message %'")
    )
    connection.close()
    assert len(stored) == len(dict(stored)), "a message is there twice"
    assert dict(stored).items() >= acknowledged.items()


async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    """My message was sent, the server's machine died: it is there once, and everybody heard it."""
    await _die_often(tmp_path, 2, random.Random(1))


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_what_was_acknowledged_outlives_many_kills(tmp_path: Path) -> None:
    """The same, all day."""
    await _die_often(tmp_path, 60, random.Random())
