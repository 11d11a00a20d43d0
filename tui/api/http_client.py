"""Requests to one server, with their headers and limits, and its answers. Imported with the first request.

A request goes to a `Transport`; every failure on the way becomes an error of `tui.errors`, and answers are
read in `connection.py`. Redirects are never followed with the key. Nothing here retries: callers know what
is safe. httpx is imported for redirects of files, and where a proxy may apply (`redirects.py`, `httpx_transport.py`).
"""

from __future__ import annotations

import asyncio
import os
import sys
from base64 import b64encode
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypedDict, Unpack
from urllib.parse import quote, urlencode

from tui import VERSION
from tui.api.base_url import BaseUrl
from tui.api.failures import refusal
from tui.api.inflate import BadEncoding, Inflater
from tui.api.socket_transport import SocketTransport
from tui.api.transport import HeaderLines, Origin, Request, Response, Transport, TransportError
from tui.dataclass import dataclass
from tui.errors import ApiRefused, MalformedResponse, NetworkError

if TYPE_CHECKING:  # OpenSSL is imported for https
    import ssl

    from httpx import AsyncBaseTransport

MAX_ANSWER_BYTES = 64 * 2**20
"""The answer of `register` for an organization of 50,000 people is about 30 MiB."""
MAX_TARGET_BYTES: Final = 65_536
TOO_LONG = "The request was not sent: its text is too long for an address."
READ_SECONDS = 30.0
CLOSING_SECONDS = 1.0
TOTAL_SECONDS = 120.0
"""In all, however slowly an answer trickles in; polls and files have their own limits."""

_NONE: Final[Mapping[str, str]] = {}
_FAILURES = (TimeoutError, TransportError)
FORM: Final = b"application/x-www-form-urlencoded"
_PROGRAM: Final = f"Chinwag/{VERSION}".encode()
_IN_PATHS: Final = "!$%&'()*+,/:;=@[\\]^|"
"""What a path keeps; names within paths are encoded already (`tui.api.routes`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResponse:
    """An answer of any status; `headers` by name in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status < 300


class RequestParts(TypedDict, total=False):
    """What a request may have; `query` or `form` or `file`."""

    query: Mapping[str, str]
    form: Mapping[str, str]
    file: tuple[str, BinaryIO, str]
    """Name, content and type."""
    headers: Mapping[str, str]
    read_seconds: float | None
    """How long the server may be silent, if not `READ_SECONDS`."""


class OpenAnswer:
    """An answer of any status, whose body is read as it comes."""

    def __init__(self, client: HttpClient, response: Response, route: str) -> None:
        self.status = response.status
        self.headers = response.headers
        self._client = client
        self._response = response
        self._route = route
        self._body = _Body(response, route, MAX_ANSWER_BYTES)

    async def read(self, seconds: float) -> bytes:
        """Return the next bytes, empty at the end; NetworkError after `seconds` without any."""
        return await self._client.next_bytes(self._body, self._route, seconds)

    async def whole(self) -> RawResponse:
        """Read all of it, within the time of any answer."""
        parts: list[bytes] = []
        end = asyncio.get_running_loop().time() + TOTAL_SECONDS
        while data := await self.read(min(READ_SECONDS, end - asyncio.get_running_loop().time())):
            parts.append(data)
        return RawResponse(status=self.status, headers=self.headers, body=b"".join(parts))

    async def aclose(self) -> None:
        """Give the connection back, or close it if there is more to read."""
        await self._response.aclose()


_speaks_for: dict[str, str] = {}


def speak_for(address: str, secret: str) -> None:
    """Send the user's own address with all requests of this process, since they are not at this machine.

    A server uses it for rate limits if it knows the secret, or trusts this machine as a proxy.
    """
    _speaks_for["X-Forwarded-For"] = address
    if secret:
        _speaks_for["X-Chinwag-SSH"] = secret


