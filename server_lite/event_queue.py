"""One event queue: what its client asked for, and its position in the log. Reads nothing, wakes nobody.

A queue is a row, which `queues` writes; the rest is in memory.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import field
from typing import Final, Protocol

import orjson

from server_lite.dataclass import dataclass
from server_lite.events.base import AnyEvent, ClientCapabilities
from server_lite.events.channels import MutedTopicsChanged
from server_lite.ids import UserId
from server_lite.store.event_log import Entry


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
        return orjson.dumps(self).decode()

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


class EncodedEvents(dict[int, bytes]):
    """Events by ID, encoded for queues of one shape, which share them. Empty: not for clients of this shape."""


class Wishes:
    """Stands for what a client asked for: queues with equal options share one, so that looking it up costs little."""

    __slots__ = ("__weakref__",)


@dataclass(slots=True)
class Taken:
    """Events for one queue, or for several alike, out of a commit."""

    number: int
    joined: bytes
    """The events as JSON, with commas between them."""
    size: int
    """The length of `joined`."""
    begin: int
    """The ID before the first one's IDs."""
    last: int
    """The ID of the last one."""
    framed: bytes = b""
    """The line of a stream with these events, as it is written, once there was one."""


def before(entries: Sequence[Entry]) -> int:
    """Return the ID before those of the first of these entries."""
    return entries[0].id - entries[0].id_count


class Commit:
    """The events of one or several commits, and what queues took of them, which many take alike."""

    __slots__ = (
        "alike",
        "at",
        "begin",
        "echoing",
        "end",
        "entries",
        "has_muted_topics",
        "number",
        "taken",
    )

    def __init__(self, entries: Sequence[Entry], at: float) -> None:
        """`at` is the monotonic time at which queues are told."""
        self.entries: Final = entries
        self.number: Final = len(entries)
        self.at: Final = at
        self.begin: Final = before(entries)
        self.end: Final = entries[-1].id
        audiences = {id(entry.audience): entry.audience for entry in entries}
        alike = frozenset.intersection(*audiences.values())
        self.alike: Final = alike.difference(*(one.personal for one in entries if one.personal))
        """Those who get all the events, and none with a part of their own."""
        self.echoing: Final = {one.local.queue_id for one in entries if one.local is not None}
        """Queues that get one of the events with its local ID."""
        self.has_muted_topics: Final = any(type(one.event) is MutedTopicsChanged for one in entries)
        """Whether those who ask for lists of their muted topics get different events."""
        self.taken: Final[dict[Wishes, Taken]] = {}
        """What those who get them alike take, by what their client asked for."""


class Waiter(Protocol):
    """A request that waits for events of a queue."""

    def tell(self, commit: Commit) -> None:
        """Send the queue's events of a commit, or look at the log."""

    def wake(self) -> None:
        """Look at the log, or at what else has changed."""


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
    encoded: EncodedEvents
    wishes: Wishes
    forgotten: float = 0.0
    """Seconds that the client was behind before this start of the server."""
    stored_forgotten: float = 0.0
    passed: int = 0
    """Events after the cursor and up to this one are for others. Not stored, but recomputed."""
    answered_up_to: int = 0
    """The last ID of the latest answer."""
    examined: int = 0
    """Events up to this one were sent by the request being answered, or are for others."""
    waiter: Waiter | None = None
    timer: asyncio.TimerHandle | None = None
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

    def is_acknowledged_by(self, last_event_id: int | None) -> bool:
        """Whether a poll acknowledges the latest answer, as clients do; others count as requests."""
        return (
            last_event_id is not None
            and last_event_id > self.cursor
            and last_event_id >= self.answered_up_to
        )

    def took(self, taken: Taken) -> None:
        """Note events as sent by the request being answered."""
        is_first = self.examined <= self.cursor or self.examined <= self.passed
        if is_first and self.passed < taken.begin:
            self.passed = taken.begin
        self.answered_up_to = self.examined = taken.last

    def next_request(self) -> int:
        """End the request before, if it still waits; returns the number of the next one."""
        self.requests += 1
        self.examined = 0
        self.is_streaming = False
        if self.waiter is not None:
            self.waiter.wake()
            self.waiter = None
        return self.requests

    def wake(self) -> None:
        """Let the request that waits look at the log again."""
        if self.waiter is not None:
            self.waiter.wake()

    def ring_after(self, seconds: float) -> None:
        """Wake the request that waits then, perhaps also earlier: there is one timer for many waits."""
        loop = asyncio.get_running_loop()
        if self.timer is not None:
            if self.timer.when() <= loop.time() + seconds:
                return
            self.timer.cancel()
        self.timer = loop.call_later(seconds, self._ring)

    def _ring(self) -> None:
        self.timer = None
        self.wake()

    def close(self) -> None:
        """End the request that waits, and all further ones."""
        self.closed = True
        self.wake()
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def wants(
        self, kind: type[AnyEvent], audience: frozenset[UserId], public_listeners: frozenset[UserId]
    ) -> bool:
        """Whether the client asked for events of this class, and its owner may get this one."""
        user_id, options = self.user_id, self.options
        if user_id not in audience and not (
            options.all_public_streams and user_id in public_listeners
        ):
            return False
        return self.asks_for(kind)

    def asks_for(self, kind: type[AnyEvent]) -> bool:
        """Whether the client asked for events of this class."""
        types = self.options.event_types
        return types is None or (kind.type in types and kind.superseded_by not in types)
