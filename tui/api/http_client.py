"""Sends a request with httpx and reads its answer; alone in this. Imported with the first request.

Every failure on the way becomes an error of `tui.errors`; answers are read in `connection.py`.
Redirects are never followed with the key. Nothing here retries: callers know what is safe.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tui import VERSION
from tui.api.base_url import BaseUrl
from tui.api.failures import refusal
from tui.api.httpx_import import NoCookies, without_extras
from tui.api.inflate import BadEncoding, Inflater
from tui.dataclass import dataclass
from tui.errors import ApiRefused, MalformedResponse, NetworkError, NetworkErrorKind, NotAServer

if TYPE_CHECKING:  # OpenSSL is imported for https
    import ssl

with without_extras():
    import httpx

from tui.api.stream_transport import StreamTransport

MAX_ANSWER_BYTES = 64 * 2**20
"""The answer of `register` for an organization of 50,000 people is about 30 MiB."""
MAX_REDIRECTS = 3
TOO_LONG = "The request was not sent: its text is too long for an address."
CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
CLOSING_SECONDS = 1.0
TOTAL_SECONDS = 120.0
"""In all, however slowly an answer trickles in; polls and files have their own limits."""

_CERTIFICATE_KINDS: Mapping[int, NetworkErrorKind] = {
    9: "tls_expired",  # not valid yet
    10: "tls_expired",
    62: "tls_hostname",
    64: "tls_hostname",  # an IP address
}
_FAILURES = (
    TimeoutError,
    httpx.DecodingError,
    httpx.TransportError,
    httpx.InvalidURL,
    UnicodeError,
)
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResponse:
    """An answer of any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status < 300


