"""Servers and proxies for tests: on loopback, one handler per connection, everything closed at the end."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from server_lite.server import stop_accepting

Handler: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(
    handler: Handler, *, certificate: ssl.SSLContext | None = None
) -> AsyncIterator[str]:
    """Yield `127.0.0.1:PORT` of a server whose connections end with their handler, or with the block."""
    open_connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await handler(reader, writer)
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_connections[asyncio.ensure_future(handle(reader, writer))] = writer

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=certificate)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        await stop_accepting([server])  # then connections accepted just before are among them
        server.close()
        for task in open_connections:
            task.cancel()
        ends = await asyncio.gather(*open_connections, return_exceptions=True)
        for writer in open_connections.values():
            with suppress(
                AttributeError
            ):  # asyncio's, where it was closed with bytes left, which were written
                writer.transport.abort()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()
        await server.wait_closed()
    for end in ends:
        if isinstance(end, Exception):  # a handler's failed assertion
            raise end


@asynccontextmanager
async def connected(
    host: str, port: int
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Yield a connection to a server, closed after the block, aborted if the block failed."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        yield reader, writer
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    finally:
        writer.transport.abort()
