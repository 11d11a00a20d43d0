"""The events of a queue in one long answer, a line of JSON each time that there are any. Knows no HTTP.

A line has the same events as a poll's answer. Nothing is acknowledged by sending: a stream ends by itself after
some events or minutes, and the client's next request acknowledges what it has applied. It ends with what ends
a poll, too: another request to the queue, a deleted queue, a revoked key, the end of the server. While the
client does not read, nothing is collected: the events stay in the log.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from server_lite.event_queue import Queue
from server_lite.ids import UserId
from server_lite.queues import Queues

NOTHING: Final = b'{"events":[]}\n'


def stream(
    queues: Queues, user_id: UserId, queue_id: str, last_event_id: int
) -> AsyncGenerator[bytes, None]:
    """Acknowledge up to `last_event_id`, and return the lines with the events after it; close it in the end.

    A quiet queue gets heartbeats. Raises at once what a poll would.
    """
    queue, mine = queues.begin(user_id, queue_id, last_event_id)
    return _lines(queues, queue, mine)


async def _lines(queues: Queues, queue: Queue, mine: int) -> AsyncGenerator[bytes, None]:
    timing = queues.timing
    begin = queues.monotonic()
    end = begin + timing.stream
    due = begin + timing.second_line
    left = queues.limits.events_per_stream
    lines = 0
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def ring() -> None:
        nonlocal timer
        timer = None
        queue.wake()

    queue.is_streaming = not queues.is_over(queue, mine)
    try:
        while left > 0 and not queues.is_over(queue, mine):
            events = await queues.collect(queue, mine)
            now = queues.monotonic()
            if not events:
                if now >= end:
                    return
                if now < due:
                    # One timer for many waits: it may ring early, as each line puts off the heartbeat.
                    if timer is None:
                        timer = loop.call_later(min(due, end) - now, ring)
                    await queues.woken(queue, mine)
                    continue
            due = now + timing.heartbeat
            lines += 1
            left -= len(events)
            if events:
                yield b'{"events":[%b]}\n' % b",".join(events)
            elif lines == 1:
                yield NOTHING
            else:
                yield b'{"events":[%b]}\n' % queues.heartbeat(queue)
    finally:
        if timer is not None:
            timer.cancel()
        if queue.requests == mine:
            queue.is_streaming = False
            queue.last_seen = queues.monotonic()
