"""Where a request begins and ends, and whose answer is whose: also for what no client of ours sends."""

import asyncio
import contextlib
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server_lite.http.turns import Turns
from tests.live import Live, Person, live
from tests.raw_http import exchanged

OPENING = b"POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
LAST = b"Connection: close\r\n"
UPGRADES = (
    b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n",
)


@pytest.fixture(params=[False, True], ids=["at once", "in a crowd"])
async def server(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Live]:
    """A server; in a crowd, all that comes is read in later turns of its loop, and begins in later ones again."""
    if request.param:
        monkeypatch.setattr(Turns, "is_late", True)
        monkeypatch.setattr(Turns, "is_over", True)
    async with live(tmp_path) as running:
        yield running


def key_of(user: Person) -> bytes:
    return b"Authorization: Basic %b\r\n" % b64encode(f"{user.email}:{user.key}".encode())


def message(user: Person, text: bytes, *headers: bytes) -> bytes:
    body = b"type=direct&to=[%d]&content=%b" % (user.id, text)
    length = b"Content-Length: %d\r\n" % len(body)
    return b"".join((OPENING, key_of(user), length, *headers, b"\r\n", body))


def statuses(answer: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1.1 (\d+) ", answer)]


async def texts(user: Person) -> list[str]:
    newest = await user.get("messages", anchor="newest", num_before=100, num_after=0)
    return [re.sub("<[^>]*>", "", each["content"]) for each in newest["messages"]]


async def test_who_says_no_more_is_answered(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that close their half of the connection after a request read the answer, however long the crowd is."""
    ann = await server.person("Ann")
    at = urlsplit(server.url)
    asking = b"GET /api/v1/users/me HTTP/1.1\r\nHost: localhost\r\n" + key_of(ann) + b"\r\n"

    def wait(_: Turns, __: object, begin: Callable[[], object]) -> None:
        asyncio.get_running_loop().call_later(0.02, begin)

    for request in (message(ann, b"hi"), asking):
        with monkeypatch.context() as patches:
            patches.setattr(Turns, "wait", wait)
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            writer.write(request)
            writer.write_eof()
            async with asyncio.timeout(5):
                assert statuses(await reader.read()) == [200]
            writer.close()
    assert await texts(ann) == ["hi"]


async def test_what_follows_a_body_are_no_headers(server: Live) -> None:
    """Trailers are not read: a server in front of this one, which checks headers, does not look there."""
    ann = await server.person("Ann")
    body = b"type=direct&to=[%d]&content=hi" % ann.id
    chunks = b"%x\r\n%b\r\n0\r\n" % (len(body), body)
    unnamed = OPENING + CHUNKED + LAST + b"\r\n" + chunks + key_of(ann) + b"\r\n"
    assert statuses(await exchanged(server, unnamed)) == [401]
    other = b"Organization-Generation: other\r\n\r\n"
    named = OPENING + key_of(ann) + CHUNKED + LAST + b"\r\n" + chunks + other
    assert statuses(await exchanged(server, named)) == [200]


@pytest.mark.parametrize(
    ("begin", "more"), [(b"0\r\nX: ", b"y"), (b"0\r\n", b"X: y\r\n"), (b"1;", b"y")]
)
async def test_trailers_without_end_are_refused(server: Live, begin: bytes, more: bytes) -> None:
    """Like headers, and sizes of chunks: nothing of any length is kept or read on and on."""
    ann = await server.person("Ann")
    at = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(OPENING + key_of(ann) + CHUNKED + b"\r\n" + begin)
    answer = b""
    with contextlib.suppress(ConnectionError):
        for _ in range(1000):
            writer.write(more * 10_000)
            await writer.drain()
        answer = await reader.read()
    writer.close()
    assert statuses(answer) in ([], [431])
    assert await texts(ann) == []


async def test_spaces_after_a_header_are_not_part_of_it(server: Live) -> None:
    """Not of a length either, in one piece or two."""
    ann = await server.person("Ann")
    asked = message(ann, b"hi", LAST).replace(b"\r\nConnection", b" \t\r\nConnection")
    assert statuses(await exchanged(server, asked)) == [200]
    head, end, body = asked.partition(b"\r\n\r\n")
    assert statuses(await exchanged(server, head + end, body)) == [200]


@pytest.mark.parametrize("upgrade", UPGRADES)
async def test_a_request_for_another_protocol_stays_with_this_one(
    server: Live, upgrade: bytes
) -> None:
    """Its body is its body, and no request: some clients ask for HTTP/2 with the first one they send."""
    ann = await server.person("Ann")
    within = message(ann, b"within")
    asked = message(ann, within.replace(b"&", b"%26"), upgrade)
    for parts in ((asked, message(ann, b"next", LAST)), (asked + message(ann, b"next", LAST),)):
        assert statuses(await exchanged(server, *parts)) == [200, 200]
    head, end, body = asked.partition(b"\r\n\r\n")
    assert statuses(await exchanged(server, head + end, body + message(ann, b"next", LAST))) == [
        200,
        200,
    ]
    assert [each[:4] for each in await texts(ann)] == ["POST", "next"] * 3


async def test_many_requests_for_another_protocol_at_once(server: Live) -> None:
    """Each is read again, and the next one after it."""
    ann = await server.person("Ann")
    asked = [message(ann, b"%d" % number, UPGRADES[0]) for number in range(30)]
    answer = await exchanged(server, b"".join((*asked, message(ann, b"last", LAST))))
    assert statuses(answer) == [200] * 31
    assert await texts(ann) == [*map(str, range(30)), "last"]


async def test_an_error_is_not_the_answer_of_an_earlier_request(server: Live) -> None:
    """What was asked before is answered, and then the error; a message that was sent is not reported as refused."""
    ann = await server.person("Ann")
    sent = message(ann, b"hi")
    assert statuses(await exchanged(server, sent + b"nonsense \x00\r\n\r\n")) == [200, 400]
    assert statuses(await exchanged(server, sent, b"nonsense \x00\r\n\r\n")) == [200, 400]
    broken = OPENING + key_of(ann) + CHUNKED + b"\r\nzz\r\n"
    assert statuses(await exchanged(server, sent * 2 + broken)) == [200, 200, 400]
    long = OPENING + b"X: y\r\n" * 200 + b"\r\n"
    assert statuses(await exchanged(server, sent * 2 + long)) == [200, 200, 431]
    ahead = statuses(await exchanged(server, sent * 100))
    assert ahead == [*[200] * (len(ahead) - 1), 429]
    assert len(await texts(ann)) == min(100, 6 + len(ahead) - 1)


async def test_headers_have_one_limit_in_whatever_pieces_they_come(server: Live) -> None:
    """A head of 60 KB is read and one of 70 KB refused, alone or behind others; a long body is no head."""
    ann = await server.person("Ann")
    short = message(ann, b"hi")
    for length, status in ((60_000, 200), (70_000, 431), (200_000, 431)):
        long = message(ann, b"hi", b"X-Long: %b\r\n" % (b"x" * (length - 1_000)), LAST)
        for sent in (long, short + long, message(ann, b"x" * 50_000) + long):
            for size in (len(sent), 33_000, 7_000):
                pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
                expected = [200] * (sent != long) + [status]
                try:
                    answers = statuses(await exchanged(server, *pieces))
                except ConnectionResetError:  # refused while the rest was under way
                    answers = []
                read = answers.count(200)
                assert answers == expected if status == 200 else read <= (sent != long)
    body = message(ann, b"x" * 200_000, LAST)
    assert statuses(await exchanged(server, body)) == [200]
