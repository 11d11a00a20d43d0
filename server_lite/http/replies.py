"""Sends whole answers: compressed if accepted, or 304 if unchanged. Knows no endpoint."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from server_lite.http.compression import (
    ENCODERS,
    LEAST,
    compressed,
    encoding_of,
    is_compressible,
    is_long,
)
from server_lite.http.conditional import Header, has_already, not_modified

Send = Callable[[Any], Awaitable[None]]
_NO_SNIFFING: Final[Header] = (b"x-content-type-options", b"nosniff")
_NOT_KEPT: Final[Header] = (b"cache-control", b"no-store")
_VARIES: Final[Header] = (b"vary", b"Accept-Encoding")


class WholeAnswer(NamedTuple):
    """An answer with all that is sent, unless an `encoding` is left to do."""

    status: int
    headers: list[Header]
    body: bytes
    encoding: str = ""
    """In which the body is to be sent; a long one is encoded in a thread."""


async def reply(
    request_headers: Mapping[str, str],
    send: Send,
    status: int,
    content_type: str,
    body: bytes,
    *own: Header,
) -> None:
    """Send a whole answer. `request_headers` are the client's; it is not cached unless `own` allows it."""
    answer = prepared(request_headers, status, content_type, body, own)
    if answer.encoding:
        await send_encoded(send, answer)
    else:
        await start(send, answer.status, answer.headers, answer.body)


async def send_encoded(send: Send, answer: WholeAnswer) -> None:
    """Encode and send an answer whose encoding is left to do."""
    answer = _encoded(answer, await compressed(answer.encoding, answer.body))
    await start(send, answer.status, answer.headers, answer.body)


def prepared(
    request_headers: Mapping[str, str],
    status: int,
    content_type: str,
    body: bytes,
    own: Sequence[Header],
) -> WholeAnswer:
    """Return the answer; a body that is to be compressed is, if that is allowed on the event loop."""
    headers = [_NO_SNIFFING, *own]
    named = dict(own)
    if b"cache-control" not in named:
        headers.append(_NOT_KEPT)
    may_compress = body != b"" and is_compressible(content_type)
    if may_compress:
        headers.append(_VARIES)
    tag = named.get(b"etag")
    if status == 200 and tag is not None and has_already(request_headers, tag.decode()):
        return WholeAnswer(304, not_modified(headers), b"")
    if status == 204:
        return WholeAnswer(204, headers, b"")
    headers.append((b"content-type", content_type.encode()))
    if may_compress and len(body) >= LEAST:
        encoding = encoding_of(request_headers.get("accept-encoding", ""), body)
        if encoding:
            answer = WholeAnswer(status, headers, body, encoding)
            return answer if is_long(body) else _encoded(answer, ENCODERS[encoding](body))
    headers.append((b"content-length", b"%d" % len(body)))
    return WholeAnswer(status, headers, body)


def standard_headers(content_type: str, own: Sequence[Header]) -> tuple[Header, ...]:
    """Return the headers that all answers have that are too short to be compressed, but for their length."""
    *headers, _ = prepared({}, 200, content_type, b"{}", own).headers
    return tuple(headers)


def _encoded(answer: WholeAnswer, body: bytes) -> WholeAnswer:
    length = (b"content-length", b"%d" % len(body))
    encoding = (b"content-encoding", answer.encoding.encode())
    return WholeAnswer(answer.status, [*answer.headers, encoding, length], body)


async def start(send: Send, status: int, headers: list[Header], body: bytes | None = b"") -> None:
    """Start an answer; with a body it is complete."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if body is not None:
        await send({"type": "http.response.body", "body": body})
