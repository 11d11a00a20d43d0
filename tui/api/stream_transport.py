"""HTTP/1.1 over asyncio's streams, read and written by h11. No redirects, no retries, no httpx."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import h11

from tui.api.transport import (
    CONNECT_SECONDS,
    WRITE_SECONDS,
    Origin,
    Request,
    Response,
    TransportError,
    connect_failure,
)

if TYPE_CHECKING:  # OpenSSL is imported for https
    import ssl

KEPT_SECONDS: Final = 5.0
"""Seconds after which an idle connection is not reused: the server may be about to close it."""
MOST_IDLE: Final = 20
READ_BYTES: Final = 65_536
MOST_HEAD_BYTES: Final = 100 * 1024
FALLBACK_SECONDS: Final = 0.25
"""Seconds after which a host's next address is tried, too."""

_Event: TypeAlias = (
    h11.Response | h11.InformationalResponse | h11.Data | h11.EndOfMessage | type[h11.PAUSED]
)


class StreamTransport:
    """Connections to any number of servers, each kept for the next request to it."""

    def __init__(self, tls: "Callable[[], ssl.SSLContext]") -> None:
        """`tls` returns what verifies servers behind https; it is called for the first of them."""
        self._context = tls
        self._idle: list[_Wire] = []
        self._busy: set[_Wire] = set()

    async def answer(
        self, request: Request, *, head_seconds: float, body_seconds: float | None
    ) -> Response:
        """See `Transport`."""
        wire = self._kept(request.origin) or await self._connect(request.origin)
        self._busy.add(wire)
        try:
            await wire.send(request)
            head = await wire.head(head_seconds)
        except BaseException:
            self._drop(wire)
            raise
        return Response(
            status=head.status_code,
            headers=_headers(head),
            read=partial(wire.body, body_seconds),
            aclose=partial(self._release, wire),
        )

    async def aclose(self) -> None:
        """See `Transport`."""
        wires = [*self._idle, *self._busy]
        for wire in wires:
            self._drop(wire)
        self._idle.clear()
        for wire in wires:
            await wire.closed()

    def _kept(self, origin: Origin) -> "_Wire | None":
        """Return the last used of the idle connections that are still good; None if there is none."""
        now = time.monotonic()
        for wire in [each for each in self._idle if not each.is_good(now)]:
            self._idle.remove(wire)
            self._drop(wire)
        for wire in reversed(self._idle):
            if wire.origin == origin:
                self._idle.remove(wire)
                return wire
        return None

    async def _connect(self, origin: Origin) -> "_Wire":
        scheme, host, port = origin
        with _connecting():
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(
                    host,
                    port,
                    ssl=self._tls() if scheme == "https" else None,
                    server_hostname=host if scheme == "https" else None,
                    happy_eyeballs_delay=None if _is_address(host) else FALLBACK_SECONDS,
                )
        return _Wire(origin, reader, writer)

    def _tls(self) -> "ssl.SSLContext":
        tls = self._context()
        tls.set_alpn_protocols(["http/1.1"])
        return tls

    async def _release(self, wire: "_Wire") -> None:
        """Take a connection back after its answer was read, or is not wanted any more."""
        if wire in self._busy and wire.begin_anew() and len(self._idle) < MOST_IDLE:
            self._busy.discard(wire)
            self._idle.append(wire)
        else:
            self._drop(wire)

    def _drop(self, wire: "_Wire") -> None:
        self._busy.discard(wire)
        wire.abort()


class _Wire:
    """One connection, for one request after the other."""

    def __init__(
        self, origin: Origin, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.origin = origin
        self._reader = reader
        self._writer = writer
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_HEAD_BYTES)
        self._used = time.monotonic()

    async def send(self, request: Request) -> None:
        """Send the whole request."""
        head = h11.Request(
            method=request.method, target=request.target, headers=list(request.headers)
        )
        with _protocol_errors(), suppress(ConnectionError):
            # The server may have answered before it has read all.
            data = self._protocol.send(head)
            if isinstance(request.body, bytes):
                data += self._protocol.send(h11.Data(data=request.body))
            else:
                async for chunk in request.body:
                    if chunk:
                        await self._write(data + self._protocol.send(h11.Data(data=chunk)))
                        data = b""
            await self._write(data + self._protocol.send(h11.EndOfMessage()))

    async def _write(self, data: bytes) -> None:
        self._writer.write(data)
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._writer.drain()
        except TimeoutError as error:
            raise TransportError("timeout") from error
        except ConnectionError:
            raise
        except OSError as error:  # the route is gone, or the network
            raise TransportError("interrupted") from error

    async def head(self, seconds: float) -> h11.Response:
        """Return status and headers of the answer."""
        while True:
            event = await self._event(seconds)
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                raise TransportError("interrupted")

    async def body(self, seconds: float | None) -> bytes:
        """Return the next bytes of the body, empty at its end."""
        event = await self._event(seconds)
        return bytes(event.data) if isinstance(event, h11.Data) else b""

    async def _event(self, seconds: float | None) -> _Event:
        """Return the next part of the answer; `seconds` is how long the server may be silent."""
        # Without a context manager that is a generator: this is done for every event of the server's.
        try:
            while (event := self._protocol.next_event()) is h11.NEED_DATA:
                self._protocol.receive_data(await self._read(seconds))
        except h11.ProtocolError as error:
            raise TransportError("interrupted") from error
        return cast("_Event", event)

    async def _read(self, seconds: float | None) -> bytes:
        try:
            if seconds is None:
                return await self._reader.read(READ_BYTES)
            async with asyncio.timeout(seconds):
                return await self._reader.read(READ_BYTES)
        except TimeoutError as error:
            raise TransportError("timeout") from error
        except OSError as error:
            raise TransportError("interrupted") from error

    def is_good(self, now: float) -> bool:
        """Whether the server has not closed the connection, nor sent anything unasked, and will hardly close
        it now.
        """
        # Its buffer is read: a server that sends data unasked is out of step.
        silent = not (self._reader.at_eof() or self._reader._buffer)  # type: ignore[attr-defined]  # asyncio has no name for it
        return silent and not self._writer.is_closing() and now - self._used < KEPT_SECONDS

    def begin_anew(self) -> bool:
        """Prepare for another request; False where the connection ends with this one."""
        done = self._protocol.our_state is self._protocol.their_state is h11.DONE
        if (
            done and not self._protocol.trailing_data[0]
        ):  # else it would be taken for the next answer
            self._protocol.start_next_cycle()
            self._used = time.monotonic()
            return True
        return False

    def abort(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()

    async def closed(self) -> None:
        """Wait until the connection is closed."""
        with suppress(Exception):
            await self._writer.wait_closed()


def _headers(head: h11.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in head.headers:
        key, text = name.decode("ascii"), _text(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _is_address(host: str) -> bool:
    """Whether the host is an address: asyncio's choice among several leaves a socket open if canceled."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@contextmanager
def _connecting() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise TransportError("connect_timeout") from error
    except OSError as error:
        raise TransportError(connect_failure(_plain(error))) from error
    except UnicodeError as error:  # a name that no host can have
        raise TransportError("dns") from error


def _plain(error: OSError) -> OSError:
    """Return the error itself; where several addresses failed, asyncio has it only in its message."""
    numbers = re.findall(r"\[Errno (\d+)\]", str(error)) if error.errno is None else []
    return OSError(int(numbers[-1]), str(error)) if numbers else error


@contextmanager
def _protocol_errors() -> Iterator[None]:
    try:
        yield
    except h11.ProtocolError as error:
        raise TransportError("interrupted") from error
