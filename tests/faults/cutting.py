"""A proxy that cuts a chosen exchange at a chosen byte, and can hide that the server has a feature."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from tests.listening import connected, listening

Side: TypeAlias = Literal["request", "answer"]
NEVER: Final = 10**9
VERBS: Final = (b"GET /", b"POST /", b"PATCH /", b"PUT /", b"DELETE /")
Words: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Words, with replacements of the same length."""
UNCOMPRESSED: Final = (b"Accept-Encoding", b"X-ccept-Encodin")
"""Compressed data could not be modified."""
KEYS: Final[Words] = (
    (b"Idempotency-Key", b"X-mpotency-Keys"),
    (b'"idempotency_keys"', b'"idempotency_keyz"'),
    UNCOMPRESSED,
)
STREAMS: Final[Words] = ((b'"event_stream"', b'"event_streaz"'), UNCOMPRESSED)


@dataclass(slots=True)
class Cut:
    """Where to cut: after this many bytes of the exchange that starts with `begins`, on one side.

    0 bytes of an answer: the request arrived completely. Afterwards `request` and `answer` count the
    bytes that passed.
    """

    begins: bytes
    side: Side
    after: int
    request: int = 0
    answer: int = 0
    is_done: bool = False

    def room(self, side: Side, data: bytes) -> int:
        """Return how many bytes of `data` pass."""
        passed = self.request if side == "request" else self.answer
        room = min(len(data), max(0, self.after - passed)) if side == self.side else len(data)
        if side == "request":
            self.request += room
        else:
            self.answer += room
        if side == self.side and passed + room >= self.after:
            self.is_done = True
        return room


@dataclass(slots=True)
class Gate:
    """Holds each exchange that starts with `begins` on one side until it is opened, from its next byte on."""

    begins: bytes
    side: Side
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def passed(self) -> None:
        """Wait until the gate is opened."""
        self.reached.set()
        await self.opened.wait()


class Cutter:
    """A proxy on loopback; `cut` is the next cut, None for none.

    `gates` hold exchanges until they are opened: a slow server, without a clock.
    """

    def __init__(self, url: str, *, hides: Words = ()) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        self._target = (parts.hostname, parts.port)
        self._hides = hides
        self.cut: Cut | None = None
        self.gates: list[Gate] = []
        self.url = ""

    def stop(self, begins: bytes, side: Side) -> Gate:
        """Hold everything that starts with `begins`."""
        gate = Gate(begins, side)
        self.gates.append(gate)
        return gate

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection of a client."""
        async with connected(*self._target) as (from_server, to_server):
            line = _Line(self)
            ways = [
                asyncio.ensure_future(self._pass_on(reader, to_server, line.asked, line.asks)),
                asyncio.ensure_future(
                    self._pass_on(from_server, writer, line.answered, line.answers)
                ),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)

    async def _pass_on(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        room: Callable[[bytes], tuple[int, bool]],
        gate: Callable[[], Awaitable[None]],
    ) -> None:
        hiding = _WordReplacer(self._hides) if self._hides else None
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                if hiding is not None:
                    data = hiding.take(data)
                passes, is_over = room(data)
                await gate()
                target.write(data[:passes])
                await target.drain()
                if is_over:
                    return


class _Line:
    """One connection: whether its current exchange is to be cut."""

    def __init__(self, cutter: Cutter) -> None:
        self._cutter = cutter
        self._cut: Cut | None = None
        self._begins = b""

    def asked(self, data: bytes) -> tuple[int, bool]:
        """Return how many of the client's bytes pass, and whether to close then."""
        cut = self._cutter.cut
        if data.startswith(VERBS):  # the next exchange on the same connection
            self._cut = None
            self._begins = data
            if cut is not None and not cut.request and data.startswith(cut.begins):
                self._cut = cut
        return self._passed("request", data)

    def answered(self, data: bytes) -> tuple[int, bool]:
        """Return how many of the server's bytes pass, and whether to close then."""
        return self._passed("answer", data)

    async def asks(self) -> None:
        """Wait at a gate for the client's bytes."""
        await self._wait("request")

    async def answers(self) -> None:
        """Wait at a gate for the server's bytes."""
        await self._wait("answer")

    async def _wait(self, side: Side) -> None:
        for gate in self._cutter.gates:
            if gate.side == side and self._begins.startswith(gate.begins):
                await gate.passed()

    def _passed(self, side: Side, data: bytes) -> tuple[int, bool]:
        if self._cut is None:
            return len(data), False
        if side == "answer" and self._cut.side == "answer" and self._cut.after == 0:
            self._cut.is_done = True
        return self._cut.room(side, data), self._cut.is_done


@dataclass(slots=True)
class _WordReplacer:
    """Replaces words in a stream, even across chunks."""

    words: Words
    _held: bytes = field(default=b"")

    def take(self, data: bytes) -> bytes:
        data = self._held + data
        for name, other in self.words:
            data = data.replace(name, other)
        held = next((n for n in range(20, 0, -1) if self._begins_one(data[-n:])), 0)
        self._held = data[len(data) - held :]
        return data[: len(data) - held]

    def _begins_one(self, data: bytes) -> bool:
        return any(name.startswith(data) for name, _ in self.words)


@asynccontextmanager
async def cuttable(url: str, *, hides: Words = ()) -> AsyncIterator[Cutter]:
    """Run a proxy to the server of this URL."""
    cutter = Cutter(url, hides=hides)
    async with listening(cutter.carry) as place:
        cutter.url = f"http://{place}"
        yield cutter
