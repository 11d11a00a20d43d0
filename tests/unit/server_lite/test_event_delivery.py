"""The first commit is delivered at once, those that follow within the pause together."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from server_lite import event_delivery
from server_lite.event_delivery import Delivery
from server_lite.ids import UserId
from server_lite.store.event_log import Entry
from tests.unit.server_lite.probe import ProbeEvent


def entry(number: int) -> Entry:
    return Entry(
        id=number,
        id_count=1,
        event=ProbeEvent(words=str(number)),
        audience=frozenset([UserId(1)]),
        public_listeners=frozenset(),
        personal={},
        local=None,
    )


class Told:
    """Receives the deliveries, each of which takes `seconds`."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.now, self.seconds, self.steps = 100.0, seconds, 0
        self.ids: list[list[int]] = []
        self.later: list[tuple[float, Callable[[], Any]]] = []
        self.delivery = Delivery(self._deliver, pause=0.005, monotonic=lambda: self.now)

    def _deliver(self, entries: Sequence[Entry]) -> Iterator[None]:
        self.ids.append([one.id for one in entries])
        self.now += self.seconds
        for _ in range(self.steps):
            yield

    def call_later(self, delay: float, call: Callable[[], Any]) -> None:
        """In place of the event loop's."""
        self.later.append((delay, call))


@pytest.mark.parametrize(("seconds", "pause"), [(0.0, 0.005), (0.001, 0.005), (0.03, 0.06)])
async def test_what_follows_within_the_pause_is_told_together(
    monkeypatch: pytest.MonkeyPatch, seconds: float, pause: float
) -> None:
    """Telling thousands takes a while: half of the time is left for requests."""
    told = Told(seconds)
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", told.call_later)
    told.delivery.add([entry(1)])
    for number in (2, 3, 4):
        told.delivery.add([entry(number)])
    assert told.ids == [[1]]
    ((delay, deliver),) = told.later
    assert delay == pytest.approx(pause - seconds)
    told.now += delay
    deliver()
    assert told.ids == [[1], [2, 3, 4]]
    assert told.delivery.pending == []
    told.now += 1
    told.delivery.add([entry(5)])
    assert told.ids[2:] == [[5]]


def test_without_a_loop_nothing_is_held_back() -> None:
    told = Told()
    for number in (1, 2):
        told.delivery.add([entry(number)])
    assert told.ids == [[1], [2]]


class Loop:
    """Collects what an event loop would call."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], Any]] = []
        self.later: list[Callable[[], Any]] = []

    def call_soon(self, call: Callable[[], Any]) -> None:
        self.soon.append(call)

    def call_later(self, _: float, call: Callable[[], Any]) -> None:
        self.later.append(call)


def test_what_comes_while_receivers_are_told_is_told_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands are told in several turns of the loop, and all of them get events in their order."""
    loop, told = Loop(), Told()
    monkeypatch.setattr(event_delivery, "_running_loop", lambda: loop)
    told.steps = 2
    told.delivery.add([entry(1)])
    told.delivery.add([entry(2)])
    for _ in range(2):
        assert loop.later == []
        loop.soon.pop()()
    assert (told.ids, loop.soon) == ([[1]], [])
    (deliver,) = loop.later
    deliver()
    assert told.ids == [[1], [2]]
