"""Reads an HTTP request: query, form, multipart, credentials. Decides nothing about its content."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from server_lite.api.params import Body, Picture, RequestInfo, Upload
from server_lite.errors import ApiError, TooLarge, TooSlow
from server_lite.http.connections import EXTENSION, Connection
from server_lite.http.network import network_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An application: answers a request in a task."""

MAX_FIELDS: Final = 200
LONG_FIELD: Final = 1_000
"""Characters from which a field is decoded in pieces, and may have few signs without a number."""
PIECE: Final = 2**20
"""Characters that are decoded at once: so long no other thread runs."""
LONG_BODY: Final = 2**20
"""Bytes from which a form is decoded in a thread."""
STRAY_SIGNS: Final = 100
"""Percent signs without a number that each `PIECE` of a long field may have."""
_STRAY: Final = re.compile("%(?![0-9a-fA-F]{2})")
LONGEST_AGENT: Final = 100
"""Characters of User-Agent that may hold a client's name."""


class ClientDisconnected(Exception):
    """The client closed the connection before its request was complete."""


class Request:
    """A request at the edge. Header names are lower case."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.receive = receive
        self.method: str = scope["method"]
        self.verb = "GET" if self.method == "HEAD" else self.method
        """The method; HEAD is answered as GET, with only the headers sent."""
        self.path: str = scope["path"]
        self.headers: dict[str, str] = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(scope["headers"])  # of duplicates, the first counts
        }
        self.kind = _kind(self.headers.get("content-type", ""))
        """The body's type, in lower case and without parameters."""
        client, server = scope.get("client"), scope.get("server")
        self.address = network_of(client[0]) if client else ""
        """The client's address, as far as it identifies one: an IPv4 address, or an IPv6 network."""
        self.reached = str(server[0]) if server else ""
        """The local address at which the request arrived; empty if there is none."""

    @property
    def is_of_page(self) -> bool:
        """Whether a web page made the browser send the request: then the browser shows no password dialog.

        The browser would keep the password, and send it along with requests of any page.
        """
        return any(name.startswith("sec-fetch-") or name == "origin" for name in self.headers)

    @property
    def connection(self) -> Connection:
        """The connection, which reports when the client disconnects; never, for requests without a socket."""
        connection: Connection | None = self.scope.get("extensions", {}).get(EXTENSION)
        return Connection() if connection is None else connection

    def info(self) -> RequestInfo:
        """Return what endpoints may know about the request."""
        headers, scope = self.headers, self.scope
        return _info(
            headers.get("user-agent", "")[:LONGEST_AGENT],
            self.address,
            f"{scope.get('scheme', 'http')}://{headers.get('host', 'localhost')}",
            self.method == "GET" and scope.get("http_version") != "1.0",
        )

    def query(self) -> dict[str, str]:
        text = self.scope["query_string"]
        return _pairs(text) if text else {}

    async def form(
        self, *, body_bytes: int, upload_bytes: int = 0
    ) -> tuple[dict[str, str], Upload | None]:
        """Return the body's fields, and its file, not yet read, if one may have `upload_bytes`."""
        self._check_encoding()
        if self.is_multipart:
            return await self._multipart(upload_bytes)
        body = await self.body(body_bytes)
        if len(body) > LONG_BODY:
            return await asyncio.to_thread(self._fields, body), None
        return self._fields(body), None

    def form_of(self, body: bytes) -> dict[str, str]:
        """Return the fields of a body that was read already, and is not multipart."""
        self._check_encoding()
        return self._fields(body)

    def _check_encoding(self) -> None:
        encoding = self.headers.get("content-encoding")
        if encoding is not None and encoding.lower() != "identity":
            raise ApiError("Compressed requests are not accepted.")

    def _fields(self, body: bytes) -> dict[str, str]:
        if not body:
            return {}
        if self.kind in ("", "application/x-www-form-urlencoded"):
            return _pairs(body)
        raise ApiError("The body must be a form: application/x-www-form-urlencoded or multipart.")

    async def picture(
        self, limit: int, *, body_bytes: int, turn: asyncio.Semaphore, seconds: float
    ) -> tuple[dict[str, str], Picture | None]:
        """Return the body's fields and its file, read whole in turn; raises ApiError if too large or late."""
        if not self.is_multipart:
            return (await self.form(body_bytes=body_bytes))[0], None
        from server_lite.http.multipart import FIELD_BYTES  # with a library for uploads alone

        try:
            async with turn, asyncio.timeout(seconds):
                fields, file = await self.form(body_bytes=FIELD_BYTES, upload_bytes=limit)
                if file is None:
                    return fields, None
                data = b"".join([part async for part in file.rest])
        except TimeoutError:
            raise TooSlow("The file came too slowly.") from None
        if len(data) > limit:
            raise ApiError(
                f"Uploaded file is larger than the allowed limit of {limit // 1024**2} MiB"
            )
        return dict(file.later), Picture(name=file.name, content_type=file.content_type, data=data)

    async def anything(self, limit: int) -> Body:
        """Return the body, whatever its type; with fields if it is a form."""
        kind = self.kind
        data = await self.body(limit)
        # Scripts send JSON with curl's default type, which is that of a form.
        is_form = kind == "application/x-www-form-urlencoded" and not data.startswith(b"{")
        fields: dict[str, str] = {}
        if is_form:
            is_long = len(data) > LONG_BODY
            fields = await asyncio.to_thread(_pairs, data) if is_long else _pairs(data)
        return Body(kind=kind, data=data, fields=fields, headers=self.headers)

    @property
    def is_multipart(self) -> bool:
        """Whether the body may hold a file beside its fields."""
        return self.kind == "multipart/form-data"

    async def body(self, limit: int) -> bytes:
        """Return the whole body; raises TooLarge beyond `limit` bytes, ClientDisconnected on disconnect."""
        self._announced(limit)
        parts: list[bytes] = []
        size, is_last = 0, False
        while not is_last:
            part, is_last = await self._part()
            parts.append(part)
            size += len(part)
            _check_size(size, limit)
        return b"".join(parts)

    async def _parts(self, limit: int) -> AsyncIterator[bytes]:
        """Yield the body as it arrives; raises TooLarge beyond `limit` bytes, else ClientDisconnected."""
        self._announced(limit)
        size, is_last = 0, False
        while not is_last:
            part, is_last = await self._part()
            size += len(part)
            _check_size(size, limit)
            yield part

    async def _part(self) -> tuple[bytes, bool]:
        """Return the next part of the body, and whether it is the last one."""
        message = await self.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        return message.get("body", b""), not message.get("more_body", False)

    def may_exceed(self, limit: int) -> bool:
        """Whether the body may be larger, as far as the headers tell."""
        length = self.headers.get("content-length", "")
        return not (length.isascii() and length.isdecimal()) or int(length[:20]) > limit

    def _announced(self, limit: int) -> int:
        """Return the body's length from the headers, or `limit` if they do not contain it."""
        length = self.headers.get("content-length")
        if length is None:
            return limit
        if not (length.isascii() and length.isdecimal()) or len(length) > 15 or int(length) > limit:
            raise TooLarge(f"The request is larger than {limit} bytes.")
        return int(length)

    async def _multipart(self, limit: int) -> tuple[dict[str, str], Upload | None]:
        from server_lite.http.multipart import FIELD_BYTES, Multipart, boundary_of  # see `picture`

        # Text is always decoded as UTF-8: a codec chosen by the client could produce anything.
        boundary = boundary_of(self.headers.get("content-type", ""))
        body = Multipart(boundary, self._parts(limit + FIELD_BYTES))
        if not limit:
            await body.skip()
            return body.fields, None
        file = await body.file()
        if file is None or file.filename is None:
            return body.fields, None
        most = min(limit, self._announced(limit + FIELD_BYTES))
        return body.fields, Upload(
            name=file.filename,
            content_type=file.content_type,
            most=most,
            rest=body.rest(),
            later=body.fields,
        )


