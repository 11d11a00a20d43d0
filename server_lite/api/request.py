"""Reading an HTTP request: query, form, multipart, credentials. Decides nothing about what is asked."""

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl

from server_lite.api.params import Body, Picture, RequestInfo, Upload
from server_lite.errors import ApiError, TooLarge, TooSlow, Unauthenticated
from server_lite.http.connections import EXTENSION, Connection
from server_lite.http.multipart import FIELD_BYTES, Multipart, boundary_of
from server_lite.http.network import network_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MAX_FIELDS: Final = 200


class ClientDisconnected(Exception):
    """The client closed the connection before its request was complete."""


class Request:
    """One request at the edge. Header names are lower case."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.receive = receive
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:  # of one that is there twice, the first counts
            self.headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))

    @property
    def verb(self) -> str:
        """The method; HEAD is answered as GET is, and nothing of the answer but its header is sent."""
        return "GET" if self.method == "HEAD" else self.method

    @property
    def is_of_page(self) -> bool:
        """Whether a page made the browser send it: then the browser gets no dialog for a password.

        It would keep what is typed, and send it along for whatever page asks.
        """
        return any(name.startswith("sec-fetch-") or name == "origin" for name in self.headers)

    @property
    def address(self) -> str:
        """Who asks, as far as it can be told apart: one IPv4 address, or one network of IPv6."""
        client = self.scope.get("client")
        return network_of(client[0]) if client else ""

    @property
    def reached(self) -> str:
        """The address of this machine at which it arrived; empty where there is none."""
        server = self.scope.get("server")
        return str(server[0]) if server else ""

    @property
    def connection(self) -> Connection:
        """What says when the client hangs up; one that never ends for a request that came over no wire."""
        connection: Connection | None = self.scope.get("extensions", {}).get(EXTENSION)
        return Connection() if connection is None else connection

    def info(self) -> RequestInfo:
        scheme = self.scope.get("scheme", "http")
        return RequestInfo(
            client=client_name(self.headers.get("user-agent", "")),
            address=self.address,
            base_url=f"{scheme}://{self.headers.get('host', 'localhost')}",
        )

    def credentials(self) -> tuple[str, str] | None:
        """(email, key) of HTTP Basic authentication; None if the request carries none."""
        header = self.headers.get("authorization")
        if header is None:
            return None
        scheme, _, encoded = header.partition(" ")
        if scheme.lower() != "basic":
            raise Unauthenticated("Invalid authorization header for basic auth")
        try:
            decoded = base64.b64decode(encoded.strip(), validate=True).decode()
        except ValueError as error:  # no Base64, no UTF-8, no ASCII
            raise Unauthenticated("Invalid Basic authentication header.") from error
        email, colon, key = decoded.partition(":")
        if not colon:
            raise Unauthenticated("Invalid Basic authentication header.")
        return email, key

    def query(self) -> dict[str, str]:
        return _pairs(self.scope["query_string"])

    async def form(
        self, *, body_bytes: int, upload_bytes: int = 0
    ) -> tuple[dict[str, str], Upload | None]:
        """Fields of the body, and its file where one may have `upload_bytes`, which is still to be read."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise ApiError("Compressed requests are not accepted.")
        if kind == "multipart/form-data":
            return await self._multipart(upload_bytes)
        body = await self.body(body_bytes)
        if not body:
            return {}, None
        if kind in ("", "application/x-www-form-urlencoded"):
            return _pairs(body), None
        raise ApiError("The body must be a form: application/x-www-form-urlencoded or multipart.")

    async def picture(
        self, limit: int, *, body_bytes: int, turn: asyncio.Semaphore, seconds: float
    ) -> tuple[dict[str, str], Picture | None]:
        """Fields of the body and its file, read whole in its turn; raises ApiError if larger or late."""
        if not self._is_multipart():
            return (await self.form(body_bytes=body_bytes))[0], None
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
        """The body, whatever its type; fields where it is a form."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        data = await self.body(limit)
        # Scripts send JSON with curl's own type, which is that of a form.
        is_form = kind == "application/x-www-form-urlencoded" and not data.startswith(b"{")
        fields = _pairs(data) if is_form else {}
        return Body(kind=kind, data=data, fields=fields, headers=self.headers)

    def _is_multipart(self) -> bool:
        kind = self.headers.get("content-type", "").partition(";")[0]
        return kind.strip().lower() == "multipart/form-data"

    async def body(self, limit: int) -> bytes:
        """The whole body; raises TooLarge beyond `limit` bytes, Gone if the client hangs up."""
        return b"".join([part async for part in self._parts(limit)])

    async def _parts(self, limit: int) -> AsyncIterator[bytes]:
        """The body as it comes; raises TooLarge beyond `limit` bytes, Gone if the client hangs up."""
        self._announced(limit)
        size = 0
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            part = message.get("body", b"")
            size += len(part)
            if size > limit:
                raise TooLarge(f"The request is larger than {limit} bytes.")
            yield part
            if not message.get("more_body", False):
                return

    def may_exceed(self, limit: int) -> bool:
        """Whether the body may be larger, as far as the header tells."""
        length = self.headers.get("content-length", "")
        return not (length.isascii() and length.isdecimal()) or int(length[:20]) > limit

    def _announced(self, limit: int) -> int:
        """The length that the header tells, or `limit` where it tells none."""
        length = self.headers.get("content-length")
        if length is None:
            return limit
        if not (length.isascii() and length.isdecimal()) or len(length) > 15 or int(length) > limit:
            raise TooLarge(f"The request is larger than {limit} bytes.")
        return int(length)

    async def _multipart(self, limit: int) -> tuple[dict[str, str], Upload | None]:
        # Text is UTF-8, whatever the request calls it: a stranger's codec could make anything of it.
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


def _pairs(text: bytes) -> dict[str, str]:
    if not text:
        return {}
    if _PLAIN.fullmatch(text):  # as most are: the numbers of a queue and an event
        return dict(pair.split("=") for pair in text.decode().split("&"))
    try:
        pairs = parse_qsl(
            text.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except (UnicodeDecodeError, ValueError) as error:
        raise ApiError("The parameters are not a form in UTF-8.") from error
    return dict(pairs)


_PLAIN: Final = re.compile(rb"[\w.-]+=[\w.-]*(?:&[\w.-]+=[\w.-]*){0,9}", re.ASCII)
"""Pairs of which nothing is escaped, and few."""
_PRODUCT: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _.-]{0,39}")


def client_name(user_agent: str) -> str:
    """`Chinwag` of `Chinwag/0.1 …`: what a message says it was sent with."""
    name = user_agent.partition("/")[0].strip()
    return name if _PRODUCT.fullmatch(name) else "API"
