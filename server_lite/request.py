"""Reading an HTTP request: query, form, multipart, credentials. Decides nothing about what is asked."""

import base64
import binascii
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from server_lite.errors import ApiError, TooLarge, Unauthenticated
from server_lite.params import Body, RequestInfo, Upload

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MAX_FIELDS: Final = 200


class Gone(Exception):
    """The client closed the connection before its request was complete."""


class Request:
    """One request at the edge. Header names are lower case."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope = scope
        self.receive = receive
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers = Headers(scope=scope)

    @property
    def address(self) -> str:
        client = self.scope.get("client")
        return client[0] if client else ""

    def info(self) -> RequestInfo:
        scheme = self.scope.get("scheme", "http")
        return RequestInfo(
            client=client_name(self.headers.get("user-agent", "")),
            address=self.address,
            base_url=f"{scheme}://{self.headers.get('host', 'localhost')}",
        )

    def credentials(self) -> tuple[str, str] | None:
        """(e-mail, key) of HTTP Basic authentication; None if the request carries none."""
        header = self.headers.get("authorization")
        if header is None:
            return None
        scheme, _, encoded = header.partition(" ")
        if scheme.lower() != "basic":
            raise Unauthenticated("This server only knows HTTP Basic authentication.")
        try:
            decoded = base64.b64decode(encoded.strip(), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise Unauthenticated("Invalid Basic authentication header.") from error
        email, colon, key = decoded.partition(":")
        if not colon:
            raise Unauthenticated("Invalid Basic authentication header.")
        return email, key

    def query(self) -> dict[str, str]:
        return _pairs(self.scope["query_string"])

    async def form(
        self, *, body_bytes: int, upload_bytes: int
    ) -> tuple[dict[str, str], list[Upload]]:
        """Fields of the body and its files; reads no more than the limits allow."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise ApiError("Compressed requests are not accepted.")
        if kind == "multipart/form-data":
            return await self._multipart(upload_bytes)
        body = await self.body(body_bytes)
        if not body:
            return {}, []
        if kind in ("", "application/x-www-form-urlencoded"):
            return _pairs(body), []
        raise ApiError("The body must be a form: application/x-www-form-urlencoded or multipart.")

    async def anything(self, limit: int) -> Body:
        """The body, whatever its type; fields where it is a form."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        data = await self.body(limit)
        # Scripts send JSON with curl's own type, which is that of a form.
        is_form = kind == "application/x-www-form-urlencoded" and not data.startswith(b"{")
        fields = _pairs(data) if is_form else {}
        return Body(kind=kind, data=data, fields=fields)

    async def body(self, limit: int) -> bytes:
        """The whole body; raises TooLarge beyond `limit` bytes, Gone if the client hangs up."""
        self._announced(limit)
        parts: list[bytes] = []
        size = 0
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            size += len(part)
            if size > limit:
                raise TooLarge(f"The request is larger than {limit} bytes.")
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def _announced(self, limit: int) -> None:
        length = self.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            raise TooLarge(f"The request is larger than {limit} bytes.")

    async def _multipart(self, limit: int) -> tuple[dict[str, str], list[Upload]]:
        body = await self.body(limit + 64 * 1024)

        async def stream() -> Any:
            yield body

        parser = MultiPartParser(self.headers, stream(), max_files=8, max_fields=MAX_FIELDS)
        try:
            parsed = await parser.parse()
        except (MultiPartException, KeyError, ValueError) as error:
            raise ApiError("The multipart body cannot be read.") from error
        fields: dict[str, str] = {}
        uploads: list[Upload] = []
        for name, value in parsed.multi_items():
            if isinstance(value, UploadFile):
                uploads.append(
                    Upload(
                        name=value.filename or "",
                        content_type=value.content_type or "application/octet-stream",
                        data=await value.read(),
                    )
                )
                await value.close()
            else:
                fields[name] = value
        return fields, uploads


def _pairs(text: bytes) -> dict[str, str]:
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


_PRODUCT: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _.-]{0,39}")


def client_name(user_agent: str) -> str:
    """`Chinwag` of `Chinwag/0.1 …`: what a message says it was sent with."""
    name = user_agent.partition("/")[0].strip()
    return name if _PRODUCT.fullmatch(name) else "API"