class OpenAnswer:
    """An answer of any status, whose body is read as it comes."""

    def __init__(self, client: HttpClient, response: httpx.Response, route: str) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._client = client
        self._response = response
        self._route = route
        self._chunks = _limited(response, route, MAX_ANSWER_BYTES)

    async def read(self, seconds: float) -> bytes:
        """Return the next bytes, empty at the end; NetworkError after `seconds` without any."""
        return await self._client.next_bytes(self._chunks, self._route, seconds)

    async def whole(self) -> RawResponse:
        """Read all of it, within the time of any answer."""
        parts: list[bytes] = []
        end = asyncio.get_running_loop().time() + TOTAL_SECONDS
        while data := await self.read(min(READ_SECONDS, end - asyncio.get_running_loop().time())):
            parts.append(data)
        return RawResponse(status=self.status, headers=self.headers, body=b"".join(parts))

    async def aclose(self) -> None:
        """Give the connection back, or close it if there is more to read."""
        await self._chunks.aclose()
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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`key` is email address and API key; for the others see `Connection`."""
        self._base_url = base_url
        self._auth = httpx.BasicAuth(*key) if key else None
        self._waiting: set[asyncio.Timeout] = set()
        """The time limits of the running requests."""
        # A proxy cannot reach a server of this very machine.
        trust_env = not base_url.is_loopback
        tls = cache(partial(_tls, base_url, ca_file))
        if transport is None:
            if base_url.text.startswith("https:"):
                tls()  # a certificate file that cannot be read is reported at once
            if not (trust_env and _has_proxies()):
                transport = StreamTransport(tls)
        self._transport = transport
        """Handles requests; None where a proxy may apply, which only httpx supports."""
        self._http = httpx.AsyncClient(
            headers={
                "User-Agent": f"Chinwag/{VERSION}",
                "Accept-Encoding": "gzip",
                **_speaks_for,
            },
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            trust_env=trust_env,
            verify=tls() if transport is None else True,
            follow_redirects=False,
            cookies=NoCookies(),  # type: ignore[arg-type]  # all that httpx asks of a jar
            transport=transport,
        )

    @property
    def asks_proxies(self) -> bool:
        """Whether the environment's proxies are used."""
        return self._http.trust_env

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
        await self._http.aclose()

    async def send(
        self,
        method: str,
        url: str,
        route: str,
        *,
        is_file: bool = False,
        read_seconds: float | None = None,
        **parts: object,
    ) -> RawResponse:
        """Send one request; `parts` are httpx's own. A file may take as long as it needs.

        `read_seconds` is how long the server may be silent.
        """
        if read_seconds is not None:
            parts["timeout"] = httpx.Timeout(
                READ_SECONDS, read=read_seconds, connect=CONNECT_SECONDS
            )
        try:
            request = self._http.build_request(method, url, **parts)  # type: ignore[arg-type]  # the parts are build_request's own
        except httpx.InvalidURL as error:  # only its length can be wrong: all else is encoded
            raise ApiRefused(route, TOO_LONG, code="URL_TOO_LONG", status=414, data={}) from error
        total = None if is_file else TOTAL_SECONDS + (read_seconds or 0.0)
        async with _sorted_errors(route, self._base_url.host), self._interruptible(total):
            response = await self._answer(request)
            body = await _body(response, route)
        return RawResponse(status=response.status_code, headers=response.headers, body=body)

    async def open(
        self, url: str, route: str, *, params: Mapping[str, str], seconds: float
    ) -> OpenAnswer:
        """Send a GET request whose answer is read as it comes; close it with `aclose`.

        `seconds` is how long the server may be silent before the answer begins.
        """
        request = self._http.build_request(
            "GET",
            url,
            params=params,
            headers={"Accept-Encoding": "identity"},  # a compressor holds back what it has
            timeout=httpx.Timeout(READ_SECONDS, read=seconds, connect=CONNECT_SECONDS),
        )
        async with _sorted_errors(route, self._base_url.host), self._interruptible(None):
            response = await self._answer(request)
        # From now on, each read has its own limit.
        request.extensions["timeout"]["read"] = None
        return OpenAnswer(self, response, route)

    @asynccontextmanager
    async def _interruptible(self, seconds: float | None) -> AsyncIterator[None]:
        """A time limit that ends at once when the sockets are closed."""
        async with asyncio.timeout(seconds) as limit:
            self._waiting.add(limit)
            try:
                yield
            finally:
                self._waiting.discard(limit)

    async def next_bytes(self, chunks: AsyncIterator[bytes], route: str, seconds: float) -> bytes:
        """Return the next bytes of an open answer, empty at its end."""
        # Without a context manager that is a generator: this is done for every event.
        try:
            async with asyncio.timeout(seconds) as limit:
                self._waiting.add(limit)
                try:
                    return await anext(chunks, b"")
                finally:
                    self._waiting.discard(limit)
        except _FAILURES as error:
            raise _sorted_error(error, route, self._base_url.host) from error

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        """Return the answer's head; without httpx's cookies and redirects, which are a third of a request."""
        if self._transport is None:
            return await self._http.send(request, auth=self._auth, stream=True)
        if self._auth is not None:
            request = next(self._auth.auth_flow(request))
        return await self._transport.handle_async_request(request)

    @asynccontextmanager
    async def download(
        self, url: str, route: str, *, max_bytes: int, elsewhere: bool
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[bytes]]]:
        """Yield headers and content of a file: see `Connection.download`."""
        target = _joined(httpx.URL(self._base_url.text), url, route)
        async with _sorted_errors(route, _host(target)):
            response = await self._follow(target, route, elsewhere=elsewhere)
            try:
                yield response.headers, _limited(response, route, max_bytes)
            finally:
                await response.aclose()

    async def _follow(self, url: httpx.URL, route: str, *, elsewhere: bool) -> httpx.Response:
        own = httpx.URL(self._base_url.text)
        for _ in range(MAX_REDIRECTS + 1):
            if url.scheme not in ("http", "https") or (own.scheme, url.scheme) == ("https", "http"):
                break
            at_home = (url.scheme, _host(url), url.port) == (own.scheme, _host(own), own.port)
            if not (at_home or elsewhere):
                break
            request = self._http.build_request("GET", url)
            if not at_home:  # other servers must not learn where the user is
                for name in _speaks_for:
                    del request.headers[name]
            response = await self._http.send(
                request, auth=self._auth if at_home else None, stream=True
            )
            if response.is_success:
                return response
            if not response.has_redirect_location:
                body = await _body(response, route)
                raise refusal(response.status_code, response.headers, body, route, _host(url))
            await response.aclose()
            url = _joined(url, response.headers["Location"], route)
        raise NotAServer(route, self._base_url.host, 302, redirected_to=_host(url))


