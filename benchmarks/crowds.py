"""Crowds: thousands of clients in one moment, or one with many long requests, over real sockets. For `pauses.py`. Measures nothing.

The clients are another process, which runs this file: `Clients` starts it and says what to ask.
"""

import asyncio
import json
import resource
import selectors
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

MANY: Final = 2_000
"""Clients of the same moment: all come back when the server or the network does."""
HEAVY: Final = 50
"""Long requests of one client in the same moment."""
REST: Final = 0.3
"""Seconds in which the server gets over the connections, before what is measured."""


class Crowd(NamedTuple):
    """Requests of the same moment, each on a connection of its own."""

    name: str
    request: bytes
    clients: int
    is_new: bool = False
    """Whether the connections are made in that moment, too."""


def crowds(
    written: Callable[[str, str, Mapping[str, object]], bytes], channel: int, groups: int
) -> Iterator[Crowd]:
    """Yield what is measured. `written` returns a request as it is sent; `channel` has everybody."""

    def said(text: str) -> bytes:
        message = {"type": "stream", "to": channel, "topic": "tea", "content": text}
        return written("POST", "messages", message)

    own = {"type": "direct", "to": ["p0@example.com"], "content": "hi"}
    newest = {"anchor": "newest", "num_before": 1000, "num_after": 0}
    old = {"anchor": "oldest", "num_before": 0, "num_after": 50, "narrow": [["channel", 1]]}
    search = {"msg_ids": [*range(1, 5001)], "narrow": [["search", "the"]]}
    flags = {"messages": [*range(1, 5001)], "op": "add", "flag": "starred"}
    yield Crowd(f"{MANY:,} ask at once", written("GET", "users/me", {}), MANY)
    yield Crowd(f"{MANY:,} come and ask at once", written("GET", "users/me", {}), MANY, True)
    register = written("POST", "register", {"fetch_event_types": []})
    yield Crowd(f"{MANY:,} register at once", register, MANY)
    yield Crowd(f"{MANY:,} send at once", written("POST", "messages", own), MANY)
    for name, after in (("get what is new", 1), ("get all", -1)):
        report = {"status": "active", "last_update_id": after}
        ping = written("POST", "users/me/presence", report)
        yield Crowd(f"{MANY:,} report presence at once and {name}", ping, MANY)
    for name, request in (
        ("messages that call all", said("@**all** tea")),
        ("messages to 5,000", said("tea")),
        ("that call groups", said(" ".join(f"@*group {number}*" for number in range(groups)))),
        ("lists of 5,000 flags", written("POST", "messages/flags", flags)),
        ("fetches of 1,000", written("GET", "messages", newest)),
        ("fetches of 10,000 reactions", written("GET", "messages", old)),
        ("matches_narrow of 5,000", written("GET", "messages/matches_narrow", search)),
        ("lists of people", written("GET", "users", {})),
        ("registers", written("POST", "register", {})),
        ("new names", written("PATCH", "settings", {"full_name": "Other"})),
        ("marked as read", written("POST", "mark_all_as_read", {})),
    ):
        yield Crowd(f"{HEAVY} at once: {name}", request, HEAVY)


def raw(scope: Mapping[str, Any], body: bytes) -> bytes:
    """Return a request as it is sent, of a client that closes its connection after the answer."""
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    head = b"%s %s%s HTTP/1.1\r\n" % (scope["method"].encode(), scope["path"].encode(), query)
    lines = (b"%s: %s\r\n" % header for header in scope["headers"])
    return b"".join((head, *lines, b"accept-encoding: gzip\r\nconnection: close\r\n\r\n", body))


class Clients:
    """The process of the clients."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def connect(self, crowd: Crowd) -> None:
        """Say what to ask, and connect."""
        await self._say(crowd._asdict() | {"request": crowd.request.decode("latin1")})
        await asyncio.sleep(REST)

    async def ask(self) -> str:
        """Ask all at once; returns the count of each status."""
        return await self._say({})

    async def _say(self, word: Mapping[str, object]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(word).encode() + b"\n")
        return (await self._process.stdout.readline()).decode().strip()


@asynccontextmanager
async def clients_of(port: int) -> AsyncIterator[Clients]:
    """Run clients of a server on this machine."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, f"{port}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**20,
    )
    try:
        yield Clients(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


# The clients' process


def _connected(port: int, count: int) -> list[socket.socket]:
    return [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]


def _answered(sockets: Sequence[socket.socket]) -> Counter[str]:
    """Read the answers to their ends; returns the count of each status."""
    begins = dict.fromkeys(sockets, b"")
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ, one)
        left = len(sockets)
        while left:
            for key, _ in selector.select():
                one = key.data
                part = one.recv(2**20)
                begins[one] = begins[one] or part
                if not part:
                    selector.unregister(one)
                    left -= 1
    return Counter(begin[9:12].decode("latin1") for begin in begins.values())


def main() -> None:
    """For each line of the input connect as it says, and ask when the next line comes."""
    port = int(sys.argv[1])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    while line := sys.stdin.readline():
        crowd = json.loads(line)
        request = crowd["request"].encode("latin1")
        sockets = [] if crowd["is_new"] else _connected(port, crowd["clients"])
        print("connected", flush=True)
        sys.stdin.readline()
        sockets = sockets or _connected(port, crowd["clients"])
        for one in sockets:
            one.sendall(request)
        print(dict(_answered(sockets)), flush=True)
        for one in sockets:
            one.close()


if __name__ == "__main__" and sys.argv[1:]:  # without a port it is one of all benchmarks
    main()