class HttpClient:
    """The sockets to one server, with the API key of one user. Close it with `aclose`."""

    def __init__(
        self,
        base_url: BaseUrl,
        *,
        key: tuple[str, str] | None,
        ca_file: Path | None = None,
        transport: AsyncBaseTransport | None = None,
    ) -> None:
        """`key` is email address and API key; for the others see `Connection`."""
        self._base_url = base_url
        self._speaks_for = _lines(_speaks_for)
        token = b64encode(":".join(key or ()).encode())
        self._authorization = [(b"Authorization", b"Basic " + token)] if key else []
        self._waiting: set[asyncio.Timeout] = set()
        """The time limits of the running requests."""
        # A proxy cannot reach a server of this very machine.
        self.asks_proxies = not base_url.is_loopback and _has_proxies()
        tls = cache(partial(_tls, base_url, ca_file))
        if transport is None and base_url.origin[0] == "https":
            tls()  # a certificate file that cannot be read is reported at once
        self._transport: Transport
        if transport is None and not self.asks_proxies:
            self._transport = SocketTransport(tls)
        else:
            from tui.api.httpx_transport import HttpxTransport

            self._transport = HttpxTransport(transport, tls)

    def move_to(self, base_url: BaseUrl) -> None:
        """Send further requests to the server's new address, on the same machine."""
        self._base_url = base_url
        self.__dict__.pop("_address", None)

    async def aclose(self) -> None:
        """Close the sockets; a waiting request ends with NetworkError.

        A request that is connecting is unknown to the pool, and would leave its socket open.
        """
        for limit in self._waiting:
            limit.reschedule(asyncio.get_running_loop().time())
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                while self._waiting:  # noqa: ASYNC110  # a turn of the loop or two; nothing reports it
                    await asyncio.sleep(0)
        await self._transport.aclose()

    async def send(
        self, method: str, path: str, route: str, **parts: Unpack[RequestParts]
    ) -> RawResponse:
        """Send one request; `path` is below the server's URL. A file may take as long as it needs."""
        more = _lines(parts.get("headers", _NONE))
        seconds = parts.get("read_seconds")
        total: float | None = TOTAL_SECONDS + (seconds or 0.0)
        content: bytes | AsyncIterable[bytes] = b""
        if file := parts.get("file"):
            from tui.api.files import FormWithFile

            content = FormWithFile(*file)
            more, total = [*more, *content.headers], None
        elif body := urlencode(parts.get("form", _NONE)).encode():
            more += [(b"Content-Length", b"%d" % len(body)), (b"Content-Type", FORM)]
            content = body
        request = self._request(
            method, path, route, query=parts.get("query", _NONE), more=more, body=content
        )
        if seconds is None:
            seconds = READ_SECONDS
        with _sorted_errors(route, self._base_url.host):
            async with self._interruptible(total):
                response = await self._transport.answer(
                    request, head_seconds=seconds, body_seconds=seconds
                )
                try:
                    whole = await _Body(response, route, MAX_ANSWER_BYTES).whole()
                finally:
                    await response.aclose()
        return RawResponse(status=response.status, headers=response.headers, body=whole)

    async def open(
        self, path: str, route: str, *, query: Mapping[str, str], seconds: float
    ) -> OpenAnswer:
        """Send a GET request whose answer is read as it comes; close it with `aclose`.

        `seconds` is how long the server may be silent before the answer begins.
        """
        # A compressor holds back what it has.
        request = self._request("GET", path, route, query=query, encoding=b"identity")
        with _sorted_errors(route, self._base_url.host):
            async with self._interruptible(TOTAL_SECONDS + seconds):
                # Each read has its own limit.
                response = await self._transport.answer(
                    request, head_seconds=seconds, body_seconds=None
                )
        return OpenAnswer(self, response, route)

    @asynccontextmanager
    async def download(
        self, url: str, route: str, *, max_bytes: int, elsewhere: bool
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[bytes]]]:
        """Yield headers and content of a file: see `Connection.download`."""
        from tui.api.files import follow

        async def ask(origin: Origin, host: bytes, target: bytes, *, at_home: bool) -> Response:
            headers = self._headers(host, at_home=at_home)
            request = Request(method="GET", origin=origin, target=target, headers=headers)
            with _sorted_errors(route, origin[1]):
                async with self._interruptible(TOTAL_SECONDS):
                    return await self._transport.answer(
                        request, head_seconds=READ_SECONDS, body_seconds=READ_SECONDS
                    )

        host, response = await follow(ask, self._base_url, url, route, elsewhere=elsewhere)
        try:
            if not 200 <= response.status < 300:
                with _sorted_errors(route, host):
                    body = await _Body(response, route, MAX_ANSWER_BYTES).whole()
                raise refusal(response.status, response.headers, body, route, host)
            yield response.headers, _chunks(response, route, host, max_bytes)
        finally:
            await response.aclose()

    async def next_bytes(self, body: _Body, route: str, seconds: float) -> bytes:
        """Return the next bytes of an open answer, empty at its end."""
        # Without context managers that are generators: this is done for every event.
        try:
            async with asyncio.timeout(seconds) as limit:
                self._waiting.add(limit)
                try:
                    return await body.read()
                finally:
                    self._waiting.discard(limit)
        except _FAILURES as error:
            raise _network_error(error, route, self._base_url.host) from error

    @asynccontextmanager
    async def _interruptible(self, seconds: float | None) -> AsyncIterator[None]:
        """A time limit that ends at once when the sockets are closed."""
        async with asyncio.timeout(seconds) as limit:
            self._waiting.add(limit)
            try:
                yield
            finally:
                self._waiting.discard(limit)

    def _request(
        self,
        method: str,
        path: str,
        route: str,
        *,
        query: Mapping[str, str] = _NONE,
        more: HeaderLines = (),
        body: bytes | AsyncIterable[bytes] = b"",
        encoding: bytes = b"gzip",
    ) -> Request:
        target = quote(f"{self._base_url.path}{path}", safe=_IN_PATHS)
        if query:
            target = f"{target}?{urlencode(query)}"
        if len(target) > MAX_TARGET_BYTES:
            raise ApiRefused(route, TOO_LONG, code="URL_TOO_LONG", status=414, data={})
        try:
            origin, host = self._address
        except UnicodeError as error:  # a name that no host can have
            raise NetworkError(route, "dns", self._base_url.host) from error
        return Request(
            method=method,
            origin=origin,
            target=target.encode("ascii"),
            headers=self._headers(
                host, more, encoding, is_empty=not body and method in ("POST", "PATCH", "PUT")
            ),
            body=body,
        )

    @cached_property
    def _address(self) -> tuple[Origin, bytes]:
        """Where the server is, and how it is named in the header."""
        (scheme, name, port), header = self._base_url.origin, self._base_url.host
        if not name.isascii():
            import idna

            ascii_name = idna.encode(name).decode("ascii")
            name, header = ascii_name, header.replace(name, ascii_name)
        return (scheme, name, port), header.encode("ascii")

    def _headers(
        self,
        host: bytes,
        more: HeaderLines = (),
        encoding: bytes = b"gzip",
        *,
        is_empty: bool = False,
        at_home: bool = True,
    ) -> HeaderLines:
        """Return all headers of a request; other servers must not learn the key, nor where the user is."""
        return [
            (b"Host", host),
            *([(b"Content-Length", b"0")] if is_empty else ()),
            (b"Accept", b"*/*"),
            (b"Connection", b"keep-alive"),
            (b"User-Agent", _PROGRAM),
            (b"Accept-Encoding", encoding),
            *(self._speaks_for if at_home else ()),
            *more,
            *(self._authorization if at_home else ()),
        ]


