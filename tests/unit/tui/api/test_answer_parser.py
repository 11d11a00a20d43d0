"""One answer from bytes: cut anywhere, of any form, and from servers that mean no good."""

import random
from collections.abc import Sequence
from typing import Final

import h11
import pytest

from tests.security.mutated_bytes import mutated
from tui.api.answer_parser import MOST_BARREN_BYTES, AnswerParser

HEAD: Final = b"HTTP/1.1 200 OK\r\n"
CHUNKED: Final = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
TWO: Final = HEAD + b"Content-Length: 2\r\n\r\n"
OK: Final = TWO + b"ok"
RIGHT: Final = {
    "a length": OK,
    "chunks": CHUNKED + b"1\r\no\r\n1;x=y\r\nk\r\n0\r\n\r\n",
    "trailers": CHUNKED + b"2\r\nok\r\n0\r\nTransfer-Encoding: x\r\nT: u\r\n\r\n",
    "interim answers": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: <x>\r\n\r\n" + OK,
    "no reason": OK.replace(b" OK", b""),
    "old, and kept": b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
}
LAST: Final = {
    "a length and a close": OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
    "old": b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "no length": HEAD + b"\r\nok",
    "old without a length": b"HTTP/1.0 200 OK\r\n\r\nok",
    "another encoding": HEAD + b"Transfer-Encoding: x\r\n\r\nok",
}
BAD: Final = {
    "nothing": b"",
    "another protocol": b"SSH-2.0-x\r\n",
    "a head without its end": HEAD + b"X: y\r\n",
    "a body without its end": TWO + b"o",
    "chunks without their end": CHUNKED + b"2\r\nok\r\n",
    "a chunk of no size": CHUNKED + b"x\r\nok\r\n0\r\n\r\n",
    "a chunk longer than it says": CHUNKED + b"1\r\nok\r\n0\r\n\r\n",
    "trailers without an end": CHUNKED + b"2\r\nok\r\n0\r\nT: u\r\n",
    "only an interim answer": b"HTTP/1.1 100 Continue\r\n\r\n",
    "another protocol from here": b"HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nok",
    "another protocol, unsaid": b"HTTP/1.1 101 X\r\n\r\nok",
    "two lengths": OK.replace(b"OK\r\n", b"OK\r\nContent-Length: 3\r\n"),
    "a length and chunks": CHUNKED.replace(b"OK\r\n", b"OK\r\nContent-Length: 2\r\n") + b"ok",
    "a negative length": OK.replace(b": 2", b": -2"),
    "a length beyond numbers": OK.replace(b": 2", b": 99999999999999999999999"),
    "a status of four digits": OK.replace(b"200", b"2000"),
    "a status of two": OK.replace(b"200", b"20"),
    "NUL in a header": OK.replace(b"\r\n\r\n", b"\r\nX: a\0b\r\n\r\n"),
    "a space in a name": OK.replace(b"\r\n\r\n", b"\r\nX y: z\r\n\r\n"),
    "a space after a name": OK.replace(b"Length:", b"Length :"),
    "a folded header": OK.replace(b"\r\n\r\n", b"\r\nX: a\r\n b\r\n\r\n"),
    "mere line feeds": OK.replace(b"\r\n", b"\n"),
}