@asynccontextmanager
async def _sorted_errors(route: str, host: str) -> AsyncIterator[None]:
    try:
        yield
    except _FAILURES as error:
        raise _sorted_error(error, route, host) from error


def _sorted_error(error: Exception, route: str, host: str) -> NetworkError | MalformedResponse:
    """Return what a failure of a request means."""
    match error:
        case TimeoutError():
            return NetworkError(route, "timeout", host)
        case httpx.DecodingError():
            return MalformedResponse(route, "its compression is broken")
        case httpx.TransportError():
            return NetworkError(route, _kind(error), host)
        case _:  # httpx reads where a redirect leads
            return MalformedResponse(route, "its redirect address is invalid")


def _host(url: httpx.URL) -> str:
    """The host as it is asked for, in ASCII; `URL.host` raises where Punycode says nothing."""
    return url.raw_host.decode("ascii")


def _has_proxies() -> bool:
    if sys.platform == "linux" and not any(name.lower().endswith("_proxy") for name in os.environ):
        return False
    from urllib.request import (
        getproxies,  # with a client of its own, for which servers of this machine need not wait
    )

    return bool(getproxies())


def _kind_of_tls(cause: BaseException) -> NetworkErrorKind | None:
    if "ssl" not in sys.modules:
        return None
    import ssl

    if isinstance(cause, ssl.SSLCertVerificationError):
        return _CERTIFICATE_KINDS.get(cause.verify_code, "tls_untrusted")
    return "tls" if isinstance(cause, ssl.SSLError) else None


def _kind(error: httpx.TransportError) -> NetworkErrorKind:
    causes = list(_causes(error))
    if isinstance(error, httpx.ConnectError):
        for cause in causes:
            if (kind := _kind_of_tls(cause)) is not None:
                return kind
            if isinstance(cause, socket.gaierror):
                return "dns"
            if isinstance(cause, ConnectionRefusedError):
                return "refused"
            if isinstance(cause, OSError) and cause.errno in _UNREACHABLE:
                return "unreachable"
        return "unreachable"
    if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        return "connect_timeout"
    if isinstance(error, httpx.TimeoutException):
        return "timeout"
    if isinstance(error, (httpx.NetworkError, httpx.ProtocolError)):
        return "interrupted"
    return "other"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__


def _joined(url: httpx.URL, target: str, route: str) -> httpx.URL:
    try:
        return url.join(target)
    except (httpx.InvalidURL, ValueError) as error:
        raise MalformedResponse(route, "its redirect address is invalid") from error


async def _body(response: httpx.Response, route: str) -> bytes:
    try:
        return b"".join([chunk async for chunk in _limited(response, route, MAX_ANSWER_BYTES)])
    finally:
        await response.aclose()


async def _limited(response: httpx.Response, route: str, limit: int) -> AsyncGenerator[bytes, None]:
    received = 0
    try:
        inflater = Inflater(response.headers.get("Content-Encoding", ""))
        # Not `aiter_raw`, which is two more generators for each chunk.
        async for compressed in cast("httpx.AsyncByteStream", response.stream):
            chunk = inflater.feed(compressed)
            while chunk:
                received += len(chunk)
                if received > limit:
                    raise MalformedResponse(route, f"it is larger than {limit // 2**20} MiB")
                yield chunk
                chunk = inflater.feed(b"") if inflater.has_more else b""
    except BadEncoding as error:
        raise MalformedResponse(route, "its compression is broken") from error


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
