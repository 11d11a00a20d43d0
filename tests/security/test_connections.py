"""Connections that cost more than they are worth, over real sockets: each ends, and the others are served."""

import asyncio
import contextlib
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from server_lite.config import Timing
from server_lite.events.personal import AlertWordsChanged
from server_lite.http import protocol
from server_lite.http.connections import Connections
from tests.live import UNLIMITED, Live, Person, live, until

QUICK = Timing(headers=0.15, body_stall=0.15, write_stall=0.3)
HEAD = b"POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path, timing=QUICK) as running:
        yield running


@asynccontextmanager
async def connected(
    server: Live,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A socket to the server."""
    parts = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def answered(reader: asyncio.StreamReader) -> bytes:
    """All that the server said until it hung up."""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(10):
            return await reader.read()
    return b""


async def _connections(server: Live) -> list[protocol.GuardedProtocol]:
    """The connections that the server has, as soon as there are any."""
    connections = server.server.server_state.connections
    await until(lambda: len(connections) > 0)
    return [each for each in connections if isinstance(each, protocol.GuardedProtocol)]


async def push(writer: asyncio.StreamWriter, data: bytes, times: int) -> None:
    """Send until the other end has had enough."""
    with contextlib.suppress(ConnectionError):
        for _ in range(times):
            writer.write(data)
            await writer.drain()


async def is_served(server: Live) -> bool:
    """Whether somebody else gets an answer."""
    response = await server.client().get("server_settings")
    return response.status_code == 200


async def test_silent_connections_end(server: Live) -> None:
    """1,500 connections that say nothing are closed, and somebody else is answered meanwhile."""
    async with contextlib.AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(connected(server)) for _ in range(1500)]
        assert await is_served(server)
        assert set(await asyncio.gather(*(answered(reader) for reader, _ in silent))) == {b""}
    await until(lambda: len(server.server.server_state.connections) <= 2)


async def test_a_pause_between_requests_ends(server: Live) -> None:
    """A connection is kept for the next request, as long as that comes in its time."""
    server.server.config.timeout_keep_alive = 0
    asked = b"GET /api/v1/server_settings HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with connected(server) as (reader, writer):
        writer.write(asked * 2)  # the second is no pause
        assert (await answered(reader)).count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("start", [b"GET / HTTP/1.1\r\nX: ", b"\r\n", b"GET /"])
async def test_dripped_headers_end(server: Live, start: bytes) -> None:
    """A header of which a byte comes now and then is not waited for."""
    async with connected(server) as (reader, writer):
        reading = asyncio.ensure_future(answered(reader))
        with contextlib.suppress(ConnectionError):
            while not reading.done():
                writer.write(start[-2:] if start == b"\r\n" else start)
                start = b"\r\n" if start == b"\r\n" else b"x"
                await writer.drain()
                await asyncio.wait({reading}, timeout=0.03)
        assert (await reading)[:12] in (b"", b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "line",
    [
        b"X-A: " + b"a" * 65_000 + b"\r\n",
        b"a:\r\n" * 16_000,
        b"x" * 65_536,
    ],
    ids=["long lines", "short lines", "one line"],
)
async def test_headers_without_end_are_refused(server: Live, line: bytes) -> None:
    """40 MB of headers are not kept: the first 64 KiB end it."""
    async with connected(server) as (reader, writer):
        reading = asyncio.ensure_future(answered(reader))
        await push(writer, HEAD, 1)
        await push(writer, line, 40_000_000 // len(line))
        assert (await reading)[:12] in (b"", b"HTTP/1.1 431")
    assert await is_served(server)


async def test_a_long_address_is_refused(server: Live) -> None:
    """As are the names of pages."""
    async with connected(server) as (reader, writer):
        reading = asyncio.ensure_future(answered(reader))
        await push(writer, b"GET /" + b"a" * 70_000, 1)
        assert (await reading)[:12] in (b"HTTP/1.1 414", b"HTTP/1.1 431")


async def test_a_stalled_body_ends(server: Live) -> None:
    """A body that was announced and does not come is not waited for."""
    async with connected(server) as (reader, writer):
        writer.write(HEAD + b"Content-Length: 1000\r\n\r\nusername=")
        assert (await answered(reader)).startswith(b"HTTP/1.1 408")


async def test_a_slow_body_that_comes_is_read(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody far away on a thin line is served."""
    monkeypatch.setattr(
        protocol.GuardedProtocol, "_wait", lambda *_: None
    )  # it looks when this test says so
    least = int(server.settings.limits.body_bytes_per_second * QUICK.body_stall) + 1
    async with connected(server) as (reader, writer):
        body = b"username=a&password=" + b"b" * 3 * least
        writer.write(
            HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
        )
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body))
        (connection,) = await _connections(server)
        for read in (least, 2 * least, 3 * least):
            writer.write(body[read - least : read])
            await until(lambda: connection._body_bytes == read)  # noqa: B023  # called at once
            connection._look_at_body()
        writer.write(body[3 * least :])
        assert (await answered(reader)).startswith(b"HTTP/1.1 401")


