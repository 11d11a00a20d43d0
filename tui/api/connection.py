"""Requests to one server: every route makes them here, and gets a checked JSON object or an error.

A route function (`tui.api.routes`) names path and parameters; here they are sent, with the key, within time
and size limits, and the answer is a checked JSON object or an error of `tui.errors`. Redirects are never
followed with the key. Nothing here retries: callers know what is safe. The module that opens sockets
(`tui.api.http_client`) is imported with the first request: a start shows what is on the disk before that.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar, Unpack, cast

from tui.api import decode
from tui.api.base_url import BaseUrl
from tui.api.failures import refusal
from tui.api.form import form
from tui.dataclass import dataclass
from tui.errors import NetworkError, NotAServer

if TYPE_CHECKING:
    # Imported with the first request: it brings in the network libraries.
    from pathlib import Path

    from httpx import AsyncBaseTransport

    from tui.api.http_client import HttpClient, OpenAnswer, RawResponse, RequestParts

T = TypeVar("T")
API: Final = "/api/v1"
LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Credentials:
    """The user's email and API key, which is not shown where this is printed."""

    email: str
    api_key: str

    def __repr__(self) -> str:
        return f"Credentials({self.email!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A successful answer: a JSON object, read by its types."""

    route: str
    data: Mapping[str, object]

    def read(self, key: str, kind: type[T]) -> T:
        """Return one value; raises MalformedResponse if it is missing or of another shape."""
        return decode.field(kind, self.data, key, self.route)

    def read_or(self, key: str, kind: type[T], absent: T) -> T:
        """Return one value, or `absent` if the server doesn't send it or sends null."""
        return absent if self.data.get(key) is None else self.read(key, kind)

    def whole(self, kind: type[T]) -> T:
        """Return the whole answer as one API type."""
        return decode.decode(kind, self.data, self.route)


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A download; `length` in bytes is None where the server does not send it."""

    content_type: str
    length: int | None
    chunks: AsyncIterator[bytes]


class Lines:
    """An answer in lines, each a JSON object."""

    def __init__(
        self, answer: OpenAnswer, route: str, *, first: Mapping[str, object] | None
    ) -> None:
        """`first` is the answer if it has one object, and was read already."""
        self._answer = answer
        self._route = route
        self._first = first
        self._held = bytearray()

    async def read(self, seconds: float) -> Sequence[Mapping[str, object]]:
        """Return the lines that have come, empty at the end; NetworkError after `seconds` without a whole one."""
        if self._first is not None:
            first, self._first = self._first, None
            return (first,)
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while data := await self._answer.read(end - loop.time()):
            self._held += data
            if b"\n" in data:
                *lines, rest = self._held.split(b"\n")
                self._held = rest
                return [decode.json_object(bytes(line), self._route) for line in lines]
        return ()


class Connection:
    """One server, and one user (or none before signing in). Close it with `aclose`."""

    def __init__(
        self,
        base_url: BaseUrl,
        *,
        credentials: Credentials | None,
        ca_file: Path | None = None,
        transport: AsyncBaseTransport | None = None,
    ) -> None:
        """`ca_file` has further certificates to trust; tests pass their own transport."""
        self._base_url = base_url
        self.email = credentials.email if credentials else None
        self._credentials = credentials
        self._ca_file = ca_file
        self._transport = transport
        self._is_closed = False

    @property
    def base_url(self) -> BaseUrl:
        """The server's address, which changes if a server of this machine comes back on another port."""
        return self._base_url

    @base_url.setter
    def base_url(self, base_url: BaseUrl) -> None:
        self._base_url = base_url
        if "http" in self.__dict__:
            self.http.move_to(base_url)

    @cached_property
    def http(self) -> HttpClient:
        """The client that opens the sockets."""
        from tui.api.http_client import HttpClient

        key = (self._credentials.email, self._credentials.api_key) if self._credentials else None
        return HttpClient(self.base_url, key=key, ca_file=self._ca_file, transport=self._transport)

    async def aclose(self) -> None:
        """Close the sockets; a waiting poll ends with NetworkError, and so do later requests."""
        self._is_closed = True
        if "http" in self.__dict__:
            await self.http.aclose()

    async def get(
        self, path: str, parameters: Mapping[str, object], *, read_seconds: float | None = None
    ) -> Answer:
        """Send a GET request; `read_seconds` is how long the server may be silent."""
        return await self._send("GET", path, query=form(parameters), read_seconds=read_seconds)

    @asynccontextmanager
    async def get_lines(
        self, path: str, parameters: Mapping[str, object], *, seconds: float
    ) -> AsyncIterator[Lines]:
        """Send a GET request whose answer comes in lines; an answer of one object is one line.

        `seconds` is how long the server may be silent before the answer begins.
        """
        route = f"GET {path}"
        self._refuse_closed(route)
        answer = await self.http.open(
            f"{API}{path}", route, query=form(parameters), seconds=seconds
        )
        try:
            if answer.headers.get("content-type", "").partition(";")[0] == LINES:
                yield Lines(answer, route, first=None)
            else:
                first = _checked(await answer.whole(), route, self.base_url.host)
                yield Lines(answer, route, first=first)
        finally:
            await answer.aclose()

    async def post(
        self,
        path: str,
        parameters: Mapping[str, object],
        *,
        idempotency_key: str | None = None,
        generation: str = "",
    ) -> Answer:
        """Send a POST request. With the same key, a repeat does nothing and returns the same answer.

        A server that was restored since this `generation` of the organization refuses it.
        """
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        if generation:
            headers["Organization-Generation"] = generation
        return await self._send("POST", path, form=form(parameters), headers=headers)

    async def patch(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Send a PATCH request."""
        return await self._send("PATCH", path, form=form(parameters))

    async def put(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Send a PUT request."""
        return await self._send("PUT", path, form=form(parameters))

    async def delete(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Send a DELETE request."""
        return await self._send("DELETE", path, form=form(parameters))

    async def get_page(self, path: str) -> Answer:
        """Send a GET request to a page outside of the API that has a JSON answer for programs."""
        return await self._send("GET", path, below="")

    async def post_page(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Send a POST request to such a page."""
        return await self._send("POST", path, below="", form=form(parameters))

    async def upload(
        self,
        path: str,
        file: BinaryIO,
        filename: str,
        *,
        progress: Callable[[int], None],
        idempotency_key: str | None = None,
    ) -> Answer:
        """Upload a file with POST; `progress` is called with the bytes that were read from it so far."""
        import mimetypes  # no start waits for it

        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        counted = cast("BinaryIO", _Counted(file, progress))
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return await self._send("POST", path, file=(filename, counted, kind), headers=headers)

    @asynccontextmanager
    async def download(
        self, url: str, *, max_bytes: int, elsewhere: bool = True
    ) -> AsyncIterator[Download]:
        """Download a file by its URL, or by its path on the server; the API key goes to the server only.

        Raises MalformedResponse if it is larger than `max_bytes`, and NotAServer if it is elsewhere and
        `elsewhere` is False: a server could make clients send requests to other machines, those of their own
        network among them.
        """
        async with self.http.download(
            url, "GET a file", max_bytes=max_bytes, elsewhere=elsewhere
        ) as (headers, chunks):
            length = headers.get("content-length", "")
            yield Download(
                content_type=headers.get("content-type", ""),
                length=int(length) if length.isdecimal() else None,
                chunks=chunks,
            )

    async def _send(
        self, method: str, path: str, *, below: str = API, **parts: Unpack[RequestParts]
    ) -> Answer:
        """Send a request to a path below the API's, or `below`."""
        assert path.startswith("/"), path
        route = f"{method} {path}"
        self._refuse_closed(route)
        received = await self.http.send(method, f"{below}{path}", route, **parts)
        return Answer(route=route, data=_checked(received, route, self.base_url.host))

    def _refuse_closed(self, route: str) -> None:
        if self._is_closed:
            raise NetworkError(route, "interrupted", self.base_url.host)


def _checked(received: RawResponse, route: str, host: str) -> Mapping[str, object]:
    status, headers, body = received.status, received.headers, received.body
    if not received.is_success:
        raise refusal(status, headers, body, route, host)
    if "html" in headers.get("content-type", ""):
        raise NotAServer(route, host, status, redirected_to=None)
    data = decode.json_object(body, route)
    result = data.get("result")
    if result == "error":
        raise refusal(400, headers, body, route, host)
    if not isinstance(result, str):  # JSON of a proxy on the way
        raise NotAServer(route, host, status, redirected_to=None)
    return data


class _Counted(io.BufferedIOBase):
    """A file that reports how much of it was read."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None]) -> None:
        self._file = file
        self._progress = progress

    def read(self, size: int | None = -1, /) -> bytes:
        data = self._file.read(-1 if size is None else size)
        self._progress(self._file.tell())
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()
