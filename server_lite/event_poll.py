"""One answer with the events of a queue, as soon as there are any. Knows no HTTP.

A poll that waits is no task: it is its queue's `Waiter`, and answers in the turn of the event loop that tells of a
commit. Waking a task for each of many receivers costs several times as much.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from server_lite.event_queue import Commit, Queue
from server_lite.ids import UserId
from server_lite.queues import Queues

Settle = Callable[[bytes | Exception], object]
"""Gets the answer, a JSON array, or the error."""


def poll(
    queues: Queues, user_id: UserId, queue_id: str, last_event_id: int | None, *, block: bool
) -> Callable[[Settle], Callable[[], None]]:
    """Acknowledge up to `last_event_id`, and return a function that answers with the events after it.

    That one waits for an event if there is none and `block` is set; a wait without events ends with a heartbeat, and
    another request to the queue ends it. It returns a function that gives the poll up. Raises BadEventQueue, ApiError
    and RateLimited at once.
    """
    queue, mine = queues.begin(user_id, queue_id, last_event_id)
    return _Poll(queues, queue, mine, block=block).begin


class _Poll:
    def __init__(self, queues: Queues, queue: Queue, mine: int, *, block: bool) -> None:
        self._queues: Final = queues
        self._queue: Final = queue
        self._mine: Final = mine
        self._block: Final = block
        self._due = queues.monotonic() + queues.timing.heartbeat
        self._events: list[bytes] = []
        self._is_looking = False
        self._is_over = False

    def begin(self, settle: Settle) -> Callable[[], None]:
        self._settle = settle
        self._look()
        return self._end

    def tell(self, commit: Commit) -> None:
        """Answer with the events of a commit; none are taken if they do not fit into an answer."""
        if self._is_looking:
            return
        taken = self._queues.take(self._queue, commit, self._queues.limits.events_per_answer)
        if taken is None:
            self.wake()
        elif taken.number:
            self._answer(b"[%b]" % taken.joined)

    def wake(self) -> None:
        """Look at the log again, in the next turn of the event loop."""
        if not self._is_looking:
            self._is_looking = True
            asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        self._is_looking = False
        if self._is_over:
            return
        try:
            events = self._take()
        except Exception as error:  # noqa: BLE001  # a border: the request gets it
            self._answer(error)
        else:
            if events is not None:
                self._answer(b"[%b]" % events)

    def _take(self) -> bytes | None:
        """Return the events to answer with; None if the poll waits, or reads on after other requests."""
        queues, queue = self._queues, self._queue
        if queues.is_over(queue, self._mine):
            return b""
        left = self._due - queues.monotonic()
        # A heartbeat would acknowledge what is about to be told, so that is read before one.
        will_tell = self._block and not self._events and left > 0 and queues.will_tell(queue)
        if not will_tell:
            if not self._events and (taken := queues.take_newest(queue)):
                return taken
            if not queues.collect_page(queue, self._events):
                self.wake()
                return None
            if self._events or not self._block:
                return b",".join(self._events)
        if left <= 0:
            return queues.heartbeat(queue)
        queue.waiter = self
        queue.ring_after(left)
        return None

    def _answer(self, outcome: bytes | Exception) -> None:
        self._end()
        self._settle(outcome)

    def _end(self) -> None:
        """Stop waiting."""
        if self._is_over:
            return
        self._is_over = True
        if self._queue.waiter is self:
            self._queue.waiter = None
        self._queue.last_seen = self._queues.monotonic()