async def test_requests_ahead_end(server: Live) -> None:
    """Tens of thousands of requests, sent without reading an answer, are not kept."""
    async with connected(server) as (reader, writer):
        one = b"GET /api/v1/server_settings HTTP/1.1\r\nHost: localhost\r\n\r\n"
        reading = asyncio.ensure_future(answered(reader))
        await push(writer, one * 1000, 55)
        assert (await reading).count(b"HTTP/1.1 200") < 1000
    assert await is_served(server)


async def test_a_connection_that_ends_behind_a_stream_is_no_error(
    server: Live, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever sends too much behind a stream ends it: no second answer in its middle, no error in the log."""
    ann = await server.person("Ann")
    queue = await ann.post("register", event_types=["alert_words"])
    async with connected(server) as (reader, writer):
        writer.write(_stream_request(ann, queue))
        await reader.readuntil(b'"events"')
        one = b"GET /api/v1/server_settings HTTP/1.1\r\nHost: localhost\r\n\r\n"
        await push(writer, one * 70, 1)
        assert b"HTTP/1.1 429" not in await answered(reader)
    await until(lambda: server.app.queues.waiting == 0)
    assert await is_served(server)
    assert [each.getMessage() for each in caplog.records if each.levelname == "ERROR"] == []


def _stream_request(person: Person, queue: dict[str, Any]) -> bytes:
    known = b64encode(f"{person.email}:{person.key}".encode()).decode()
    path = f"/api/v1/events?queue_id={queue['queue_id']}&last_event_id=-1&event_stream=true"
    return (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {known}\r\n\r\n".encode()
    )


async def test_somebody_who_does_not_read_is_hung_up_on(server: Live) -> None:
    """Answers that nobody fetches are not kept for ever."""
    one = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with connected(server) as (_, writer):
        writer.write(one * 60)
        connections = server.server.server_state.connections
        await until(lambda: len(connections) == 1)
        await until(lambda: len(connections) == 0)


async def test_a_stream_that_is_not_read_is_ended_and_its_events_are_kept(server: Live) -> None:
    """A client that stalls fills no memory: a little is sent ahead, the rest waits in the log."""
    ann = await server.person("Ann")
    queue = await ann.post("register", event_types=["alert_words"])
    long = ["x" * 100] * 1000
    async with connected(server) as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # of the transport it is
        writer.write(_stream_request(ann, queue))
        await until(lambda: server.app.queues.waiting == 1)
        sent = 100  # ten million bytes: more than all buffers on the way take
        for _ in range(sent):
            await server.app.database.write(
                lambda tx: tx.emit(AlertWordsChanged(alert_words=long), to=[ann.id])
            )
        await until(lambda: server.app.queues.waiting == 0)
    events: list[dict[str, Any]] = []
    while more := await ann.events(queue):
        events += more
    assert len(events) == sent


def test_an_address_has_so_many_connections_and_no_more() -> None:
    """One address does not use up what is there for all; this machine's proxy speaks for many."""
    connections = Connections(most=6, most_per_address=2)
    assert [connections.enter("192.0.2.1", is_local=False) for _ in range(3)] == [True, True, False]
    connections.leave("192.0.2.1")
    assert connections.enter("192.0.2.1", is_local=False)
    assert [connections.enter("127.0.0.1", is_local=True) for _ in range(5)] == [True] * 4 + [False]


async def test_a_crowd_is_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is one too many from an address is hung up on at once, and let in when another has left."""
    monkeypatch.setattr(protocol, "is_local", lambda _: False)
    limits = replace(UNLIMITED, connections_per_address=2)
    async with (
        live(tmp_path, limits=limits) as server,
        connected(server) as (_, first),
        connected(server),
        connected(server) as (third, _),
    ):
        assert await answered(third) == b""
        first.close()
        await until(lambda: len(server.server.server_state.connections) == 1)
        assert await is_served(server)
