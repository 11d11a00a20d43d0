"""An answer leaves in one write, as long as its head says, and with no header that somebody else wrote."""

import asyncio
import logging
from typing import Any, cast

import pytest

from server_lite.http.cycle import Cycle

LENGTH = (b"content-length", b"5")


class FakeTransport:
    """A transport, and what it was given."""

    def __init__(self) -> None:
        self.all: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.all.append(data)

    def close(self) -> None:
        self.is_closed = True


class Open:
    """A connection whose other end reads."""

    write_paused = False


def made(method: str = "GET", *, keep_alive: bool = True) -> tuple[Cycle, FakeTransport]:
    """The cycle of a request, and what it writes."""
    written = FakeTransport()
    log = logging.getLogger("test")
    cycle = Cycle(
        scope=cast(Any, {"method": method}),
        transport=cast(Any, written),
        flow=cast(Any, Open()),
        logger=log,
        access_logger=log,
        access_log=False,
        default_headers=[(b"date", b"today")],
        message_event=asyncio.Event(),
        expect_100_continue=False,
        keep_alive=keep_alive,
        on_response=lambda: None,
    )
    return cycle, written


def head(*headers: tuple[bytes, bytes], status: int = 200) -> dict[str, object]:
    return {"type": "http.response.start", "status": status, "headers": [*headers]}


def body(data: bytes, *, more: bool = False) -> dict[str, object]:
    return {"type": "http.response.body", "body": data, "more_body": more}


@pytest.mark.parametrize(
    ("cycle", "sent", "expected"),
    [
        (
            made(),
            [head(LENGTH), body(b"hello")],
            [b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-length: 5\r\n\r\nhello"],
        ),
        (
            made(keep_alive=False),
            [head(LENGTH), body(b"he", more=True), body(b"llo")],
            [
                b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhe",
                b"llo",
            ],
        ),
        (
            made("HEAD"),
            [head(LENGTH), body(b"hello")],
            [b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-length: 5\r\n\r\n"],
        ),
        (
            made(),
            [head(status=304), body(b"")],
            [b"HTTP/1.1 304 Not Modified\r\ndate: today\r\n\r\n"],
        ),
        (
            made(),
            [head(), body(b"hello")],
            [
                b"HTTP/1.1 200 OK\r\ndate: today\r\ntransfer-encoding: chunked\r\n\r\n",
                b"5\r\nhello\r\n0\r\n\r\n",
            ],
        ),
    ],
    ids=["whole", "parts", "HEAD", "304", "unknown length"],
)
async def test_an_answer_leaves_at_once(
    cycle: tuple[Cycle, FakeTransport], sent: list[dict[str, object]], expected: list[bytes]
) -> None:
    """The client wakes once, and has all of it."""
    await _send_all(cycle[0], sent)
    assert cycle[1].all == expected
    assert cycle[0].response_complete
    assert cycle[1].is_closed is not cycle[0].keep_alive


@pytest.mark.parametrize(
    "sent",
    [
        [head(LENGTH), body(b"too long")],
        [head(LENGTH), body(b"shrt")],
        [head(LENGTH), body(b"hello"), body(b"again")],
        [head(LENGTH, (b"x", b"a\r\nset-cookie: b"))],
        [head(LENGTH, (b"x\r\ny", b"a"))],
    ],
    ids=["longer", "shorter", "twice", "a value of two lines", "a name of two lines"],
)
async def test_an_answer_that_is_none_is_refused(sent: list[dict[str, object]]) -> None:
    """A bug of ours becomes an error in the log, not a client that reads the next answer as the rest of this one."""
    cycle, written = made()
    with pytest.raises(RuntimeError):
        await _send_all(cycle, sent)
    assert b"".join(written.all) in (
        b"",
        b"HTTP/1.1 200 OK\r\ndate: today\r\ncontent-length: 5\r\n\r\nhello",
    )


async def _send_all(cycle: Cycle, sent: list[dict[str, object]]) -> None:
    for message in sent:
        await cycle.send(cast(Any, message))
