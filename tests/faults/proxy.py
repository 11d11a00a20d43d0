"""A proxy that loses answers: requests arrive, their answers do not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.listening import connected, listening


@dataclass(slots=True)
class Proxy:
    """Relays everything except the next `losing` answers; `lost` counts them."""

    host: str
    port: int
    losing: int = 0
    lost: int = 0
    url: str = ""

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one client's connection."""
        async with connected(self.host, self.port) as (from_server, to_server):
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
                await asyncio.gather(asking, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    """Run a proxy to the server of this URL."""
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    proxy = Proxy(parts.hostname, parts.port)
    async with listening(proxy.carry) as place:
        proxy.url = f"http://{place}"
        yield proxy
