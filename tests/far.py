"""Simulates the network to a server: near, far, or with reordered answers; to ours, or a full one.

Runs on the test's own event loop. A loopback proxy delays bytes in each direction. Of HTTP it knows only
that, on a connection, bytes from the client after an answer start a new request; each request's answer is
delayed by a time of its own, so that requests on several connections are answered in another order than
they were sent.
"""

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Final
from urllib.parse import urlsplit

EACH_WAY: Final = 0.08 if "CHINWAG_WAY" in os.environ else 0.04
"""Seconds: another continent, or a train; half as far in `make test`, which waits for each answer."""


@dataclass(frozen=True, slots=True)
class Way:
    """The distance. `held` are possible additional delays of an answer in seconds, chosen by the seed."""

    name: str
    each_way: float = 0.0
    held: tuple[float, ...] = (0.0,)
    seed: int = 7
    level: int | None = None
    """Feature level of the full server behind it; None: our own server."""

    @property
    def is_near(self) -> bool:
        return self.each_way == 0.0


NEAR: Final = Way("near")
FAR: Final = Way("far", EACH_WAY)
REORDERED: Final = Way("reordered", EACH_WAY, (0.0, 0.05, 0.2, 0.4))
OLD: Final = replace(FAR, name="218", level=218)
CURRENT: Final = replace(FAR, name="371", level=371)
NEWEST: Final = replace(FAR, name="496", level=496)
WAYS: Final = {way.name: way for way in (NEAR, FAR, REORDERED, OLD, CURRENT, NEWEST)}


class _Lane:
    """One direction of a connection: delays what is put in, keeping its order."""

    def __init__(self, out: asyncio.Transport) -> None:
        self._out = out
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[float, bytes | None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def put(self, data: bytes | None, seconds: float) -> None:
        """Queue bytes, or None for the end; never sent before earlier ones."""
        due = self._loop.time() + seconds
        if self._waiting:
            due = max(due, self._waiting[-1][0])
        self._waiting.append((due, data))
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._release)

    def _release(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._waiting and self._waiting[0][0] <= now:
            _, data = self._waiting.popleft()
            if self._out.is_closing():
                continue
            if data is None:
                self._out.close()
            else:
                self._out.write(data)
        if self._waiting:
            self._timer = self._loop.call_at(self._waiting[0][0], self._release)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._out.abort()


class _Said(asyncio.Protocol):
    """Receives the data of one side of a connection."""

    def __init__(self, heard: Callable[[bytes | None], None]) -> None:
        self._heard = heard

    def data_received(self, data: bytes) -> None:
        self._heard(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard(None)


class _Connection(asyncio.Protocol):
    """A client's connection, with the server's connection that it is relayed to."""

    def __init__(self, wire: "_Wire") -> None:
        self._wire = wire
        self._held = 0.0
        self._open_ends = 0
        self._was_answered = True
        self._early: list[bytes | None] = []
        """Data that arrived before the server was connected."""
        self._asking: _Lane | None = None
        self._answering: _Lane | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._answering = _Lane(transport)
        self._wire.connections.add(self)
        self._open_ends = 1
        self._wire.open(self, transport)

    def reached(self, server: asyncio.Transport) -> None:
        """Handle the connection to the server."""
        self._open_ends += 1
        self._wire.connections.add(self)  # again, if the client has disconnected already
        self._asking = _Lane(server)
        for data in self._early:
            self._asked(data)

    def data_received(self, data: bytes) -> None:
        self._asked(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()
        self._asked(None)

    def _asked(self, data: bytes | None) -> None:
        if self._asking is None:
            self._early.append(data)
            return
        if self._was_answered:
            self._held, self._was_answered = self._wire.hold(), False
        self._asking.put(data, self._wire.way.each_way)

    def answered(self, data: bytes | None) -> None:
        """Handle data from the server, or None when it disconnects."""
        if data is None:
            self._ended()
        self._was_answered = True
        if self._answering is not None:
            self._answering.put(data, self._wire.way.each_way + self._held)

    def _ended(self) -> None:
        self._open_ends -= 1
        if not self._open_ends:
            self._wire.connections.discard(self)

    def close(self) -> None:
        """Close both directions."""
        for lane in (self._asking, self._answering):
            if lane is not None:
                lane.close()


class _Wire:
    """All connections through one proxy."""

    def __init__(self, way: Way, host: str, port: int) -> None:
        self.way = way
        self.connections: set[_Connection] = set()
        self._to = host, port
        self._chosen = Random(way.seed)
        self._opening: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def hold(self) -> float:
        """Return the delay of the next request's answers in seconds."""
        return self._chosen.choice(self.way.held)

    def open(self, connection: _Connection, client: asyncio.Transport) -> None:
        """Connect to the server for a client; without a server, the client is disconnected."""
        if self._is_closed:  # it was accepted earlier, and set up only now
            client.abort()
            return
        task = asyncio.ensure_future(self._open(connection, client))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, connection: _Connection, client: asyncio.Transport) -> None:
        loop = asyncio.get_running_loop()
        try:
            server, _ = await loop.create_connection(lambda: _Said(connection.answered), *self._to)
        except OSError:
            client.abort()
        else:
            connection.reached(server)

    async def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        for task in list(self._opening):
            task.cancel()
        while self.connections or self._opening:
            for connection in list(self.connections):
                connection.close()
            await asyncio.sleep(0)


@asynccontextmanager
async def reached(url: str, way: Way) -> AsyncIterator[str]:
    """Yield another URL of the server at `url`, this far from it; the same URL if it is near."""
    if way.is_near:
        yield url
        return
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    wire = _Wire(way, parts.hostname, parts.port)
    listening = await asyncio.get_running_loop().create_server(
        lambda: _Connection(wire), parts.hostname, 0
    )
    try:
        yield f"{parts.scheme}://{parts.hostname}:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        await wire.close()
