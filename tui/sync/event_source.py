"""Where the events of a queue come from: a stream where lines come through, else polls. Applies none."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from tui.api.connection import Connection
from tui.api.model import EventId, QueueId
from tui.api.routes import queues
from tui.api.routes.queues import NotStreamed
from tui.api.snapshot import InitialSnapshot

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import Event

FIRST_PAUSE_SECONDS: Final = 60.0
MOST_PAUSE_SECONDS: Final = 3600.0
"""Seconds of polls before the next stream, where one did not come through: doubled each time."""


class EventSource:
    """Asks one server for events."""

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self._connection = connection
        self._clock = clock
        self._can_stream = False
        self._poll_seconds = 90.0
        self._streams_from = float("-inf")
        self._pause = FIRST_PAUSE_SECONDS

    def registered(self, snapshot: InitialSnapshot) -> None:
        """Note what the server can."""
        self._can_stream = snapshot.event_stream
        self._poll_seconds = float(snapshot.limits.event_queue_longpoll_timeout_seconds)

    @property
    def streams(self) -> bool:
        """Whether the next events come in a stream."""
        return self._can_stream and self._clock() >= self._streams_from

    async def poll(
        self, queue_id: QueueId, last_event_id: EventId, *, dont_block: bool
    ) -> AsyncGenerator[tuple[Event, ...], None]:
        """Yield the events above `last_event_id` once."""
        yield await queues.get_events(
            self._connection,
            queue_id=queue_id,
            last_event_id=last_event_id,
            longpoll_timeout_seconds=self._poll_seconds,
            dont_block=dont_block,
        )

    async def stream(
        self, queue_id: QueueId, last_event_id: EventId
    ) -> AsyncGenerator[tuple[Event, ...], None]:
        """Yield the events above `last_event_id` each time that some come, until the server ends it.

        If lines do not come through, it ends, and polls take its place for a while.
        """
        lines = queues.stream_events(
            self._connection,
            queue_id=queue_id,
            last_event_id=last_event_id,
            longpoll_timeout_seconds=self._poll_seconds,
        )
        try:
            async with aclosing(lines):
                async for events in lines:
                    yield events
        except NotStreamed:
            self._streams_from = self._clock() + self._pause
            self._pause = min(2 * self._pause, MOST_PAUSE_SECONDS)
        else:
            self._pause = FIRST_PAUSE_SECONDS
