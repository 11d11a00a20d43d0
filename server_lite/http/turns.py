"""Limits what begins in one turn of the event loop, and alternates between those who ask. Does not know what.

When a server was restarted, or a network is back, hundreds of clients ask in the same moment, and a program may ask
hundreds of things at once. Begun in one turn, they would hold up events, timers and all who come a moment later.
"""

import asyncio
import time
from collections.abc import Callable, Hashable
from typing import Final

from server_lite.fair_queue import FairQueue

MOST: Final = 50
"""What begins in one turn: as many changes as share a transaction."""
SECONDS: Final = 0.005
"""Time after which nothing more begins in a turn, as some requests take long to read."""
TASKS: Final = 5
"""Requests with a task that begin in one turn, while turns are short: their work follows in later ones. Changes of several share a commit."""
HANDSHAKE: Final = 10
"""What a TLS handshake counts for: 0.3 to 3 ms."""


class Turns:
    """Limits what begins in each turn of the loop. The rest waits: first one of each asker, then the second of each.

    Who asks is known when a request was read, so reading comes first, in turn by who asked before on the connection. It
    has its own time in each turn.
    """

    def __init__(self, most: int = MOST, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._most: Final = most
        self._left = most
        self._clock: Final = clock
        self._end = 0.0
        """Time of the clock at which this turn is over."""
        self._tasks = 1
        """Tasks that may begin in a turn: one after a turn that took long, and then one more in each."""
        self._renewed = 0.0
        """Time at which the last turn was renewed: what came since was done by others, tasks above all."""
        self._unread: Final = FairQueue[Callable[[], object]]()
        self._waiting: Final = FairQueue[Callable[[], object]]()
        self._has_begun = False
        """Whether something happened in this turn, so that another one follows."""

    # Reading

    @property
    def is_late(self) -> bool:
        """Whether this turn has taken its time: what comes now has to be read in a later one."""
        if not self._has_begun:
            self._begin()
            return False
        return bool(self._unread) or self._clock() >= self._end

    def read_later(self, asker: Hashable, read: Callable[[], object]) -> None:
        """Call `read` in a later turn, before anything else begins in it."""
        self._unread.add(asker, read)
        if not self._has_begun:
            self._begin()

    # Beginning what was read

    @property
    def is_over(self) -> bool:
        """Whether nothing more may begin in this turn: whoever comes now has to `wait`."""
        if not self._has_begun:
            return False
        return self._left <= 0 or self._clock() >= self._end

    def spend(self, count: int) -> None:
        """Count what begins now."""
        self._left -= count
        if not self._has_begun:
            self._begin()

    def spend_task(self) -> None:
        """Count the rest of a request that needs a task, after `spend(1)` for its beginning."""
        self.spend(self._most // self._tasks - 1)

    def wait(self, asker: Hashable, begin: Callable[[], object]) -> None:
        """Call `begin` in a later turn, in which it has to `spend`. One asker's many do not delay those of others."""
        self._waiting.add(asker, begin)
        if not self._has_begun:
            self._begin()

    async def take(self, asker: Hashable, count: int) -> None:
        """Wait for a turn if this one is over, and spend some of it."""
        if not self.is_over:
            self.spend(count)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if not turn.done():  # canceled, when its client is gone
                self.spend(count)
                turn.set_result(None)

        self.wait(asker, begin)
        await turn

    def _begin(self) -> None:
        self._has_begun = True
        self._end = self._clock() + SECONDS
        asyncio.get_running_loop().call_soon(self._renew)

    def _renew(self) -> None:
        """Begin another turn, with those who wait."""
        is_short = self._clock() - self._renewed < SECONDS
        self._tasks = min(self._tasks + 1, TASKS) if is_short else 1
        self._left = min(self._left, 0) + self._most
        self._has_begun = False
        if not (self._unread or self._waiting or self._left < self._most):
            self._tasks = 1
            return
        self._begin()
        while self._unread:
            _, read = self._unread.pop()
            read()
            if self._clock() >= self._end:
                break
        self._end = self._clock() + SECONDS  # however much there was to be read
        while self._waiting and self._left > 0:
            _, begin = self._waiting.pop()
            begin()
            if self._clock() >= self._end:
                break
        self._renewed = self._clock()
