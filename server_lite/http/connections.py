"""How many connections there are, from whom, and how many there may be; and when one ends. No sockets, no HTTP."""

from collections import Counter
from collections.abc import Callable
from typing import Final

RESERVED: Final = 64
"""Descriptors that are kept for files, and for commands of the person who runs the server."""


EXTENSION: Final = "chinwag.connection"
"""Where the scope of a request has its `Connection`."""


class Connection:
    """One connection, as far as who answers its requests has to know it."""

    __slots__ = ("at_end", "has_ended")

    def __init__(self) -> None:
        self.has_ended = False
        self.at_end: Callable[[], object] | None = None
        """Called when it ends, which may be while an answer is waited for."""

    def end(self) -> None:
        """The other end is gone."""
        self.has_ended = True
        if self.at_end is not None:
            self.at_end()


class Connections:
    """The open connections of one server, counted by network address."""

    def __init__(self, *, most: int, most_per_address: int) -> None:
        """`most` is for all together; addresses of this machine have no limit of their own."""
        self._most: Final = most
        self._most_per_address: Final = most_per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str, *, is_local: bool) -> bool:
        """Count one more, if there is room for it; whoever entered must leave."""
        crowded = not is_local and self._by_address[address] >= self._most_per_address
        if crowded or self._count >= self._most:
            return False
        self._by_address[address] += 1
        self._count += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self._count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def raise_descriptor_limit() -> int:
    """As many open files as the system lets this process have; returns how many that is."""
    try:
        import resource
    except ImportError:  # Windows counts sockets in another way
        return 8192
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        return limit
    return 65_536 if soft == resource.RLIM_INFINITY else soft
