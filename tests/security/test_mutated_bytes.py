"""Requests and answers with bytes changed here and there: errors with a sentence on both sides, and both go on."""

import asyncio
import base64
import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.asking import Asking
from tests.listening import listening
from tests.live import Live, Person, live
from tests.security.mutated_bytes import mutated
from tui.api.socket_transport import MOST_IDLE
from tui.api.transport import TransportError

FORM: Final = b"Content-Type: application/x-www-form-urlencoded\r\n"
FILE: Final = (
    b'--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n'
)
BATCH: Final = 400
SOAK_SECONDS: Final = 40.0


def _requests(server: Live, person: Person) -> list[bytes]:
    """One of each kind, right as they stand."""
    host = server.url.removeprefix("http://")
    key = base64.b64encode(f"{person.email}:{person.key}".encode()).decode()
    about = f"Host: {host}\r\nAuthorization: Basic {key}\r\n".encode()

    def request(line: bytes, body: bytes = b"", more: bytes = b"") -> bytes:
        length = b"Content-Length: %d\r\n\r\n" % len(body)
        return line + b" HTTP/1.1\r\n" + about + more + length + body

    chunked = b"POST /api/v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + about + FORM
    return [
        request(b"GET /"),
        request(b"GET /api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=%5B%5D"),
        request(b"GET /api/v1/events?queue_id=x&last_event_id=-1"),
        request(b"GET /user_uploads/2/x/y.txt", b"", b"Range: bytes=0-1\r\n"),
        request(b"GET /avatar/8", b"", b'If-None-Match: "x"\r\nAccept-Encoding: gzip;q=x,br\r\n'),
        request(b"GET /api/v1/events", b"", b"Upgrade: websocket\r\nConnection: Upgrade\r\n"),
        request(b"OPTIONS /api/v1/messages", b"", b"Origin: http://[::\r\n"),
        request(b"POST /api/v1/messages", b"type=direct&to=%5B8%5D&content=hi", FORM),
        request(b"POST /api/v1/register", b"event_types=%5B%22message%22%5D", FORM),
        request(b"POST /api/v1/user_uploads", FILE, b"Content-Type: multipart/form-data; boundary=b\r\n"),
        request(b"PATCH /api/v1/settings", b'{"x":1}', b"Content-Type: application/json\r\n"),
        chunked + b"\r\n5\r\ntype=\r\n6\r\ndirect\r\n0\r\n\r\n",
    ]  # fmt: skip


ANSWERS: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\nX: y\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.0 200 OK\r\n\r\nok",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nzz",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
)


async def _status(server: Live, data: bytes) -> bytes:
    """What a server answers to these bytes and their end: a status, or nothing."""
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(data)
        writer.write_eof()
        return (await reader.read(65_536)).partition(b" ")[2][:3]
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def _ask_oddly(folder: Path, chances: Iterator[random.Random]) -> None:
    async with live(folder) as server:
        ann = await server.person("Ann")
        right = _requests(server, ann)
        for chance in chances:
            data = mutated(chance.choice(right), chance)
            assert not (await _status(server, data)).startswith(b"5"), data[:2000]
        assert (await ann.get("users/me"))["result"] == "success"


async def _answer_oddly(chances: Iterator[random.Random]) -> None:
    answer = b""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    async with listening(serve) as address, Asking(address) as client:
        for chance in chances:
            answer = mutated(chance.choice(ANSWERS), chance)
            try:
                await client.ask(chance.choice(["GET", "POST"]), "/")
            except TransportError:
                pass
            except Exception as error:
                error.add_note(repr(answer[:2000]))
                raise
            assert not client.transport._busy
            assert len(client.transport._idle) <= MOST_IDLE


def _some() -> Iterator[random.Random]:
    """The same ones in each run."""
    return map(random.Random, range(BATCH))


def _many() -> Iterator[random.Random]:
    """Others in each run."""
    end, first = time.monotonic() + SOAK_SECONDS, random.randrange(2**40)
    numbers = itertools.takewhile(lambda _: time.monotonic() < end, itertools.count(first))
    return map(random.Random, numbers)


async def test_no_request_is_an_internal_error(tmp_path: Path) -> None:
    """Whatever a stranger sends, it is refused or answered, and others are served."""
    await _ask_oddly(tmp_path, _some())


async def test_no_answer_is_a_bug_of_the_client() -> None:
    """Whatever stands between me and the server, it is an error of the network."""
    await _answer_oddly(_some())


@pytest.mark.soak
async def test_no_request_is_an_internal_error_for_long(tmp_path: Path) -> None:
    """The same with others in each run."""
    await _ask_oddly(tmp_path, _many())


@pytest.mark.soak
async def test_no_answer_is_a_bug_of_the_client_for_long() -> None:
    """The same with others in each run."""
    await _answer_oddly(_many())
