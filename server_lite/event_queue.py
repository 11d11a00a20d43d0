"""One event queue: what its client asked for, and its position in the log. Reads nothing, wakes nobody.

A queue is a row, which `queues` writes; the rest is in memory.
"""

import asyncio
from dataclasses import asdict, field

import orjson

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """A client's options from register."""

    shape: ClientCapabilities
    event_types: tuple[str, ...] | None = None
    """None: all types."""
    narrow: tuple[tuple[str, str], ...] = ()
    """Filters message events only."""
    all_public_streams: bool = False

    def dump(self) -> str:
        return orjson.dumps(asdict(self)).decode()

    @classmethod
    def load(cls, text: str) -> "Options":
        data = orjson.loads(text)
        types = data["event_types"]
        return cls(
            shape=ClientCapabilities(**data["shape"]),
            event_types=None if types is None else tuple(types),
            narrow=tuple((operator, operand) for operator, operand in data["narrow"]),
            all_public_streams=data["all_public_streams"],
        )


@dataclass(slots=True)
class Queue:
    """A client's position in the log. In memory, except for what `_insert` and `persist` write."""

    id: str
    user_id: UserId
    options: Options
    idle_timeout: int
    cursor: int
    """Last acknowledged event."""
    stored_cursor: int
    last_seen: float
    """Monotonic time of the last poll's end."""
    up_to_date: float
    """Monotonic time when the client last acknowledged an event or had none to acknowledge."""
    forgotten: float = 0.0
    """Seconds that the client was behind before this start of the server."""
    stored_forgotten: float = 0.0
    passed: int = 0
    """Events after the cursor and up to this one are for others. Not stored, but recomputed."""
    answered_up_to: int = 0
    """The last ID of the latest answer."""
    examined: int = 0
    """Events up to this one were sent by the request being answered, or are for others."""
    waiter: "asyncio.Future[None] | None" = None
    is_streaming: bool = False
    closed: bool = False
    requests: int = field(default=0)
    """Polls and streams so far; each ends the one before."""

    @property
    def position(self) -> int:
        """Where the next request starts to read."""
        return max(self.cursor, self.passed)

    @property
    def is_attended(self) -> bool:
        """Whether a client is connected: a poll waits, or a stream is open."""
        return self.waiter is not None or self.is_streaming

    def next_request(self) -> int:
        """End the request before, if it still waits; returns the number of the next one."""
        self.requests += 1
        self.examined = 0
        self.is_streaming = False
        self.wake()
        self.waiter = None
        return self.requests

    def wake(self) -> None:
        """Let the request that waits look at the log again."""
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)
