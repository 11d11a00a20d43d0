"""The first commit is delivered at once, those that follow within the pause together."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

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
        self.now, self.seconds = 100.0, seconds
        self.ids: list[list[int]] = []
        self.later: list[tuple[float, Callable[[], Any]]] = []
        self.delivery = Delivery(self._deliver, pause=0.005, monotonic=lambda: self.now)

    def _deliver(self, entries: Sequence[Entry]) -> None:
        self.ids.append([one.id for one in entries])
        self.now += self.seconds

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
