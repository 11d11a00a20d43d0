"""A real server under load: clients poll, stream, stall and ask again at random, and each gets the log."""

import asyncio
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from server_lite.config import Timing
from tests.api.test_messages import say, two
from tests.live import UNLIMITED, Person, live

HASTY = Timing(between_deliveries=0.03, heartbeat=0.02, stream=0.2, second_line=0.01, upkeep=0.05)
"""Heartbeats and new requests come at any moment between two commits."""


class Client:
    """Asks for the events of a queue in one way after another."""

    def __init__(self, person: Person, queue: dict[str, Any], chance: random.Random) -> None:
        self.person, self.queue, self.chance = person, queue, chance
        self.heard: list[dict[str, Any]] = []
        self.last: int = queue["last_event_id"]

    def _hear(self, events: list[dict[str, Any]]) -> None:
        if events:
            self.heard += events
            self.last = events[-1]["id"]

    async def poll(self, *, block: bool) -> None:
        answer = await self.person.get(
            "events",
            queue_id=self.queue["queue_id"],
            last_event_id=self.last,
            dont_block=not block,
        )
        self._hear(answer["events"])

    async def rest(self) -> None:
        """Read to the end of the log."""
        number = -1
        while number < len(self.heard):
            number = len(self.heard)
            await self.poll(block=False)

    async def stream(self) -> None:
        asked = {
            "queue_id": self.queue["queue_id"],
            "last_event_id": str(self.last),
            "event_stream": "true",
        }
        async with self.person.http.stream("GET", "events", params=asked) as answer:
            async for line in answer.aiter_lines():
                self._hear(orjson.loads(line)["events"])
                if self.chance.random() < 0.1:
                    await asyncio.sleep(self.chance.random() / 50)
                if self.chance.random() < 0.05:
                    return

    async def run(self) -> None:
        while True:
            how = self.chance.randrange(4)
            with suppress(httpx.HTTPError, TimeoutError):
                if how == 0:
                    await self.poll(block=False)
                elif how == 1:  # an answer may get lost
                    async with asyncio.timeout(self.chance.random() / 20):
                        await self.poll(block=True)
                elif how == 2:
                    await self.poll(block=True)
                else:
                    await self.stream()


def stored(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all but short-lived events, which a client that is far behind does not get."""
    return [event for event in events if event["type"] not in ("heartbeat", "typing")]


async def run(folder: Path, seed: int, number: int) -> None:
    chance = random.Random(seed)
    limits = replace(
        UNLIMITED, events_per_answer=6, events_per_stream=15, event_bytes_per_answer=8_000
    )
    async with live(folder, timing=HASTY, limits=limits) as server:
        ann, bob = await two(server)
        wishes: list[dict[str, Any]] = [
            {},
            {"event_types": ["message", "typing"]},
            {"narrow": [["topic", "tea"]]},
            {"client_capabilities": {"bulk_message_deletion": True}},
            {"all_public_streams": True},
        ]
        clients, logs = list[Client](), list[Client]()
        for wish in wishes:
            for each in (clients, logs):
                queue = await bob.post("register", fetch_event_types=[], **wish)
                each.append(Client(bob, queue, chance))
        tasks = [asyncio.create_task(each.run()) for each in clients]
        senders = [asyncio.create_task(_talk(ann, bob, chance, number)) for _ in range(4)]
        await asyncio.gather(*senders)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client, log in zip(clients, logs, strict=True):
            await client.rest()
            await log.rest()
            assert stored(client.heard) == stored(log.heard)
            ids = [event["id"] for event in client.heard]
            assert ids == sorted(set(ids))


async def _talk(ann: Person, bob: Person, chance: random.Random, number: int) -> None:
    sent: list[int] = []
    for _ in range(number):
        what = chance.randrange(10)
        if what < 6:
            size = chance.choice([1, 1, 1, 900])
            sent.append(await say(ann, "tea " * size, topic=chance.choice(["tea", "wine"])))
        elif what == 6:
            await ann.post("typing", op="start", to=[bob.id], type="direct")
        elif what == 7 and sent:
            await ann.patch(
                f"messages/{chance.choice(sent)}", topic="beer", propagate_mode="change_all"
            )
        elif what == 8 and sent:
            await ann.delete(f"messages/{sent.pop()}")
        else:
            await bob.post("messages/flags", op="add", flag="starred", messages=sent[-5:])
        if chance.random() < 0.5:
            await asyncio.sleep(chance.random() / 100)


@pytest.mark.parametrize("seed", [1])
async def test_each_client_gets_the_log(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 25)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 130))
async def test_each_client_gets_the_log_for_long(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 200)
