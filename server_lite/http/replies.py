"""Sends whole answers: compressed if accepted, or 304 if unchanged. Knows no endpoint."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from server_lite.http.compression import compressed, is_compressible
from server_lite.http.conditional import Header, has_already, not_modified

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def reply(
    request_headers: Mapping[str, str],
    send: Send,
    status: int,
    content_type: str,
    body: bytes,
    *own: Header,
) -> None:
    """Send a whole answer. `request_headers` are the client's; it is not cached unless `own` allows it."""
    headers = [(b"x-content-type-options", b"nosniff"), *own]
    named = dict(own)
    if b"cache-control" not in named:
        headers.append((b"cache-control", b"no-store"))
    may_compress = body != b"" and is_compressible(content_type)
    if may_compress:
        headers.append((b"vary", b"Accept-Encoding"))
    tag = named.get(b"etag")
    if status == 200 and tag is not None and has_already(request_headers, tag.decode()):
        await start(send, 304, not_modified(headers))
        return
    if may_compress:
        encoding, body = await compressed(request_headers.get("accept-encoding", ""), body)
        if encoding:
            headers.append((b"content-encoding", encoding.encode()))
    if status != 204:
        headers.append((b"content-type", content_type.encode()))
        headers.append((b"content-length", str(len(body)).encode()))
    await start(send, status, headers, body)


async def start(send: Send, status: int, headers: list[Header], body: bytes | None = b"") -> None:
    """Start an answer; with a body it is complete."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if body is not None:
        await send({"type": "http.response.body", "body": body})
