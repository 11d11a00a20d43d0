"""A wire that loses answers: what was asked arrives, what is said to it does not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(slots=True)
class Proxy:
    """Passes everything on, but for the next `losing` answers; `lost` counts them."""

    host: str
    port: int
    losing: int = 0
    lost: int = 0
    url: str = ""
    carrying: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client's connection."""
        task = asyncio.create_task(self._carry(reader, writer))
        self.carrying.add(task)
        task.add_done_callback(self.carrying.discard)

    async def close(self) -> None:
        """End the connections that are open while there is a loop for it: Python 3.12 waits for them."""
        for task in tuple(self.carrying):
            task.cancel()
        await asyncio.gather(*self.carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection(self.host, self.port)
        except BaseException:
            writer.transport.abort()
            raise
        asking = asyncio.create_task(_copy(reader, to_server))
        try:
            while answer := await from_server.read(65_536):
                if self.losing:
                    self.losing -= 1
                    self.lost += 1
                    break
                writer.write(answer)
                await writer.drain()
        finally:
            asking.cancel()
            for stream in (to_server, writer):
                stream.close()
                with contextlib.suppress(ConnectionError):
                    await stream.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server of this URL."""
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    proxy = Proxy(parts.hostname, parts.port)
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
        await server.wait_closed()
