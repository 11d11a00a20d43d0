"""Requests over asyncio's streams: which connection is used, and what is left of one that went wrong."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.asking import Asking
from tests.listening import Handler, listening
from tui.api import stream_transport
from tui.api.transport import TransportError

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n"
INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + OK
OLD = b"HTTP/1.0 200 OK\r\n\r\nok"
LAST = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
UNASKED = OK + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad"


class Talks:
    """A server that gives the same answer to each request, and counts its connections."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.connections = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(self.answer)
            await writer.drain()
            if self.answer in (OLD, LAST):
                return


@asynccontextmanager
async def asking(handler: Handler) -> AsyncIterator[Asking]:
    """A client of a server with that handler."""
    async with listening(handler) as address, Asking(address) as client:
        yield client


@pytest.mark.parametrize(
    ("answer", "connections"),
    [(OK, 1), (CHUNKED, 1), (INTERIM, 1), (OLD, 3), (LAST, 3), (UNASKED, 3)],
)
async def test_a_connection_is_kept_where_it_may_be(answer: bytes, connections: int) -> None:
    """The next request goes over the same one, unless the server ended it or is out of step."""
    server = Talks(answer)
    async with asking(server) as client:
        for _ in range(3):
            assert await client.get("/") == (200, b"ok")
            await asyncio.sleep(0)  # what the server did behind its answer arrives
    assert server.connections == connections


async def test_one_that_was_idle_for_long_is_not_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server may be about to close it."""
    monkeypatch.setattr(stream_transport, "KEPT_SECONDS", 0.0)
    server = Talks(OK)
    async with asking(server) as client:
        for _ in range(2):
            await client.get("/")
    assert server.connections == 2


async def test_requests_at_a_time_have_a_connection_each() -> None:
    """A poll that waits holds nothing up, and its connection is kept after it."""
    waiting, go_on = asyncio.Event(), asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            if b"/poll" in head:
                waiting.set()
                await go_on.wait()
            writer.write(OK)

    async with asking(talk) as client:
        poll = asyncio.ensure_future(client.get("/poll"))
        await waiting.wait()
        assert await client.get("/") == (200, b"ok")
        go_on.set()
        assert await poll == (200, b"ok")


async def test_an_answer_before_the_end_of_a_file_is_heard() -> None:
    """A server that takes no more of an upload says why, and the next request has another connection."""
    seen: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
        await writer.drain()
        while await reader.read(65_536):
            pass

    async with asking(talk) as client:
        for _ in range(2):
            assert await client.post("/", b"x" * 500_000) == (413, b"no")
    assert len(seen) == 2


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
        b"SSH-2.0-x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000,
    ],
)
async def test_what_is_no_answer_is_an_error(answer: bytes) -> None:
    """Which is told as what it means (`http_client`)."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    async with asking(talk) as client:
        with pytest.raises(TransportError) as caught:
            await client.get("/")
    assert caught.value.kind == "interrupted"


async def test_a_route_that_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """My laptop wakes up elsewhere while something is sent: the network's trouble, not a bug."""

    async def unreachable(_: asyncio.StreamWriter) -> None:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    async with asking(Talks(OK)) as client:
        monkeypatch.setattr(asyncio.StreamWriter, "drain", unreachable)
        with pytest.raises(TransportError) as caught:
            await client.post("/", b"words")
        assert caught.value.kind == "interrupted"
        monkeypatch.undo()
        assert await client.get("/") == (200, b"ok")


async def test_nobody_there_is_a_refusal_whichever_addresses_a_host_has() -> None:
    """asyncio tells of several failures in words only."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            async with Asking(f"{host}:{port}") as client:
                with pytest.raises(TransportError) as caught:
                    await client.get("/")
            assert caught.value.kind == "refused"


async def test_who_waits_when_it_is_closed_gets_an_error() -> None:
    """And no connection is left behind."""
    waiting = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        waiting.set()
        await reader.read()

    async with asking(talk) as client:
        asked = asyncio.ensure_future(client.get("/"))
        await waiting.wait()
        await client.transport.aclose()
        with pytest.raises(TransportError):
            await asked
