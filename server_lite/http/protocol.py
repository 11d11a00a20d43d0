"""One HTTP connection with limits of everything: bytes, lines, seconds, requests ahead. Decides nothing else.

uvicorn's protocol over httptools reads and writes; it waits forever, and buffers whatever is sent.
Here a request must be complete in time, and one that is too large is answered and disconnected.
"""

import asyncio
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from functools import partial
from typing import Any, Final
from urllib.parse import unquote

import httptools
from uvicorn._types import ASGIVersions
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server_lite.config import Limits, Timing
from server_lite.http.connections import EXTENSION, Connection, Connections
from server_lite.http.cycle import UNAWAITED, Cycle
from server_lite.http.network import is_local, network_of
from server_lite.http.turns import Turns

HEADER_BYTES: Final = 64 * 1024
"""Limit for the headers of one request, its first line included."""
HEADER_LINES: Final = 100
REQUESTS_AHEAD: Final = 64
"""Limit of requests sent before the first one is answered."""


Begin = Callable[[Any, bytes, Cycle], Callable[..., Awaitable[None]] | None]
"""Answers a request that arrived whole, without a task; or returns the application that answers it in one.

Its arguments are the ASGI scope, the body, and what takes the answer.
"""


class Guard:
    """State shared by all connections of a server: their count and limits."""

    def __init__(
        self,
        connections: Connections,
        limits: Limits,
        timing: Timing,
        *,
        begin: Begin | None,
        name_visitor: Callable[[Any], object] | None = None,
    ) -> None:
        """`begin` None: all requests get tasks. `name_visitor` sets in an ASGI scope who a request is from."""
        self.connections: Final = connections
        self.limits: Final = limits
        self.timing: Final = timing
        self.begin = begin
        self.name_visitor: Final = name_visitor
        self.turns: Final = Turns()
        self.is_leaving = False
        """Whether the server is stopping: connections accepted just before are closed at once."""

    def protocol(self, *args: Any, **kwargs: Any) -> "GuardedProtocol":
        """Return the protocol of a new connection, as uvicorn's factory does."""
        protocol = GuardedProtocol(*args, **kwargs)
        protocol.guard = self
        return protocol


_ASGI: Final[ASGIVersions] = {"version": "3.0", "spec_version": "2.3"}


