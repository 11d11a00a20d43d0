"""Delivers the events of commits: at once, or those of several commits together. Knows no queue and no request."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from server_lite.store.event_log import Entry


class Delivery:
    """Collects the entries of commits, and calls `deliver` with them, in their order.

    Entries are delivered at once, unless there was a delivery less than `pause` seconds ago: then together with all that
    come until the pause is over, because telling twenty receivers costs as much as storing two messages, however much
    they are told. `deliver` returns an iterator: each step tells some receivers, and requests run between two steps.
    After a delivery that took long the pause is as long, so that half of the time is left for requests.
    """

    def __init__(
        self,
        deliver: Callable[[Sequence[Entry]], Iterator[None]],
        *,
        pause: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._monotonic: Final = monotonic
        self._deliver: Final = deliver
        self._pause: Final = pause
        self.pending: list[Entry] = []
        """Committed entries that will be delivered within the pause."""
        self._next = 0.0
        self._is_scheduled = False
        self._steps: Iterator[None] | None = None
        self._begin = 0.0

    def add(self, entries: Sequence[Entry]) -> None:
        """Deliver these entries soon. Outside of an event loop nobody waits: they are delivered at once."""
        self.pending += entries
        if self._is_scheduled:
            return
        left = self._next - self._monotonic()
        loop = _running_loop()
        if left <= 0 or loop is None:
            self._deliver_pending()
        else:
            self._is_scheduled = True
            loop.call_later(left, self._deliver_pending)

    def _deliver_pending(self) -> None:
        entries, self.pending = self.pending, []
        self._begin = self._monotonic()
        self._steps = self._deliver(entries)
        self._go_on()

    def _go_on(self) -> None:
        """Tell the next receivers, and the rest in later turns of the event loop."""
        assert self._steps is not None
        self._is_scheduled = False
        loop = _running_loop()
        for _ in self._steps:
            if loop is not None:
                self._is_scheduled = True
                loop.call_soon(self._go_on)
                return
        self._steps = None
        now = self._monotonic()
        self._next = self._begin + max(self._pause, 2 * (now - self._begin))
        if self.pending and loop is not None:
            self._is_scheduled = True
            loop.call_later(self._next - now, self._deliver_pending)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
