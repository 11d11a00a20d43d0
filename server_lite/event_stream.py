"""The events of a queue in one long answer, a line of JSON each time that there are any. Knows no HTTP.

A line has the same events as a poll's answer. Nothing is acknowledged by sending: a stream ends by itself after
some events or minutes, and the client's next request acknowledges what it has applied. It ends with what ends
a poll, too: another request to the queue, a deleted queue, a revoked key, the end of the server. While the
client does not read, nothing is collected: the events stay in the log.

A stream that waits has its lines written directly (`tell`), because waking a task for each of many receivers
costs several times as much. Its task is woken for all else: a client that does not read, more events than fit
into a line, heartbeats, the end.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Final

from server_lite.event_queue import Commit, Queue
from server_lite.http.connections import Output
from server_lite.ids import UserId
from server_lite.queues import Queues


def stream(
    queues: Queues, user_id: UserId, queue_id: str, last_event_id: int
) -> Callable[[Output | None], AsyncGenerator[bytes, None]]:
    """Acknowledge up to `last_event_id`, and return a function for the lines with the events after it.

    It returns a generator, to be closed in the end. While that waits for its next line, lines are written to
    the output, if there is one. A quiet queue gets heartbeats. Raises at once what a poll would.
    """
    queue, mine = queues.begin(user_id, queue_id, last_event_id)
    return _Stream(queues, queue, mine).lines


class _Stream:
    def __init__(self, queues: Queues, queue: Queue, mine: int) -> None:
        self._queues: Final = queues
        self._queue: Final = queue
        self._mine: Final = mine
        self._output: Output | None = None
        self._left = queues.limits.events_per_stream
        self._due = queues.monotonic() + queues.timing.second_line
        self._is_begun = False
        """Whether there was a line."""
        self._woken: asyncio.Future[None] | None = None

    async def lines(self, output: Output | None) -> AsyncGenerator[bytes, None]:
        queues, queue, mine = self._queues, self._queue, self._mine
        self._output = output
        end = queues.monotonic() + queues.timing.stream
        queue.is_streaming = not queues.is_over(queue, mine)
        try:
            while self._left > 0:
                if output is not None:
                    await output.drained()
                events: list[bytes] = []
                is_all = False
                while not is_all and not queues.is_over(queue, mine):
                    is_all = queues.collect_page(queue, events)
                    if not is_all:
                        await asyncio.sleep(0)
                if queues.is_over(queue, mine):
                    return
                now = queues.monotonic()
                if events:
                    self._note_line(now, len(events))
                    line = _line(b",".join(events))
                    del events  # a client that stalls costs a line, not several times as much
                    yield line
                    del line
                elif now >= end:
                    return
                elif now < self._due:
                    queue.ring_after(min(self._due, end) - now)
                    await self._wait()
                else:
                    beat = queues.heartbeat(queue) if self._is_begun else b""
                    self._note_line(now, 1 if beat else 0)
                    yield _line(beat)
        finally:
            if queue.requests == mine:
                queue.is_streaming = False
                queue.last_seen = queues.monotonic()

    def _note_line(self, now: float, number: int) -> None:
        """Note a line with so many events. It puts off the heartbeat."""
        self._due = now + self._queues.timing.heartbeat
        self._left -= number
        self._is_begun = True

    async def _wait(self) -> None:
        """Wait until there may be events that `tell` did not write, or the stream is over."""
        queue = self._queue
        self._woken = asyncio.get_running_loop().create_future()
        queue.waiter = self
        try:
            await self._woken
        finally:
            self._woken = None
            if queue.requests == self._mine:
                queue.waiter = None
                queue.last_seen = self._queues.monotonic()

    def wake(self) -> None:
        """Let the task look at the log."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def tell(self, commit: Commit) -> None:
        """Write the events of a commit, all or none: then the task does it."""
        if self._woken is None or self._woken.done():  # it reads the log anyway
            return
        output = self._output
        taken = None
        if output is not None and output.is_writable:
            taken = self._queues.take(self._queue, commit, self._left)
        if taken is None:
            self._woken.set_result(None)
        elif taken.number:
            assert output is not None
            if not taken.framed:
                taken.framed = output.framed(_line(taken.joined))
            output.write_framed(taken.framed)
            self._note_line(commit.at, taken.number)


def _line(joined: bytes) -> bytes:
    return b'{"events":[%b]}\n' % joined