def _read(*pieces: bytes) -> AnswerParser:
    answer = AnswerParser()
    for piece in pieces:
        answer.feed(piece)
    return answer


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("name", [*RIGHT, *LAST])
def test_an_answer_may_be_cut_anywhere(name: str, size: int) -> None:
    """As the network delivers it; it says whether the connection can be used again."""
    data = (RIGHT | LAST)[name]
    answer = _read(*(data[at : at + size] for at in range(0, len(data), size)))
    assert (answer.status, answer.take(), answer.is_broken) == (200, b"ok", False)
    assert answer.can_be_followed == (name in RIGHT)
    assert (answer.is_whole, "t" in answer.headers, "link" in answer.headers) == (
        not {"no length", "old without a length", "another encoding"} & {name}, False, False,
    )  # fmt: skip
    answer.end()
    assert answer.is_whole
    assert not answer.can_be_followed


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer_breaks_off(name: str) -> None:
    answer = _read(BAD[name])
    answer.end()
    assert (answer.is_whole, answer.is_broken) == (False, True)


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
def test_some_answers_have_no_body_whatever_they_say(status: bytes) -> None:
    answer = _read(OK.replace(b"200 OK", status).removesuffix(b"ok"))
    assert (answer.is_whole, answer.take(), answer.can_be_followed) == (True, b"", True)


@pytest.mark.parametrize("more", [b"H", b"x", OK, b"HTTP/1.1 500 X\r\n\r\n", b"\r\n\r\nHTTP"])
@pytest.mark.parametrize("is_apart", [True, False])
def test_what_follows_an_answer_belongs_to_no_other(more: bytes, is_apart: bool) -> None:
    """A server out of step could give me what another request asked for."""
    answer = _read(OK, more) if is_apart else _read(OK + more)
    assert (answer.status, answer.take()) == (200, b"ok")
    assert (answer.is_whole, answer.can_be_followed) == (True, False)


def _many(line: bytes) -> Sequence[bytes]:
    return [line * 1000 for _ in range(2 + MOST_BARREN_BYTES // (1000 * len(line)))]


@pytest.mark.parametrize(
    ("begin", "line"),
    [
        (HEAD, b"X: y\r\n"),
        (HEAD + b"X: ", b"yyyyyy"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (CHUNKED + b"2\r\nok\r\n0\r\n", b"T: u\r\n"),
        (CHUNKED + b"2;", b"xxxxxx"),
    ],
)
def test_nothing_but_a_body_goes_on_for_ever(begin: bytes, line: bytes) -> None:
    """The memory of the client is not the server's to fill."""
    assert _read(begin, *_many(line)).is_broken


def test_a_long_stream_is_no_long_head() -> None:
    """Events come for days, and what stands between them adds up to more than a head may have."""
    answer = _read(CHUNKED, *_many(b"1\r\nx\r\n"))
    assert not answer.is_broken
    assert set(answer.take()) == {ord("x")}


def test_values_of_a_name_are_one_in_any_spelling() -> None:
    """Names in lower case, texts as servers mean them."""
    lines = b"vary: A\r\nVARY: b\r\nX-Place: K\xc3\xb6ln\r\nX-Old: K\xf6ln\r\n\r\n"
    headers = _read(OK.replace(b"\r\n\r\n", b"\r\n" + lines)).headers
    assert headers == {"content-length": "2", "vary": "A, b", "x-place": "Köln", "x-old": "Köln"}


def _by_h11(data: bytes) -> tuple[int, bytes] | None:
    reader = h11.Connection(h11.CLIENT)
    reader.send(h11.Request(method="GET", target="/", headers=[("Host", "x")]))
    reader.send(h11.EndOfMessage())
    status, body = 0, b""
    try:
        for piece in (data, b""):
            reader.receive_data(piece)
            while (event := reader.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Response):
                    status = event.status_code
                if isinstance(event, h11.Data):
                    body += event.data
                if isinstance(event, h11.EndOfMessage):
                    return status, body
    except h11.ProtocolError:
        pass
    return None


@pytest.mark.parametrize("seed", range(20))
def test_two_readers_of_http_agree(seed: int) -> None:
    """What this one and h11 both take for an answer is the same answer."""
    chance, both = random.Random(seed), 0
    for _ in range(200):
        data = mutated(chance.choice([*RIGHT.values(), *LAST.values()]), chance)
        answer = _read(data)
        answer.end()
        expected = _by_h11(data)
        if answer.is_whole and expected is not None:
            assert (answer.status, answer.take()) == expected, data
            both += 1
    assert both > 5
