"""Writes bytes to a server as they are, for what no HTTP library would send."""

import asyncio
from urllib.parse import urlsplit

from tests.live import Live


async def exchanged(server: Live, *parts: bytes) -> bytes:
    """Write on a new connection, and return all that comes until the server closes it."""
    at = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    for part in parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    return answer