class _Body:
    """The body of an answer, decompressed, up to a limit."""

    def __init__(self, response: Response, route: str, limit: int) -> None:
        self._response = response
        self._route = route
        self._limit = limit
        self._received = 0
        self._inflater: Inflater | None = None

    async def read(self) -> bytes:
        """Return the next bytes, empty at the end. Raises MalformedResponse, TransportError."""
        chunk = b""
        try:
            if (inflater := self._inflater) is None:
                encoding = self._response.headers.get("content-encoding", "")
                inflater = self._inflater = Inflater(encoding)
            elif inflater.has_more:
                chunk = inflater.feed(b"")
            while not chunk:
                if not (data := await self._response.read()):
                    inflater.end()
                    return b""
                chunk = inflater.feed(data)
        except BadEncoding as error:
            raise MalformedResponse(self._route, "its compression is broken") from error
        self._received += len(chunk)
        if self._received > self._limit:
            size = f"it is larger than {self._limit // 2**20} MiB"
            raise MalformedResponse(self._route, size)
        return chunk

    async def whole(self) -> bytes:
        """Return all of it."""
        parts: list[bytes] = []
        while data := await self.read():
            parts.append(data)
        return b"".join(parts)


async def _chunks(response: Response, route: str, host: str, limit: int) -> AsyncIterator[bytes]:
    body = _Body(response, route, limit)
    with _sorted_errors(route, host):
        while data := await body.read():
            yield data


@contextmanager
def _sorted_errors(route: str, host: str) -> Iterator[None]:
    try:
        yield
    except _FAILURES as error:
        raise _network_error(error, route, host) from error


def _network_error(error: Exception, route: str, host: str) -> NetworkError:
    kind = error.kind if isinstance(error, TransportError) else "timeout"
    return NetworkError(route, kind, host)


def _lines(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("ascii"), value.encode()) for name, value in headers.items()]


def _has_proxies() -> bool:
    if sys.platform == "linux" and not any(name.lower().endswith("_proxy") for name in os.environ):
        return False
    from urllib.request import (
        getproxies,  # with a client of its own, for which servers of this machine need not wait
    )

    return bool(getproxies())


def _tls(base_url: BaseUrl, ca_file: Path | None) -> ssl.SSLContext:
    import ssl  # OpenSSL takes 4 MB, and a server of this machine has no use for it

    if base_url.text.startswith("http:"):
        # Trusts no server, should a redirect lead to https; loading certificates takes 20 ms.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    import certifi

    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The system's certificates include a company's own, certifi's exist on every machine.
    context.load_verify_locations(certifi.where())
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context
