"""Counts and limits connections, in total and per address; reports when one ends. No sockets, no HTTP."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from server_lite.http.conditional import Header

RESERVED: Final = 64
"""File descriptors reserved for files, and for the operator's commands."""


EXTENSION: Final = "chinwag.connection"
"""Key of a request's `Connection` in the scope."""


class Output(Protocol):
    """An answer that is being sent in parts."""

    @property
    def is_writable(self) -> bool:
        """Whether a part can be written at once: the answer goes on, and its client reads."""

    def framed(self, part: bytes) -> bytes:
        """Return a part as it is written, which is the same for all outputs."""

    def write_framed(self, framed: bytes) -> None:
        """Write such a part, without waiting. Only while the output is writable."""

    async def drained(self) -> None:
        """Wait until the client has read most of what was written, or is gone."""


class CurrentAnswer(Output, Protocol):
    """The answer to a connection's current request."""

    def cut(self) -> None:
        """Close the connection in the middle of the answer: its client sees that it is incomplete."""


class NewAnswer(Protocol):
    """The answer to a request that was just begun, by one who has no task."""

    def answer(
        self,
        status: int,
        headers: Sequence[Header],
        body: bytes,
        standard: tuple[Header, ...] = (),
    ) -> None:
        """Send a whole answer at once, unless the client is gone. `standard` are headers that most answers have."""

    async def send(self, message: Any) -> None:
        """Send the start of the answer or a part of its body, as ASGI does."""

    def cut(self) -> None:
        """Close the connection without the rest of the answer."""


class Connection:
    """One connection, as request handlers see it."""

    __slots__ = ("at_end", "has_ended", "output")

    def __init__(self) -> None:
        self.has_ended = False
        self.at_end: Callable[[], object] | None = None
        """Called when the connection ends, perhaps during a request."""
        self.output: CurrentAnswer | None = None
        """The answer to the current request; None for requests without a socket."""

    def cut(self) -> None:
        """Give up the current answer, whose head announced more than there is now."""
        if self.output is not None:
            self.output.cut()

    def end(self) -> None:
        """Mark the connection as ended."""
        self.has_ended = True
        if self.at_end is not None:
            self.at_end()


class Connections:
    """The open connections of one server, counted by network address."""

    def __init__(self, *, most: int, most_per_address: int) -> None:
        """`most` limits the total; local addresses have no limit of their own."""
        self._most: Final = most
        self._most_per_address: Final = most_per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str, *, is_local: bool) -> bool:
        """Count a connection if the limits allow it; each one that entered must leave."""
        over_limit = not is_local and self._by_address[address] >= self._most_per_address
        if over_limit or self._count >= self._most:
            return False
        self._by_address[address] += 1
        self._count += 1
        return True

    def leave(self, address: str) -> None:
        """Stop counting a connection."""
        self._count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def raise_descriptor_limit() -> int:
    """Raise the limit of open files as far as the system allows; returns the limit."""
    try:
        import resource
    except ImportError:  # Windows counts sockets separately
        return 8192
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        return limit
    return 65_536 if soft == resource.RLIM_INFINITY else soft