@lru_cache(20)  # clients repeat it, and it may be long
def _kind(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge(f"The request is larger than {limit} bytes.")


def _pairs(text: bytes) -> dict[str, str]:
    """Return the fields of a form; of duplicates, the last counts."""
    if text.count(b"&") >= MAX_FIELDS:
        raise ApiError(f"A request can have at most {MAX_FIELDS} parameters.")
    pairs: dict[str, str] = {}
    try:
        for part in text.decode("ascii").replace("+", " ").split("&"):
            if part:
                name, _, value = part.partition("=")
                # Most have nothing to decode, and finding that out in `unquote` takes most of the time.
                name = _unquoted(name) if "%" in name else name
                pairs[name] = _unquoted(value) if "%" in value else value
    except ValueError as error:  # UnicodeDecodeError is one
        raise ApiError("The parameters are not a form in UTF-8.") from error
    return pairs


def _unquoted(text: str) -> str:
    """Return a field without its percent signs; raises ValueError.

    All signs are decoded by one call: `unquote_to_bytes` takes 400 ms for a megabyte of them, and four times as long
    for a sentence that is not English.
    """
    if len(text) < LONG_FIELD:
        try:
            unescaped = _unescaped(text)
        except UnicodeDecodeError:  # a sign without a number stands for itself
            unescaped = unquote_to_bytes(text)
        return unescaped.decode()
    return b"".join(map(_piece_unquoted, _pieces(text))).decode()


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of about `PIECE` characters; none ends within an escaped byte."""
    start = 0
    while start < len(text):
        end = start + PIECE
        sign = text.find("%", end - 2, end)
        end = end if sign < 0 else sign
        yield text[start:end]
        start = end


def _piece_unquoted(text: str) -> bytes:
    try:
        return _unescaped(text)
    except UnicodeDecodeError:
        # In all forms, these stand for themselves.
        return _unescaped(_STRAY.sub("%25", text, count=STRAY_SIGNS))


def _unescaped(text: str) -> bytes:
    """Return the bytes of a field; raises UnicodeDecodeError for a sign without a number."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\x")
    return escaped.encode("ascii").decode("unicode_escape").encode("latin-1")


@lru_cache(1000)
def _info(agent: str, address: str, base_url: str, accepts_lines: bool) -> RequestInfo:
    """Return what a client repeats with each request."""
    return RequestInfo(
        client=client_name(agent),
        address=address,
        base_url=base_url,
        accepts_lines=accepts_lines,
    )


_PRODUCT: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _.-]{0,39}")


def client_name(user_agent: str) -> str:
    """Return `Chinwag` of `Chinwag/0.1 …`: the client stored with messages."""
    name = user_agent.partition("/")[0].strip()
    return name if _PRODUCT.fullmatch(name) else "API"
