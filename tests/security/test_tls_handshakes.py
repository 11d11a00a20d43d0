"""Handshakes that are never completed, over real sockets: they end in time, and count as connections."""

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server_lite.config import Limits, Settings, Timing, Tls
from server_lite.http import protocol
from server_lite.http.turns import HANDSHAKE, MOST
from server_lite.server import Server, running
from tests.live import CHEAP, UNLIMITED, until

PEM = Path(__file__).parents[1] / "e2e" / "self_signed.pem"
ASKED = b"GET /api/v1/server_settings HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
TRUSTING = ssl.create_default_context(cafile=PEM)


@asynccontextmanager
async def encrypted(
    folder: Path, *, seconds: float = 30.0, limits: Limits = UNLIMITED
) -> AsyncIterator[tuple[Server, int]]:
    """A server with TLS, and its port."""
    settings = Settings(
        db=folder / "chinwag.db",
        dev=True,
        passwords=CHEAP,
        tls=Tls(certificate=PEM, key=PEM),
        timing=Timing(headers=seconds),
        limits=limits,
    )
    async with running(settings, signals=False) as (server, url):
        yield server, int(url.rpartition(":")[2])


@asynccontextmanager
async def connected(
    port: int, tls: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A socket to the server; without `tls` it never says what a handshake needs."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the server hung up without a word."""
    try:
        async with asyncio.timeout(10):
            return await reader.read() == b""
    except ConnectionError:
        return True


async def is_answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether a request is answered."""
    writer.write(ASKED)
    async with asyncio.timeout(10):
        return (await reader.readline()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n"])
async def test_one_that_is_not_completed_ends(tmp_path: Path, said: bytes) -> None:
    """Silence, half a greeting and plain HTTP are hung up on in the time that headers have; others are served."""
    async with encrypted(tmp_path, seconds=0.5) as (_, port), AsyncExitStack() as stack:
        half_open = [await stack.enter_async_context(connected(port)) for _ in range(50)]
        for _, writer in half_open:
            writer.write(said)
        assert await is_answered(*await stack.enter_async_context(connected(port, TRUSTING)))
        assert all(await asyncio.gather(*(ended(reader) for reader, _ in half_open)))


async def test_they_count_as_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is one too many from an address is hung up on at once, and let in when a handshake was given up."""
    monkeypatch.setattr(protocol, "is_local", lambda _: False)
    limits = replace(UNLIMITED, connections_per_address=2)
    async with (
        encrypted(tmp_path, limits=limits) as (server, port),
        connected(port) as (_, first),
        connected(port, TRUSTING) as second,
        connected(port) as (third, _),
    ):
        assert await ended(third)
        assert await is_answered(*second)
        first.transport.abort()
        counted = server._guard.connections
        await until(lambda: counted._count == 1)
        async with connected(port, TRUSTING) as fourth:
            assert await is_answered(*fourth)
    assert counted._count == 0


async def test_a_request_may_come_with_the_end_of_the_handshake(tmp_path: Path) -> None:
    """TLS 1.3 clients may send both in one packet; the request is answered."""
    async with encrypted(tmp_path) as (_, port), connected(port) as (reader, writer):
        to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = TRUSTING.wrap_bio(to_client, to_server, server_hostname="127.0.0.1")
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        writer.write(to_server.read())
        while True:
            to_client.write(await reader.read(65536))
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                pass
        client.write(ASKED)
        writer.write(to_server.read())
        answer = b""
        async with asyncio.timeout(10):
            while not answer:
                to_client.write(await reader.read(65536))
                with suppress(ssl.SSLWantReadError):
                    answer = client.read()
        assert answer.startswith(b"HTTP/1.1 200 ")


async def test_a_server_that_stops_waits_for_none(tmp_path: Path) -> None:
    """Handshakes that are not complete end with the server."""
    async with AsyncExitStack() as stack:
        async with encrypted(tmp_path) as (_, port), asyncio.timeout(10):
            reader, _ = await stack.enter_async_context(connected(port))
            assert await is_answered(*await stack.enter_async_context(connected(port, TRUSTING)))
        assert await ended(reader)


async def test_those_of_one_moment_begin_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds that were begun in one turn of the event loop held up everybody else for a fifth of a second."""
    loop, turn, begun = asyncio.get_running_loop(), 0, Counter[int]()
    connect = loop.connect_accepted_socket

    def tick() -> None:
        nonlocal turn
        turn += 1
        ticking.append(loop.call_soon(tick))

    async def counted(*args: Any, **kwargs: Any) -> Any:
        begun[turn] += 1
        return await connect(*args, **kwargs)

    monkeypatch.setattr(loop, "connect_accepted_socket", counted)
    ticking: list[asyncio.Handle] = []
    async with encrypted(tmp_path) as (server, port), AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(port)) for _ in range(30)]
        await until(lambda: server._guard.connections._count == len(clients))
        tick()
        for _, writer in clients:
            greeting = ssl.MemoryBIO()
            client = TRUSTING.wrap_bio(ssl.MemoryBIO(), greeting, server_hostname="127.0.0.1")
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
            writer.write(greeting.read())
        async with asyncio.timeout(10):
            answers = await asyncio.gather(*(reader.read(1) for reader, _ in clients))
        ticking[-1].cancel()
    assert set(answers) == {b"\x16"}
    assert begun.total() == len(clients)
    assert max(begun.values()) <= MOST // HANDSHAKE
