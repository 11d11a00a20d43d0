"""A server that breaks HTTP, JSON and compression: the client says what it could not read, and stays small."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import pytest

from tests.listening import listening
from tui.api import http_client
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.errors import NetworkError, NotAServer, TuiError

OK: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def whole(body: bytes, *headers: bytes) -> bytes:
    """An answer with this body."""
    lines = b"".join(b"%b\r\n" % each for each in headers)
    return b"%b%bContent-Length: %d\r\n\r\n%b" % (OK, lines, len(body), body)


def bomb() -> bytes:
    """More than an answer may have, as a thousandth of it."""
    packer = zlib.compressobj(1, wbits=31)
    blank = b" " * 2**20
    return b"".join([*(packer.compress(blank) for _ in range(128)), packer.flush()])


FINE: Final = b'{"result":"success","msg":""}'
ANSWERS: Final = {
    "nothing": b"",
    "no HTTP": b"220 mail.example ESMTP\r\n",
    "TLS": b"\x15\x03\x01\x00\x02\x02\x46",
    "a head without end": OK + b"X-A: " + b"a" * 2**20,
    "lines without end": OK + b"A: b\r\n" * 200_000,
    "a status without meaning": b"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n",
    "no status": b"HTTP/1.1 OK\r\n\r\n",
    "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    "interim answers": b"HTTP/1.1 103 Early Hints\r\n\r\n" * 20_000,
    "a negative length": OK + b"Content-Length: -1\r\n\r\n{}",
    "two lengths": OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length of 5,000 digits": OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}",
    "a length that is not kept": OK + b"Content-Length: 100\r\n\r\n{}",
    "chunks of nonsense": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "a chunk without end": OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 2**18,
    "a zero byte in a header": OK + b"X: a\0b\r\nContent-Length: 2\r\n\r\n{}",
    "deep JSON": whole(b"[" * 100_000 + b"]" * 100_000),
    "deep JSON in an object": whole(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "NaN": whole(b'{"result":"success","x":NaN}'),
    "half a pair": whole(b'{"result":"success","msg":"\\ud800"}'),
    "no UTF-8": whole(b'{"result":"success","msg":"\xff"}'),
    "a number of 100,000 digits": whole(b'{"result":"success","x":' + b"9" * 100_000 + b"}"),
    "a list": whole(b"[1]"),
    "no result": whole(b"{}"),
    "a result that is none": whole(b'{"result":1}'),
    "an error that is none": whole(b'{"result":"error","msg":7,"code":[]}'),
    "a page": OK.replace(b"application/json", b"text/html") + b"Content-Length: 4\r\n\r\n<a/>",
    "a bomb": whole(bomb(), b"Content-Encoding: gzip"),
    "half of gzip": whole(gzip.compress(FINE * 9)[:40], b"Content-Encoding: gzip"),
    "much behind gzip": whole(gzip.compress(FINE) + bytes(2**17), b"Content-Encoding: gzip"),
    "a body without end of gzip": OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(FINE)[:-1],
    "gzip in gzip": whole(gzip.compress(gzip.compress(FINE)), b"Content-Encoding: gzip, gzip"),
    "brotli": whole(FINE, b"Content-Encoding: br"),
    "no gzip": whole(FINE, b"Content-Encoding: gzip"),
    "a redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:9/x\r\nContent-Length: 0\r\n\r\n",
    "a redirect to nowhere": b"HTTP/1.1 302 Found\r\nLocation: http://[::\r\nContent-Length: 0\r\n\r\n",
    "limits for ever": b"HTTP/1.1 429 Wait\r\nRetry-After: nan\r\nContent-Length: 2\r\n\r\n{}",
    "a limit of 400 digits": b"HTTP/1.1 429 Wait\r\nContent-Length: 450\r\n\r\n"
    + (b'{"result":"error","msg":"","retry-after":' + b"9" * 400 + b"}").ljust(450),
}
"""Answers by what is wrong with them; of those that differ from JSON nothing is believed."""


@asynccontextmanager
async def saying(answer: bytes) -> AsyncIterator[str]:
    """A server with one answer to everything, yields its URL."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_a_broken_answer_is_a_clear_error(answer: bytes) -> None:
    """One of ours, with a sentence, whatever came; and what came is not kept."""
    async with saying(answer) as url:
        connection = Connection(
            parse_base_url(url, allow_http=True), credentials=Credentials("a@b.c", "k" * 32)
        )
        tracemalloc.start()
        try:
            with pytest.raises(TuiError) as caught:
                await asyncio.wait_for(connection.get("/users", {}), 10)
            assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
        finally:
            tracemalloc.stop()
            await connection.aclose()
    assert str(caught.value)


async def test_headers_that_trickle_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the events nor a file wait for the end of headers for days."""
    monkeypatch.setattr(http_client, "TOTAL_SECONDS", 0.02)

    async def trickle(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            writer.write(OK)
            while not writer.is_closing():
                writer.write(b"X")
                await writer.drain()
                await asyncio.sleep(0)

    async with listening(trickle) as address:
        connection = Connection(
            parse_base_url(f"http://{address}", allow_http=True), credentials=None
        )
        with pytest.raises(NetworkError) as caught:
            async with connection.get_lines("/events", {}, seconds=0.02):
                pass
        assert caught.value.kind == "timeout"
        with pytest.raises(NetworkError) as caught:
            async with connection.download("/user_uploads/1", max_bytes=99):
                pass
        assert caught.value.kind == "timeout"
        await connection.aclose()


async def test_a_redirect_takes_no_key_elsewhere() -> None:
    """Neither a call nor a file of the server leads to another one with my key."""
    asked: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(whole(FINE))
        writer.close()

    elsewhere = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = elsewhere.sockets[0].getsockname()[1]
    head = (
        b"HTTP/1.1 307 Elsewhere\r\nLocation: //127.0.0.1:%d/x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        % port
    )
    async with elsewhere, saying(head) as url:
        connection = Connection(
            parse_base_url(url, allow_http=True), credentials=Credentials("a@b.c", "k" * 32)
        )
        with pytest.raises(NotAServer):
            await connection.get("/users", {})
        with pytest.raises(NotAServer):
            async with connection.download("/user_uploads/1", max_bytes=99, elsewhere=False):
                pass
        assert asked == []
        async with connection.download("/user_uploads/1", max_bytes=99) as file:
            assert b"".join([chunk async for chunk in file.chunks]) == FINE
        await connection.aclose()
    (request,) = asked
    assert b"uthorization" not in request
    assert b"a@b.c" not in request
