"""One request and its answer, whose head and body are sent in one write. Decides nothing.

uvicorn writes the head as soon as it is known. Each write is a system call and wakes the client, which
can do nothing with a head alone: that took a tenth of a poll's time.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent, HTTPResponseBodyEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from server_lite.http.conditional import Header

_ALLOWED: Final = b"\t" + bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100))
"""Characters allowed in headers: a line break would allow injecting further headers."""
_JOINED: Final = 256 * 1024
"""Maximum bytes of a body that is copied to join it with the head."""
_WITHOUT_LENGTH: Final = frozenset((204, 304))


class _Unawaited(asyncio.Event):
    """The event of requests for which no task waits: most arrive whole."""

    def set(self) -> None:
        pass


UNAWAITED: Final = _Unawaited()


class Cycle(RequestResponseCycle):
    """uvicorn's cycle, for answers with a known length; others are left to uvicorn."""

    _head: bytes = b""
    """The head, not yet written."""
    is_awaited = False
    """Whether a task waits for the request's body or end: then `message_event` is set when there is more of it."""

    async def receive(self) -> ASGIReceiveEvent:
        """Wait for the next part of the body, or for the end."""
        if not self.is_awaited:
            self.is_awaited = True
            self.message_event = asyncio.Event()
            if self.body or not self.more_body:
                self.message_event.set()
        return await super().receive()

    async def send(self, message: ASGISendEvent) -> None:
        """Handle the start of the answer, or a part of its body, as ASGI sends them."""
        if message["type"] == "http.response.start" and not self.response_started:
            headers = [*message.get("headers", ())]
            length = _length(message["status"], headers)
            if length is None:
                await super().send(message)
            elif not self.disconnected:
                self._begin(message["status"], headers, length)
        elif self.chunked_encoding or self.response_complete:
            await super().send(message)
        else:
            part = cast(HTTPResponseBodyEvent, message)
            await self._go_on(part.get("body", b""), is_last=not part.get("more_body", False))

    @property
    def is_writable(self) -> bool:
        """Whether a part can be written at once: the answer goes on, and its client reads."""
        return bool(
            self.chunked_encoding
            and not self.response_complete
            and not self.disconnected
            and not self.flow.write_paused
        )

    def framed(self, part: bytes) -> bytes:
        """Return a part of an answer without a known length as it is written, which is the same for all answers."""
        return b"%x\r\n%b\r\n" % (len(part), part)

    def write_framed(self, framed: bytes) -> None:
        """Write such a part, without waiting. Only while the answer is writable."""
        self.transport.write(framed)

    async def drained(self) -> None:
        """Wait until the client has read most of what was written, or is gone."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()

    def cut(self) -> None:
        """Close the connection in the middle of the answer: its client sees that it is incomplete."""
        self.disconnected = True
        self.transport.close()

    def _begin(self, status: int, headers: Sequence[Header], length: int) -> None:
        self.waiting_for_100_continue = False
        self.chunked_encoding = False
        self.expected_content_length = 0 if self.scope["method"] == "HEAD" else length
        self._head = self._head_of(status, headers)
        self.response_started = True

    def _head_of(
        self, status: int, headers: Sequence[Header], standard: tuple[Header, ...] = ()
    ) -> bytes:
        lines = [
            STATUS_LINE[status],
            *map(_line, self.default_headers),
            _lines(standard),
            *map(_line, headers),
        ]
        if not self.keep_alive:
            lines.append(b"connection: close\r\n")
        lines.append(b"\r\n")
        return b"".join(lines)

    def answer(
        self,
        status: int,
        headers: Sequence[Header],
        body: bytes,
        standard: tuple[Header, ...] = (),
    ) -> None:
        """Send a whole answer at once, to a client that was reading when its request began.

        `standard` are further headers, which most answers have.
        """
        if self.disconnected:
            return
        self.response_started = True
        self.transport.write(self._head_of(status, headers, standard) + body)
        self._complete()

    async def _go_on(self, body: bytes, *, is_last: bool) -> None:
        await self.drained()
        if not self.disconnected:
            self._write(body, is_last=is_last)

    def _write(self, body: bytes, *, is_last: bool) -> None:
        if self.scope["method"] == "HEAD":
            body = b""
        self.expected_content_length -= len(body)
        if self.expected_content_length < 0 or (is_last and self.expected_content_length):
            raise RuntimeError("The response is not as long as its Content-Length.")
        head, self._head = self._head, b""
        if len(body) <= _JOINED:
            body = head + body
        elif head:
            self.transport.write(head)
        self.transport.write(body)
        if is_last:
            self._complete()

    def _complete(self) -> None:
        self.response_complete = True
        if self.is_awaited:
            self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()


@lru_cache(300)  # most are in each answer
def _line(header: Header) -> bytes:
    name, value = header
    if name.translate(None, _ALLOWED) or value.translate(None, _ALLOWED):
        raise RuntimeError("Invalid HTTP header.")
    return b"%b: %b\r\n" % (name, value)


@lru_cache(10)
def _lines(headers: tuple[Header, ...]) -> bytes:
    return b"".join(map(_line, headers))


def _length(status: int, headers: Sequence[Header]) -> int | None:
    """Return the body's length in bytes, None if unknown."""
    for name, value in headers:
        if name == b"content-length":
            return int(value)
    return 0 if status in _WITHOUT_LENGTH else None
