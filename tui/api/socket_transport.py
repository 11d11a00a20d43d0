"""HTTP/1.1 over asyncio, on connections that are kept for the next request. No redirects, no retries."""

import asyncio
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, cast

from tui import bugs
from tui.api.answer_parser import AnswerParser
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
MOST_UNREAD: Final = 256 * 1024
"""Bytes of a body that are kept for who reads it; more stay on the way."""
FALLBACK_SECONDS: Final = 0.25
"""Seconds after which a host's next address is tried, too."""
KEEPALIVE: Final = {"TCP_KEEPIDLE": 20, "TCP_KEEPALIVE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""Of a silent connection: seconds until the system asks whether the other side is there, seconds between questions,
and how many of them may stay unanswered. Some systems name the first one differently.
"""
_BREAKS: Final = re.compile(rb"[\r\n\0]")


class SocketTransport:
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
            answer = await wire.send(request)
            while not answer.has_head:
                await wire.more(answer, head_seconds)
        except BaseException:
            self._drop(wire)
            raise
        return Response(
            status=answer.status,
            headers=answer.headers,
            read=partial(wire.body, answer, body_seconds),
            aclose=partial(self._release, wire, answer),
        )

    async def aclose(self) -> None:
        """See `Transport`."""
        wires = [*self._idle, *self._busy]
        for wire in wires:
            self._drop(wire)
        self._idle.clear()
        for wire in wires:
            await wire.closed

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
        connecting = asyncio.get_running_loop().create_connection(
            partial(_Wire, origin),
            host,
            port,
            ssl=self._tls() if scheme == "https" else None,
            happy_eyeballs_delay=None if _is_address(host) else FALLBACK_SECONDS,
        )
        # The loop keeps the context in which a connection is opened as long as that: a closed dialog, and its state.
        task = bugs.awaited_apart(connecting)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await _opened(task)
        except TimeoutError as error:
            raise TransportError("connect_timeout") from error
        except (OSError, UnicodeError) as error:  # or a name that no host can have
            raise TransportError(connect_failure(_plain(error))) from error

    def _tls(self) -> "ssl.SSLContext":
        tls = self._context()
        tls.set_alpn_protocols(["http/1.1"])
        return tls

    async def _release(self, wire: "_Wire", answer: AnswerParser) -> None:
        """Take a connection back after its answer was read, or is not wanted any more."""
        if wire.answer is not answer or wire not in self._busy:
            return
        if wire.begin_anew() and len(self._idle) < MOST_IDLE:
            self._busy.discard(wire)
            self._idle.append(wire)
        else:
            self._drop(wire)

    def _drop(self, wire: "_Wire") -> None:
        self._busy.discard(wire)
        wire.abort()


class _Wire(asyncio.Protocol):
    """One connection, for one request after the other."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.answer = AnswerParser()
        """What has come of the answer to the request that is sent, or sent next."""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self._waiting: asyncio.Future[None] | None = None
        self._is_full = False
        self._is_sent = False
        self._used = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`, as for the next ones."""
        self._transport = cast("asyncio.Transport", transport)
        _keep_alive(transport.get_extra_info("socket"))

    def data_received(self, data: bytes) -> None:
        self.answer.feed(data)
        if self.answer.unread > MOST_UNREAD:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self.answer.end()
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        if error is None:
            self.answer.end()
        else:
            self.answer.is_broken = True
        if not self.closed.done():
            self.closed.set_result(None)
        self._wake()

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        self._wake()

    async def send(self, request: Request) -> AnswerParser:
        """Send the whole request, unless the server answers and ends the connection before."""
        lines = [b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.target)]
        lines += [b"%b: %b" % header for header in request.headers]
        if any(map(_BREAKS.search, lines)):  # a value would be another header
            raise TransportError("interrupted")
        answer, self._is_sent = self.answer, False
        head = b"\r\n".join([*lines, b"", b""])
        if isinstance(request.body, bytes):
            self._transport.write(head + request.body)
        else:
            self._transport.write(head)
            left = int(dict(request.headers)[b"Content-Length"])
            async for chunk in request.body:
                left -= len(chunk)
                if left < 0 or answer.is_broken:
                    break
                self._transport.write(chunk)
                while self._is_full and not answer.is_broken:
                    await self._wait(WRITE_SECONDS)
            if left and not answer.is_broken:  # the file has changed meanwhile
                raise TransportError("interrupted")
        self._is_sent = True
        return answer

    async def more(self, answer: AnswerParser, seconds: float | None) -> None:
        """Wait until more has come of an answer; the server may be silent for `seconds`."""
        if answer.is_broken:
            raise TransportError("interrupted")
        await self._wait(seconds)

    async def body(self, answer: AnswerParser, seconds: float | None) -> bytes:
        """Return the next bytes of the body, empty at its end."""
        while not answer.unread and not answer.is_whole:
            await self.more(answer, seconds)
        data = answer.take()
        if not self._transport.is_reading():
            self._transport.resume_reading()
        return data

    async def _wait(self, seconds: float | None) -> None:
        # `asyncio.timeout` takes twice as long, and each event of the server's comes here.
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, _expire, self._waiting)
        try:
            await self._waiting
        finally:
            self._waiting = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def is_good(self, now: float) -> bool:
        """Whether the server has not closed the connection, nor sent anything unasked, and will hardly close
        it now.
        """
        is_silent = self.answer.is_untouched and not self._transport.is_closing()
        return is_silent and now - self._used < KEPT_SECONDS

    def begin_anew(self) -> bool:
        """Prepare for another request; False where the connection ends with this one."""
        if self._is_sent and self.answer.can_be_followed:
            self.answer = AnswerParser()
            self._used = time.monotonic()
            return True
        return False

    def abort(self) -> None:
        """Close the connection at once."""
        self.answer.is_broken = True
        self._transport.abort()


def _keep_alive(connection: socket.socket) -> None:
    """Have the system notice that the server is gone: an answer that lasts says nothing for a minute."""
    with suppress(OSError):  # some systems refuse it once the server has closed the connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _expire(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_exception(TransportError("timeout"))


async def _opened(task: "asyncio.Task[tuple[asyncio.Transport, _Wire]]") -> _Wire:
    try:
        _, wire = await task
    except asyncio.CancelledError:
        if task.done() and not task.cancelled() and not task.exception():
            task.result()[1].abort()  # it was opened in the same moment
        raise
    return wire


def _is_address(host: str) -> bool:
    """Whether the host is an address: asyncio's choice among several leaves a socket open if canceled."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _plain(error: Exception) -> Exception:
    """Return the error itself; where several addresses failed, asyncio has it only in its message."""
    is_several = isinstance(error, OSError) and error.errno is None
    numbers = re.findall(r"\[Errno (\d+)\]", str(error)) if is_several else []
    return OSError(int(numbers[-1]), str(error)) if numbers else error