class GuardedProtocol(HttpToolsProtocol):
    """A connection that is closed when the client is too slow, or sends too much."""

    guard: Guard
    cycle: Cycle | None  # type: ignore[assignment]  # uvicorn's lacks None
    """The latest request; None before the first."""
    _entered: str | None = None
    _deadline: asyncio.TimerHandle | None = None
    _idle: asyncio.TimerHandle | None = None
    _idle_since: float | None = None
    _unread: asyncio.TimerHandle | None = None
    _answered: Cycle | None = None
    """The request that is answered now, or was last; later ones wait."""
    _unstarted: Cycle | None = None
    """The request whose headers were read, and whose body may come with the same data."""
    _header_bytes = 0
    _read_bytes = 0
    """Of what was read last."""
    _head_bytes = 0
    """Of all reads since the one in which the request began: its head has at most as many."""
    _body_bytes = 0
    _body_seen = 0
    _in_headers = False
    _is_counting = False
    _bare_bytes = 0
    """What came since the last part of a body, and is none itself: sizes of chunks, and trailers."""
    _is_waiting = _is_at_end = False
    """Whether a request waits for its turn; and whether its client closed its half of the connection meanwhile."""
    _is_refused = False
    _last_words = b""
    """The answer to a refused request, to be sent after those of the requests before it."""

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        """Count the connection, and start waiting for a request."""
        super().connection_made(transport)
        self._life = Connection()
        self._extensions: dict[str, Any] = {EXTENSION: self._life}
        if self.guard.is_leaving:
            transport.abort()
            return
        if self._entered is None and not self.enter(self.client[0] if self.client else ""):
            transport.abort()
            return
        self._wait(self.guard.timing.headers, self._headers_late)

    def enter(self, host: str) -> bool:
        """Count the connection, if the limits allow it; before it is made, where a TLS handshake comes first."""
        network = network_of(host)
        if not self.guard.connections.enter(network, is_local=is_local(host)):
            return False
        self._entered = network
        return True

    def leave(self) -> None:
        """Stop counting the connection."""
        if self._entered is not None:
            self.guard.connections.leave(self._entered)
            self._entered = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_waiting()
        for timer in (self._unread, self._idle):
            if timer is not None:
                timer.cancel()
        self._disconnect()
        self.leave()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's may tell to keep the connection
        """Close the connection, but not before a request that waits for its turn has begun: its client may read on."""
        # TLS has no half-closed connections.
        self._is_at_end = self._is_waiting and self.scheme == "http"
        return self._is_at_end

    def data_received(self, data: bytes, *, is_in_turn: bool = False) -> None:
        """Feed the parser, unless the request is already too large; later, if much came in this turn of the loop."""
        if not is_in_turn and self.guard.turns.is_late:
            self._idle_since = None
            self.transport.pause_reading()
            self.guard.turns.read_later(_asker(self.scope), partial(self._read_late, data))
            return
        if self._is_refused:
            return
        size = len(data)
        if self._in_headers or self.cycle is None or not self.cycle.more_body:
            if not self._is_counting:
                self._count_headers()
            self._header_bytes += size
        self._bare_bytes += size
        self._read_bytes = size
        self._head_bytes += size
        self._idle_since = None
        self._parse(data)
        if self._unstarted is not None:
            self._start(self._unstarted)
        if self._is_counting or self.cycle is None or self.cycle.more_body:
            self._limit_rest()  # most requests are complete by now, and need no timer

    def _read_late(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self.flow.read_paused:  # else what is unanswered goes on first
            self.transport.resume_reading()
        self.data_received(data, is_in_turn=True)

    def _limit_rest(self) -> None:
        """Refuse what is too long, and wait for the rest of a request only so long."""
        if self._is_refused:
            return
        is_in_headers = self._in_headers or self.cycle is None or not self.cycle.more_body
        if (self._header_bytes if is_in_headers else self._bare_bytes) > HEADER_BYTES:
            self._refuse(431, "Request Header Fields Too Large")
        elif self._deadline is None and not self.transport.is_closing():
            if not is_in_headers:
                self._wait(self.guard.timing.body_stall, self._look_at_body)
            elif self._is_counting:
                self._wait(self.guard.timing.headers, self._headers_late)

    def _parse(self, data: bytes) -> None:
        """Feed the parser. A request for another protocol is read again without its wish, as we speak none.

        The parser would take its body for the other protocol, and then for a request.
        """
        parts = [data]
        while parts and not self._is_refused:
            part = parts.pop()
            try:
                self.parser.feed_data(part)
            except httptools.HttpParserUpgrade as stop:
                parts += (part[stop.args[0] :], self._head_without_upgrade())
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            except httptools.HttpParserError:
                self._refuse(400, "Invalid HTTP request received.")

    def _head_without_upgrade(self) -> bytes:
        """Return the head that was read last, as a request that stays with this protocol."""
        version = self.parser.get_http_version().encode()
        lines = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        first = b"%b %b HTTP/%b\r\n" % (self.parser.get_method(), self.url, version)
        return b"".join((first, *lines, b"\r\n"))

    def pause_writing(self) -> None:
        """Start a timer when the client does not read."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.guard.timing.write_stall, self._hang_up)

    def resume_writing(self) -> None:
        """Stop the timer when the client reads again."""
        if self._unread is not None:
            self._unread.cancel()
        super().resume_writing()

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        """Start a request."""
        self._in_headers = True
        self._head_bytes = self._read_bytes
        if not self._is_counting:
            self._count_headers()
        self.url = b""
        self.expect_100_continue = False
        self.headers = []

    def on_url(self, url: bytes) -> None:
        """Handle a part of the URL; the parser passes long ones in several."""
        self.url += url
        if len(self.url) > HEADER_BYTES:
            self._refuse(414, "URI Too Long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Handle one header line. Those after the body are none: who read the headers decided without them."""
        if self._is_refused or not self._in_headers:
            return
        if len(self.headers) >= HEADER_LINES:
            self._refuse(431, "Request Header Fields Too Large")
            return
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        """Start the answer; the body has its own time limit."""
        if self._is_refused:
            return
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                self._refuse(405, "Method Not Allowed")
            return
        if self._head_bytes > HEADER_BYTES and self._has_long_headers():
            self._refuse(431, "Request Header Fields Too Large")
            return
        if self._deadline is not None:
            self._stop_waiting()
        self._in_headers = self._is_counting = False
        self._header_bytes = 0
        self._body_bytes = self._body_seen = self._bare_bytes = 0
        if len(self.pipeline) >= REQUESTS_AHEAD:
            self._refuse(429, "Too Many Requests")
            return
        self._begin_cycle()

    def _has_long_headers(self) -> bool:
        """Whether the headers are beyond their limit, in whatever pieces they came."""
        lines = sum(len(name) + len(value) + 4 for name, value in self.headers)
        return len(self.url) + lines > HEADER_BYTES

    def _begin_cycle(self) -> None:
        """Start to answer, as uvicorn does, with our own cycle; or queue behind earlier requests."""
        version = self.parser.get_http_version()
        url = httptools.parse_url(self.url)
        path = url.path.decode("ascii")
        assert self.scheme is not None
        self.scope = {
            "type": "http",
            "asgi": _ASGI,
            "http_version": version,
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": self.parser.get_method().decode("ascii"),
            "root_path": "",
            "path": unquote(path) if "%" in path else path,
            "raw_path": url.path,
            "query_string": url.query or b"",
            "headers": self.headers,
            "extensions": self._extensions,
        }
        if self.guard.name_visitor is not None:
            self.guard.name_visitor(self.scope)
        before = self.cycle
        self.cycle = Cycle(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=UNAWAITED,
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if before is None or before.response_complete:
            self._unstarted = self.cycle
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def _start(self, cycle: Cycle, *, is_in_turn: bool = False) -> None:
        """Start to answer, or let others begin before it if many came in this turn of the event loop.

        Most changes arrive whole, and need no task that waits for their bodies.
        """
        self._unstarted = None
        if self.transport.is_closing():
            return
        turns = self.guard.turns
        if not is_in_turn and turns.is_over:
            self._is_waiting = True
            turns.wait(_asker(cycle.scope), partial(self._start, cycle, is_in_turn=True))
            return
        self._is_waiting = False
        turns.spend(1)
        self._answered = self._life.output = cycle
        app: Callable[..., Awaitable[None]] | None = self.app
        if self.guard.begin is not None and not (cycle.more_body or self.flow.write_paused):
            app = self.guard.begin(cycle.scope, bytes(cycle.body), cycle)
        if app is not None:
            turns.spend_task()
            self._start_asgi_task(cycle, app)
        if self._is_at_end:
            self.loop.call_soon(self.transport.close)

    def on_body(self, body: bytes) -> None:
        """Handle a part of the body."""
        if self._is_refused:
            return
        self._body_bytes += len(body)
        self._bare_bytes = 0
        cycle = self.cycle
        assert cycle is not None
        if cycle.response_complete:
            return
        cycle.body += body
        if len(cycle.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        if cycle.is_awaited:
            cycle.message_event.set()

    def on_message_complete(self) -> None:
        """Handle the end of the request."""
        if self._is_refused or self._in_headers:  # as after a request for another protocol
            return
        if self._deadline is not None:
            self._stop_waiting()
        cycle = self.cycle
        assert cycle is not None
        if not cycle.response_complete:
            cycle.more_body = False
            if cycle.is_awaited:
                cycle.message_event.set()
        if self._unstarted is not None:
            self._start(self._unstarted)

    # Between requests, as uvicorn does it, with one timer for all pauses

    def on_response_complete(self) -> None:
        """Continue with the next request, which may have arrived already."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            self.flow.resume_reading()
        if self.pipeline:
            cycle, _ = self.pipeline.pop()
            assert isinstance(cycle, Cycle)
            # Not at once: each of many would be answered within the answer to the one before.
            self.loop.call_soon(self._start, cycle)
            return
        if self._last_words:
            self._finish(self._last_words)
            return
        self._idle_since = self.loop.time()
        if self._idle is None:
            self._idle = self.loop.call_later(self.timeout_keep_alive, self._look_if_idle)

    def _look_if_idle(self) -> None:
        self._idle = None
        if self._idle_since is None:
            return
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self._idle = self.loop.call_later(left, self._look_if_idle)
        else:
            self.timeout_keep_alive_handler()

    # Timers

    def _count_headers(self) -> None:
        """Count header bytes from the first byte of a request."""
        self._is_counting = True
        self._header_bytes = 0

    def _headers_late(self) -> None:
        if self._in_headers:
            self._refuse(408, "Request Timeout")
        else:
            self._hang_up()

    def _look_at_body(self) -> None:
        """Require some bytes in each period, unless reading is paused on our side."""
        least = (
            self._body_seen + self.guard.limits.body_bytes_per_second * self.guard.timing.body_stall
        )
        if self._body_bytes < least and not self.flow.read_paused:
            self._refuse(408, "Request Timeout")
            return
        self._body_seen = self._body_bytes
        self._wait(self.guard.timing.body_stall, self._look_at_body)

    def _wait(self, seconds: float, then: Any) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, then)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: int, text: str) -> None:
        """Send an error, unless an answer was started, and disconnect; the rest of the request is ignored.

        Requests before it are answered first: their changes are made, and the error is not theirs.
        """
        self._is_refused = True
        self._stop_waiting()
        if self.transport.is_closing():
            return
        body = text.encode()
        date = formatdate(usegmt=True).encode()
        answer = (
            b"HTTP/1.1 %d %s\r\ndate: %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n"
            b"connection: close\r\n\r\n%s" % (status, body, date, len(body), body)
        )
        latest = self.cycle
        if latest is None or latest.response_complete:
            self._finish(answer)
        elif not latest.more_body or self.pipeline:
            if latest.more_body:  # it is the refused one, and waits behind others
                self.pipeline.popleft()
            self._last_words = answer
            self._wait(self.guard.timing.headers, self._hang_up)
        else:
            self._finish(b"" if latest.response_started else answer)

    def _finish(self, answer: bytes) -> None:
        self.transport.write(answer)
        self._hang_up()

    def _hang_up(self) -> None:
        self._disconnect()
        self.pipeline.clear()
        self.transport.close()
        # A peer that reads nothing would keep the unsent data, and the descriptor, forever.
        self.loop.call_later(self.guard.timing.headers, self.transport.abort)

    def _disconnect(self) -> None:
        """End the request that is answered, and the latest, which may wait behind it."""
        for cycle in (self._answered, self.cycle):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self._life.end()


def _asker(scope: Any) -> object:
    """Return what is the same for all requests of one who asks: the address and the key, which may be wrong."""
    if scope is None:  # the connection's first request is not read yet
        return None
    key = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    return scope["client"] and scope["client"][0], key
