"""A proxy that answers in the server's place, with answers the server never gave."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from tests.listening import connected, listening

HTML: Final = "text/html; charset=utf-8"
PAGE: Final = b"<!doctype html><html><title>Welcome</title><p>Sign in to the WiFi</html>"


@dataclass(frozen=True, slots=True)
class Lie:
    """An answer that no chat server gave."""

    name: str
    status: str
    content_type: str
    body: bytes
    headers: str = ""

    def written(self) -> bytes:
        """Return the answer as HTTP."""
        head = (
            f"HTTP/1.1 {self.status}\r\nContent-Type: {self.content_type}\r\n{self.headers}"
            f"Content-Length: {len(self.body)}\r\nConnection: close\r\n\r\n"
        )
        return head.encode() + self.body


def _page(status: str, headers: str = "") -> Lie:
    return Lie(f"page {status[:3]}", status, HTML, PAGE, headers)


def _json(name: str, status: str, body: bytes) -> Lie:
    return Lie(name, status, "application/json", body)


PORTALS: Final = (
    _page("200 OK"),
    _page("302 Found", "Location: http://portal.example/login\r\n"),
    _page("400 Bad Request"),
    _page("401 Unauthorized", 'WWW-Authenticate: Basic realm="proxy"\r\n'),
    _page("403 Forbidden"),
    _page("404 Not Found"),
    _page("405 Method Not Allowed"),
    _page("407 Proxy Authentication Required"),
    _page("511 Network Authentication Required"),
    _json("foreign 200", "200 OK", b'{"ok": true, "id": 7, "events": []}'),
    _json("foreign 401", "401 Unauthorized", b'{"error": "unauthorized"}'),
    _json("foreign 403", "403 Forbidden", b'{"code": "PERMISSION_DENIED", "message": "no"}'),
    _json("foreign 404", "404 Not Found", b'{"result": "missing"}'),
    Lie("text 200", "200 OK", "text/plain", b"it works!"),
    Lie("empty 200", "200 OK", "application/json", b""),
    Lie("empty 404", "404 Not Found", "text/plain", b""),
)
"""Captive portals, which answer before the server gets anything."""
BROKEN: Final = (
    _page("500 Internal Server Error"),
    _page("502 Bad Gateway"),
    _page("503 Service Unavailable"),
    _page("504 Gateway Timeout"),
    _json("JSON 500", "500 Error", b'{"result": "error", "msg": "Oh no.", "code": "FAILED"}'),
    _json("JSON 503", "503 Busy", b'{"result": "error", "msg": "Full.", "code": "FULL"}'),
    _page("520 Unknown"),
)
SIGNED_OUT: Final = _json(
    "signed out",
    "401 Unauthorized",
    b'{"result": "error", "msg": "Invalid API key", "code": "INVALID_API_KEY"}',
)
"""In the server's own format; a caching proxy may return it."""
LIES: Final = (*PORTALS, *BROKEN)


@dataclass
class Liar:
    """A proxy on loopback. Requests that start with `begins` get the lie, `told` times so far."""

    host: str
    port: int
    url: str = ""
    lie: Lie | None = None
    begins: tuple[bytes, ...] = ()
    told: int = 0
    asked: list[bytes] = field(default_factory=list)
    """The request lines received."""

    def start(self, lie: Lie, *begins: bytes) -> None:
        """Answer requests with this start with the lie; all requests if none is given."""
        self.lie, self.begins, self.told = lie, begins or (b"",), 0

    def stop(self) -> None:
        """Stop lying."""
        self.lie = None

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one request of a client; each has a connection of its own."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.partition(b"\r\n")[0])
        headers = _headers(head)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        if self.lie is not None and head.startswith(self.begins):
            self.told += 1
            writer.write(self.lie.written())
        else:
            await self._pass_on(head, body, writer)
        await writer.drain()

    async def _pass_on(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection")]
        lines.insert(1, b"Connection: close")
        async with connected(self.host, self.port) as (from_server, to_server):
            to_server.write(b"\r\n".join(lines) + body)
            while data := await from_server.read(65_536):
                writer.write(data)
                await writer.drain()


def _headers(head: bytes) -> Mapping[str, str]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    return {name.lower(): value.strip() for name, _, value in pairs}


@asynccontextmanager
async def lied_to(url: str) -> AsyncIterator[Liar]:
    """Run a proxy to the server of this URL; honest at first."""
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    liar = Liar(parts.hostname, parts.port)
    async with listening(liar.carry) as place:
        liar.url = f"http://{place}"
        yield liar
