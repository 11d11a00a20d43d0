"""Requests over a `StreamTransport`, without the client around it."""

import ssl
from types import TracebackType

from tui.api.stream_transport import StreamTransport
from tui.api.transport import Request


class Asking:
    """A client of one server at `HOST:PORT`; its connections are closed after the block."""

    def __init__(self, address: str) -> None:
        host, port = address.rsplit(":", 1)
        self.transport = StreamTransport(lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
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

    async def ask(self, method: str, target: str, body: bytes = b"") -> tuple[int, bytes]:
        """Return status and body of the answer to a request."""
        headers = [self._host, (b"Content-Length", b"%d" % len(body))]
        request = Request(
            method=method, origin=self._origin, target=target.encode(), headers=headers, body=body
        )
        response = await self.transport.answer(request, head_seconds=5.0, body_seconds=5.0)
        try:
            parts = []
            while data := await response.read():
                parts.append(data)
        finally:
            await response.aclose()
        return response.status, b"".join(parts)
