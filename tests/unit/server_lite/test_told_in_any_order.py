"""Whatever clients ask while events wait to be told: each gets the log, each event once, in order."""

import asyncio
from contextlib import aclosing, suppress
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite import queues
from server_lite.config import Limits, Timing
from server_lite.event_queue import Queue
from server_lite.event_stream import stream
from server_lite.events.base import ClientCapabilities
from server_lite.ids import UserId
from server_lite.store.database import Tx
from tests.unit.server_lite.probe import Emptied, ProbeEvent, Whispered
from tests.unit.server_lite.test_queues import ANN, BOB, Bench

HELD_BACK = Timing(between_deliveries=1e6, heartbeat=50.0, second_line=1.0)
"""After the first, deliveries come when the test says so."""
LIMITS = Limits(events_per_stream=4, events_per_answer=3, event_bytes_per_answer=200)


def deliver(bench: Bench) -> None:
    delivery = bench.queues._delivery
    if delivery.pending and delivery._steps is None:
        delivery._deliver_pending()


async def turns(number: int = 20) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


class Client:
    """Asks for events in one way after another; what it heard, it acknowledges."""

    def __init__(self, bench: Bench, queue: Queue) -> None:
        self.bench, self.queue = bench, queue
        self.heard: list[dict[str, Any]] = []
        self.request: asyncio.Task[None] | None = None
        self.is_revoked = False
        self.is_reading = asyncio.Event()
        self.is_reading.set()

    @property
    def last(self) -> int:
        return self.heard[-1]["id"] if self.heard else -1

    # As the output of a stream

    @property
    def is_writable(self) -> bool:
        return self.is_reading.is_set()

    def framed(self, part: bytes) -> bytes:
        return part

    def write_framed(self, part: bytes) -> None:
        self.heard += orjson.loads(part)["events"]

    async def drained(self) -> None:
        await self.is_reading.wait()

    # Requests

    async def _poll(self, *, block: bool) -> None:
        while not self.is_revoked:
            self.heard += await self.bench.poll(self.queue, self.last, block=block)
            if not block:
                return

    async def _stream(self) -> None:
        while not self.is_revoked:
            lines = stream(self.bench.queues, self.queue.user_id, self.queue.id, self.last)
            async with aclosing(lines(self)) as each:
                async for line in each:
                    self.heard += orjson.loads(line)["events"]
            await asyncio.sleep(0)

    async def rest(self) -> None:
        number = -1
        while number < len(self.heard):
            number = len(self.heard)
            await self._poll(block=False)

    async def give_up(self) -> None:
        if self.request is not None:
            self.request.cancel()
            with suppress(asyncio.CancelledError):
                await self.request
            self.request = None

    async def ask(self, how: str) -> None:
        await self.give_up()
        self.is_revoked = False
        work = self._stream() if how == "stream" else self._poll(block=how == "poll")
        self.request = asyncio.create_task(work)


async def revoke(bench: Bench, clients: list[Client]) -> None:
    """Revoke Bob's key in a commit that has an event for him; then he signs in again."""

    def change(tx: Tx) -> None:
        tx.emit(EVENTS["said"], to=[BOB])
        bench.queues.send_home(tx, BOB)

    for client in clients:
        client.is_revoked = True
    await turns()  # what was answered before is read
    heard = [len(client.heard) for client in clients]
    await bench.database.write(change)
    deliver(bench)
    await turns()
    assert [len(client.heard) for client in clients] == heard
    for client in clients:
        client.is_reading.set()
        await client.ask("poll")


EVENTS = {
    "said": ProbeEvent(words="a"),
    "long": ProbeEvent(words="a" * 150),
    "whispered": Whispered(words="b"),
    "emptied": Emptied(numbers=[1, 2, 3]),
}
WHO = st.sampled_from([0, 1, 2])
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("commit"),
            st.lists(
                st.tuples(
                    st.sampled_from([*EVENTS]),
                    st.sets(st.sampled_from([ANN, BOB]), min_size=1),
                    st.booleans(),
                ),
                min_size=1,
                max_size=4,
            ),
        ),
        st.tuples(st.just("deliver"), st.none()),
        st.tuples(st.just("turns"), st.sampled_from([1, 2, 20])),
        st.tuples(st.sampled_from(["poll", "stream", "ask", "stall", "ring"]), WHO),
        st.tuples(st.just("wait"), st.sampled_from([2.0, 51.0])),
        st.tuples(st.sampled_from(["upkeep", "revoke"]), st.none()),
    ),
    max_size=25,
)


@given(steps=STEPS, at_once=st.sampled_from([1, 250]))
def test_each_event_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, Any]], at_once: int
) -> None:
    """Heartbeats, stalls, other requests and restarts of them, while events wait to be told, or some were told."""

    async def run() -> None:
        bench = Bench(tmp_path_factory.mktemp("told") / "x.db", HELD_BACK, LIMITS)
        bulk = ClientCapabilities(bulk_message_deletion=True)
        asked: list[tuple[UserId, dict[str, Any]]] = [
            (ANN, {}),
            (BOB, {"shape": bulk}),
            (BOB, {"narrow": (("is", "starred"),), "all_public_streams": True}),
        ]
        clients = [Client(bench, bench.queue(who, **wish)) for who, wish in asked]
        log = [Client(bench, bench.queue(who, **wish)) for who, wish in asked]
        for client in clients:
            await client.ask("poll")
        for step, what in steps:
            if step == "commit":

                def emit(tx: Tx, events: Any = what) -> None:
                    for name, people, is_own in events:
                        own = {ANN: ["starred"]} if is_own else {}
                        tx.emit(EVENTS[name], to=people, public_listeners=[BOB], personal=own)

                await bench.database.write(emit)
            elif step == "deliver":
                deliver(bench)
            elif step == "turns":
                await turns(what)
            elif step in ("poll", "stream", "ask"):
                await clients[what].ask(step)
            elif step == "stall":
                reading = clients[what].is_reading
                reading.clear() if reading.is_set() else reading.set()
            elif step == "ring":
                clients[what].queue.wake()
            elif step == "wait":
                bench.clock.now += what
                for client in clients:
                    client.queue._ring()
            elif step == "revoke":
                await revoke(bench, clients[1:])
            else:
                bench.upkeep()
            for reader in log:  # before the log is pruned, or short-lived events leave its tail
                await reader._poll(block=False)
        for client in clients:
            client.is_reading.set()
        for _ in range(2):
            deliver(bench)
            await turns(60)
        for client in clients:
            await client.give_up()
            await client.rest()
        for reader, client in zip(log, clients, strict=True):
            await reader.rest()
            heard = [event for event in client.heard if event["type"] != "heartbeat"]
            assert heard == reader.heard
            ids = [event["id"] for event in client.heard]
            assert ids == sorted(set(ids))
        bench.database.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queues, "TOLD_AT_ONCE", at_once)
        asyncio.run(run())
