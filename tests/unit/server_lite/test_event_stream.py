"""Streams of events: what polls would bring, in one answer that ends when a poll would, or in time."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.config import Limits, Timing
from server_lite.errors import BadEventQueue
from server_lite.event_queue import Queue
from server_lite.event_stream import _Stream, stream
from server_lite.events.base import AnyEvent, ClientCapabilities
from server_lite.ids import UserId
from server_lite.store.database import Tx
from server_lite.store.event_log import Local
from tests.call_counter import calls
from tests.unit.server_lite.probe import Emptied, ProbeEvent, Whispered
from tests.unit.server_lite.test_queues import ANN, BOB, Bench, words

AT_ONCE = Timing(second_line=0.0, heartbeat=0.0)
"""A stream that waits for nothing: what is to be said late is said now."""


def opened(bench: Bench, queue: Queue, last: int = -1) -> Any:
    """Open a stream, closed at the end of the block."""
    return aclosing(stream(bench.queues, queue.user_id, queue.id, last)(None))


async def line(lines: AsyncGenerator[bytes, None]) -> list[dict[str, Any]]:
    """Return the events of the next line."""
    events: list[dict[str, Any]] = orjson.loads(await anext(lines))["events"]
    return events


async def test_a_stream_brings_what_polls_bring_and_keeps_it(tmp_path: Path) -> None:
    """Each event comes once in a stream; whoever did not get the line gets it again."""
    bench = Bench(tmp_path / "x.db", AT_ONCE)
    queue = bench.queue(ANN)
    bench.emit(ProbeEvent(words="for Bob"), to=[BOB])
    bench.emit(ProbeEvent(words="one"), to=[ANN])
    async with opened(bench, queue) as lines:
        (one,) = await line(lines)
        bench.emit(ProbeEvent(words="for Bob"), to=[BOB])
        bench.emit(ProbeEvent(words="two"), to=[ANN])
        bench.emit(ProbeEvent(words="three"), to=[ANN])
        two, three = await line(lines)
    bench.upkeep()  # forgets what all have acknowledged
    assert [event["words"] for event in (one, two, three)] == ["one", "two", "three"]
    assert words(await bench.poll(queue, -1)) == ["one", "two", "three"]
    async with opened(bench, queue, two["id"]) as lines:
        assert await line(lines) == [three]
    assert await bench.poll(queue, three["id"]) == []


def _again(bench: Bench, queue: Queue) -> None:
    stream(bench.queues, queue.user_id, queue.id, -1)


def _in_a_change(change: Callable[[Bench, Queue, Tx], None]) -> Callable[[Bench, Queue], None]:
    return lambda bench, queue: bench.database.write_now(lambda tx: change(bench, queue, tx))


ENDS: dict[str, Callable[[Bench, Queue], None]] = {
    "another stream": _again,
    "a deleted queue": _in_a_change(
        lambda bench, queue, tx: bench.queues.delete(tx, ANN, queue.id)
    ),
    "a deactivated user": _in_a_change(lambda bench, _, tx: tx.end_queues([ANN])),
    "a revoked key": _in_a_change(lambda bench, _, tx: bench.queues.send_home(tx, ANN)),
    "the server's end": lambda bench, _: bench.queues.close(),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
async def test_what_ends_a_poll_ends_a_stream(
    tmp_path: Path, end: Callable[[Bench, Queue], None]
) -> None:
    """No event is sent after that, not even one of the same transaction."""
    bench = Bench(tmp_path / "x.db", Timing(second_line=0.0))
    queue = bench.queue(ANN)
    async with opened(bench, queue) as lines:
        assert await line(lines) == []
        assert bench.queues.waiting == 1
        end(bench, queue)
        bench.emit(ProbeEvent(words="secret"), to=[ANN])
        with pytest.raises(StopAsyncIteration):
            await anext(lines)
    assert bench.queues.waiting == 0


async def test_a_stream_ends_so_that_the_client_acknowledges(tmp_path: Path) -> None:
    """After some events, or some minutes, it is asked for again: the log can be forgotten up to there."""
    bench = Bench(tmp_path / "x.db", AT_ONCE, Limits(events_per_stream=3, events_per_answer=2))
    queue = bench.queue(ANN)
    for number in range(5):
        bench.emit(ProbeEvent(words=str(number)), to=[ANN])
    async with opened(bench, queue) as lines:
        heard = [event async for each in lines for event in orjson.loads(each)["events"]]
    assert words(heard) == ["0", "1", "2", "3"]
    async with opened(bench, queue, heard[-1]["id"]) as lines:
        (last,) = await line(lines)
        (beat,) = await line(lines)
        bench.clock.now += bench.timing.stream
        with pytest.raises(StopAsyncIteration):
            await anext(lines)
    assert (last["words"], beat["type"]) == ("4", "heartbeat")
    assert await bench.poll(queue, beat["id"]) == []
    bench.upkeep()
    assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0


async def test_a_quiet_stream_shows_that_it_passes_and_lives(tmp_path: Path) -> None:
    """A line soon after the first, so that a proxy that holds lines back is noticed; then heartbeats."""
    bench = Bench(tmp_path / "x.db", AT_ONCE)
    queue = bench.queue(ANN)
    async with opened(bench, queue) as lines:
        assert await line(lines) == []
        (beat,) = await line(lines)
        bench.emit(ProbeEvent(words="hi"), to=[ANN])
        (event,) = await line(lines)
        (later,) = await line(lines)
    assert (beat["type"], later["type"]) == ("heartbeat", "heartbeat")
    assert beat["id"] < event["id"] < later["id"]


async def test_a_queue_with_a_stream_is_kept_and_the_log_behind_it_is_not(tmp_path: Path) -> None:
    """Whoever listens for hours is not given up, and keeps nothing that is for others."""
    bench = Bench(tmp_path / "x.db", Timing(second_line=0.0, heartbeat=0.0, stream=10**9))
    queue = bench.queue(ANN)
    async with opened(bench, queue) as lines:
        await line(lines)
        bench.emit(ProbeEvent(words="for Bob"), to=[BOB])
        await line(lines)
        bench.clock.now += bench.timing.queue_idle_max + 1
        bench.upkeep()
        assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0
        bench.emit(ProbeEvent(words="hi"), to=[ANN])
        assert words(await line(lines)) == ["hi"]
    bench.clock.now += bench.timing.queue_idle + 1
    bench.upkeep()
    with pytest.raises(BadEventQueue):
        await bench.poll(queue)


async def test_a_stream_that_is_asked_for_again_and_again_keeps_no_log(tmp_path: Path) -> None:
    """Whoever never acknowledges is given up as without a stream; whoever has nothing to hear is not."""
    limits = Limits(events_per_queue=50)
    bench = Bench(tmp_path / "x.db", Timing(second_line=0.0), limits)
    greedy, quiet = bench.queue(ANN), bench.queue(BOB)
    async with opened(bench, quiet) as silence, opened(bench, greedy) as lines:
        assert await line(silence) == []
        bench.emit(ProbeEvent(words="unacknowledged"), to=[ANN])
        await line(lines)
        for number in range(60):
            bench.emit(ProbeEvent(words=str(number)), to=[ANN])
        bench.upkeep()
        assert bench.database.read(lambda db: db.value("SELECT count(*) FROM event_log")) == 0
        with pytest.raises(StopAsyncIteration):
            await anext(lines)
        with pytest.raises(BadEventQueue):
            stream(bench.queues, ANN, greedy.id, -1)
        bench.emit(ProbeEvent(words="hi"), to=[BOB])
        assert words(await line(silence)) == ["hi"]


class Listener:
    """A client that reads one stream after the other, and sometimes stalls."""

    def __init__(self, bench: Bench, queue: Queue) -> None:
        self.bench, self.queue = bench, queue
        self.heard: list[dict[str, Any]] = []
        self.reads = asyncio.Event()
        self.reads.set()

    @property
    def is_writable(self) -> bool:
        return self.reads.is_set()

    def framed(self, part: bytes) -> bytes:
        return part

    def write_framed(self, part: bytes) -> None:
        assert self.is_writable
        self.heard += orjson.loads(part)["events"]

    async def drained(self) -> None:
        await self.reads.wait()

    async def run(self) -> None:
        who = self.queue.user_id
        while True:
            last = self.heard[-1]["id"] if self.heard else -1
            async with aclosing(stream(self.bench.queues, who, self.queue.id, last)(self)) as lines:
                async for each in lines:
                    self.heard += orjson.loads(each)["events"]


async def turns(bench: Bench) -> None:
    """Run the loop until all commits are delivered and all tasks wait."""
    for _ in range(2):
        for _ in range(20):
            await asyncio.sleep(0)
        while bench.queues._delivery.pending:  # noqa: ASYNC110  # for a few milliseconds
            await asyncio.sleep(0)


@settings(max_examples=15)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["emit", "whisper", "stall", "ring"]),
            st.sets(st.sampled_from([ANN, BOB]), min_size=1),
            st.booleans(),
        ),
        max_size=25,
    )
)
def test_what_is_written_directly_and_by_the_task_is_each_event_once_in_order(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, set[UserId], bool]],
) -> None:
    """Whoever reads, stalls, is woken meanwhile and asks again hears the log."""

    async def run() -> None:
        limits = Limits(events_per_stream=3, events_per_answer=3, event_bytes_per_answer=150)
        bench = Bench(tmp_path_factory.mktemp("streams") / "x.db", limits=limits)
        listeners = {who: Listener(bench, bench.queue(who)) for who in (ANN, BOB)}
        tasks = [asyncio.create_task(each.run()) for each in listeners.values()]
        await turns(bench)
        said: dict[UserId, list[str]] = {ANN: [], BOB: []}
        for number, (step, people, is_waiting) in enumerate(steps):
            if step in ("emit", "whisper"):
                kind = ProbeEvent if step == "emit" else Whispered
                bench.emit(kind(words=str(number)), to=people)
                for who in people:
                    said[who].append(str(number))
            for who in people:
                if step == "stall" and listeners[who].is_writable:
                    listeners[who].reads.clear()
                elif step == "stall":
                    listeners[who].reads.set()
                elif step == "ring":
                    listeners[who].queue.wake()
            stalled = [each for each in listeners.values() if not each.is_writable]
            before = [len(each.heard) for each in stalled]
            if is_waiting:
                await turns(bench)
            assert [len(each.heard) for each in stalled] == before
        for each in listeners.values():
            each.reads.set()
        await turns(bench)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        bench.database.close()
        for who, each in listeners.items():
            assert words(each.heard) == said[who]
            ids = [event["id"] for event in each.heard]
            assert ids == sorted(set(ids))

    asyncio.run(run())


WISHES: tuple[dict[str, Any], ...] = (
    {},
    {"event_types": ("said", "emptied")},
    {"shape": ClientCapabilities(bulk_message_deletion=True)},
    {"narrow": (("is", "starred"),), "all_public_streams": True},
)


@settings(max_examples=20)
@given(
    commits=st.lists(
        st.tuples(
            st.booleans(),
            st.lists(
                st.tuples(
                    st.sampled_from(
                        [ProbeEvent(words="a"), ProbeEvent(words="b"), Emptied(numbers=[1, 2])]
                    ),
                    st.sets(st.sampled_from([ANN, BOB]), min_size=1),
                    st.sets(st.sampled_from([ANN, BOB])),
                    st.booleans(),
                ),
                min_size=1,
                max_size=4,
            ),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_who_waits_gets_what_the_log_has(
    tmp_path_factory: pytest.TempPathFactory,
    commits: list[tuple[bool, list[tuple[AnyEvent, set[UserId], set[UserId], bool]]]],
) -> None:
    """Queues take alike what is the same for them; an audience, a part or an echo of their own is not.

    Commits that follow one another at once are told together.
    """

    async def run() -> None:
        bench = Bench(tmp_path_factory.mktemp("commits") / "x.db")
        polled, streamed, unread = (
            [bench.queue(who, **wish) for who in (ANN, BOB) for wish in WISHES] for _ in range(3)
        )
        listeners = [Listener(bench, queue) for queue in streamed]
        tasks = [asyncio.create_task(each.run()) for each in listeners]
        heard: list[list[dict[str, Any]]] = [[] for _ in polled]

        async def poll(queue: Queue, into: list[dict[str, Any]]) -> None:
            while True:
                into += await bench.poll(queue, into[-1]["id"] if into else -1, block=True)

        tasks += [asyncio.create_task(poll(*each)) for each in zip(polled, heard, strict=True)]
        await turns(bench)
        for is_waiting, commit in commits:

            def emit(tx: Tx, events: Any = commit) -> None:
                for event, people, own, echoes in events:
                    tx.emit(
                        event,
                        to=people,
                        public_listeners=[ANN],
                        personal={who: ["starred"] for who in own},
                        local=Local(queue_id=polled[0].id, local_id="7") if echoes else None,
                    )

            bench.database.write_now(emit)
            if is_waiting:
                await turns(bench)
        await turns(bench)
        for at, queue in enumerate(unread):
            logged = await bench.poll(queue, -1)
            assert listeners[at].heard == logged
            echoed = [event.pop("local_message_id", None) for event in heard[at]]
            assert heard[at] == logged
            assert at == 0 or not any(echoed)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        bench.database.close()

    asyncio.run(run())


async def test_a_receiver_costs_few_calls_and_no_task(tmp_path: Path) -> None:
    """Each message has all of them: a task that was woken for each was most of what they cost."""
    timing = Timing(between_deliveries=0.0)
    bench = Bench(tmp_path / "x.db", timing, limits=Limits(events_per_stream=4))
    people = [UserId(number) for number in range(1, 61)]
    listeners = [Listener(bench, bench.queue(who)) for who in people]
    tasks = [asyncio.create_task(each.run()) for each in listeners]
    await turns(bench)
    costs: list[int] = []
    told = bench.database.on_commit
    bench.database.on_commit = lambda entries: costs.append(calls(lambda: told(entries)))
    waiting = [cast(_Stream, each.queue.waiter)._woken for each in listeners]

    async def tell(count: int) -> None:
        bench.emit(ProbeEvent(words="hi"), to=people[:count])
        await turns(bench)

    for count in (10, 10, 60):  # the first warms up
        await tell(count)
    assert [cast(_Stream, each.queue.waiter)._woken for each in listeners] == waiting
    assert (costs[2] - costs[1]) / 50 <= 20
    await tell(1)  # the last of its stream
    await tell(1)
    assert (listeners[0].queue.requests, len(listeners[0].heard)) == (2, 5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    bench.database.close()
