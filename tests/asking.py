"""Requests over a `SocketTransport`, without the client around it."""

import ssl
from collections.abc import AsyncIterable
from types import TracebackType

from tui.api.socket_transport import SocketTransport
from tui.api.transport import HeaderLines, Request, Response


class Asking:
    """A client of one server at `HOST:PORT`; its connections are closed after the block."""

    def __init__(self, address: str) -> None:
        host, port = address.rsplit(":", 1)
        self.transport = SocketTransport(lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        self._origin = ("http", host, int(port))
        self._host = (b"Host", address.encode())

    async def __aenter__(self) -> "Asking":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.transport.aclose()

    async def get(self, target: str) -> tuple[int, bytes]:
        """Return status and body."""
        return await self.ask("GET", target)

    async def post(self, target: str, body: bytes) -> tuple[int, bytes]:
        """Return status and body."""
        return await self.ask("POST", target, body)

    async def ask(
        self,
        method: str,
        target: str,
        body: bytes | AsyncIterable[bytes] = b"",
        *,
        headers: HeaderLines = (),
    ) -> tuple[int, bytes]:
        """Return status and body of the answer to a request."""
        response = await self.open(method, target, body, headers=headers)
        try:
            parts = []
            while data := await response.read():
                parts.append(data)
        finally:
            await response.aclose()
        return response.status, b"".join(parts)

    async def open(
        self,
        method: str,
        target: str,
        body: bytes | AsyncIterable[bytes] = b"",
        *,
        headers: HeaderLines = (),
    ) -> Response:
        """Return the answer to a request, whose body is not read."""
        lines = [self._host, *headers]
        if isinstance(body, bytes):
            lines.append((b"Content-Length", b"%d" % len(body)))
        request = Request(
            method=method, origin=self._origin, target=target.encode(), headers=lines, body=body
        )
        return await self.transport.answer(request, head_seconds=5.0, body_seconds=5.0)
