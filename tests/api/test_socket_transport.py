"""Requests over sockets: which connection is used, and what is left of one that went wrong."""

import asyncio
import errno
import gc
import socket
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import pytest

from tests.asking import Asking
from tests.listening import Handler, listening
from tui.api import socket_transport
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


@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="the system names it differently")
async def test_a_server_that_is_gone_is_noticed_within_a_minute() -> None:
    """A cable is pulled while a stream waits for events: the system asks, nothing of ours has to."""
    async with asking(Talks(OK)) as client:
        await client.get("/")
        connection = client.transport._idle[0]._transport.get_extra_info("socket")
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle, interval, count = (
            connection.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        )
    assert idle + interval * count < 60


def test_a_connection_that_takes_no_option_is_used_without() -> None:
    """macOS refuses options where the server has closed the connection already."""
    with socket.socket() as connection:
        connection.close()
        socket_transport._keep_alive(connection)


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
    monkeypatch.setattr(socket_transport, "KEPT_SECONDS", 0.0)
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


async def _parts(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def test_a_file_goes_in_parts() -> None:
    """However slowly the server takes it, and the connection is kept."""
    bodies: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\n")
            bodies.append(await reader.readexactly(5_000_000))
            writer.write(OK)

    async with asking(talk) as client:
        for _ in range(2):
            file = _parts(b"", *[b"x" * 500_000] * 10)
            length = (b"Content-Length", b"5000000")
            assert await client.ask("POST", "/", file, headers=[length]) == (200, b"ok")
    assert bodies == [b"x" * 5_000_000] * 2


@pytest.mark.parametrize("parts", [(b"shorter",), (b"longer than ten",), (b"0123456789", b"x")])
async def test_a_file_that_changes_meanwhile_is_no_request(parts: tuple[bytes, ...]) -> None:
    """The rest of it, or what follows, would be taken for another request."""
    bodies: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        bodies.append(await reader.read())

    async with asking(talk) as client:
        with pytest.raises(TransportError):
            await client.ask("POST", "/", _parts(*parts), headers=[(b"Content-Length", b"10")])
        assert not client.transport._busy
        assert not client.transport._idle
    assert all(len(body) <= 10 for body in bodies)


@pytest.mark.parametrize("value", [b"a\r\nX: y", b"a\nX: y", b"a\rX: y", b"a\0b"])
async def test_a_value_is_no_other_header(value: bytes) -> None:
    """The generation of an organization is the server's word, and goes back to it."""
    server = Talks(OK)
    async with asking(server) as client:
        with pytest.raises(TransportError):
            await client.ask("GET", "/", headers=[(b"Organization-Generation", value)])


async def test_a_body_waits_on_its_way() -> None:
    """Who does not read keeps the server waiting, and not the memory full."""
    size = 20_000_000
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head)
        for _ in range(20):
            writer.write(b"x" * (size // 20))
            await writer.drain()

    async with asking(talk) as client:
        response = await client.open("GET", "/")
        (wire,) = client.transport._busy
        while wire._transport.is_reading():  # noqa: ASYNC110  # nothing reports it
            await asyncio.sleep(0)
        received = most = 0
        while data := await response.read():
            received += len(data)
            most = max(most, len(data))
        await response.aclose()
    assert received == size
    assert most < 2 * socket_transport.MOST_UNREAD


async def test_an_answer_without_a_length_ends_with_the_connection_only_if_the_server_ends_it() -> (
    None
):
    """Half of it is not all of it."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nhalf")
        await reader.read()

    async with asking(talk) as client:
        response = await client.open("GET", "/")
        assert await response.read() == b"half"
        waiting = asyncio.ensure_future(response.read())
        await asyncio.sleep(0)
        await client.transport.aclose()
        with pytest.raises(TransportError):
            await waiting


async def test_a_server_that_hangs_up_at_once_is_an_error() -> None:
    """Before it was asked anything."""

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with asking(talk) as client:
        for _ in range(2):
            with pytest.raises(TransportError) as caught:
                await client.get("/")
            assert caught.value.kind == "interrupted"


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


async def test_a_route_that_is_gone_is_an_error() -> None:
    """My laptop wakes up elsewhere while something is sent: the network's trouble, not a bug."""
    waiting = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if waiting.is_set():
            writer.write(OK)
        waiting.set()
        await reader.read()

    async with asking(talk) as client:
        asked = asyncio.ensure_future(client.post("/", b"words"))
        await waiting.wait()
        (wire,) = client.transport._busy
        gone: Any = wire._transport
        gone._force_close(OSError(errno.EHOSTUNREACH, "No route to host"))  # as when it sends
        with pytest.raises(TransportError) as caught:
            await asked
        assert caught.value.kind == "interrupted"
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


class _Dialog:
    """What a context variable refers to, as Textual's do."""


async def test_a_connection_does_not_keep_who_opened_it() -> None:
    """It is used for other requests when the dialog that needed it first is closed."""
    place: ContextVar[_Dialog] = ContextVar("place")
    async with asking(Talks(OK)) as client:

        async def look() -> "weakref.ref[_Dialog]":
            dialog = _Dialog()
            place.set(dialog)
            await client.get("/")
            return weakref.ref(dialog)

        left = await asyncio.create_task(look())
        await asyncio.sleep(0)
        gc.collect()
        assert left() is None


async def test_a_connection_that_was_opened_for_a_canceled_request_is_closed() -> None:
    """Also in the moment in which it is ready."""
    loop = asyncio.get_running_loop()
    opened: asyncio.Future[tuple[Any, Any]] = loop.create_future()

    class Wire:
        is_open = True

        def abort(self) -> None:
            self.is_open = False

    async def connect() -> tuple[Any, Any]:
        return await opened

    wire = Wire()
    waiting = asyncio.create_task(socket_transport._opened(asyncio.create_task(connect())))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    opened.set_result((None, wire))
    loop.call_soon(waiting.cancel)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not wire.is_open
