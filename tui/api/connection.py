"""Requests to one server: the only user of httpx, and where every failure becomes our error.

A route function (`tui.api.routes`) names path and parameters; here they are sent, with the key,
within time and size limits, and the answer is a checked JSON object or an error of `tui.errors`.
Redirects are never followed with the key. Nothing here retries: who asks knows what is safe.
"""

import asyncio
import errno
import importlib.metadata
import io
import mimetypes
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import certifi

from tui.dataclass import dataclass

# httpx has a command of its own, which takes more than a third of its import (rich, click, pygments)
# and is left out where it cannot be imported. Nobody here calls it.
if "httpx" not in sys.modules:
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # None: not to be imported
import httpx

from tui.api import decode
from tui.api.base_url import BaseUrl
from tui.api.failures import refusal
from tui.api.form import form
from tui.api.inflate import BadEncoding, Inflater
from tui.errors import ApiRefused, MalformedResponse, NetworkError, NetworkErrorKind, NotAServer

T = TypeVar("T")

MAX_ANSWER_BYTES = 64 * 2**20
"""The register answer of an organization of 50,000 people is about 30 MiB."""
MAX_REDIRECTS = 3
TOO_LONG = "The request was not sent: its text is too long for an address."
CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
TOTAL_SECONDS = 120.0
"""However slowly an answer trickles in; polls and files have their own limits."""

_CERTIFICATE_KINDS: Mapping[int, NetworkErrorKind] = {
    9: "tls_expired",  # not valid yet
    10: "tls_expired",
    62: "tls_hostname",
    64: "tls_hostname",  # an IP address
}
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who asks; the key is not shown where this is printed."""

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
        """One value; raises MalformedResponse if it is missing or of another shape."""
        return decode.field(kind, self.data, key, self.route)

    def read_or(self, key: str, kind: type[T], absent: T) -> T:
        """One value, or `absent` if the server doesn't send it or sends null."""
        return absent if self.data.get(key) is None else self.read(key, kind)

    def whole(self, kind: type[T]) -> T:
        """The whole answer as one wire type."""
        return decode.decode(kind, self.data, self.route)


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file on its way; `length` in bytes is None where the server does not say."""

    content_type: str
    length: int | None
    chunks: AsyncIterator[bytes]


class Connection:
    """One server, one person (or nobody yet). Close it with `aclose`."""

    def __init__(
        self,
        base_url: BaseUrl,
        *,
        credentials: Credentials | None,
        ca_file: Path | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`ca_file` has further certificates to trust; tests pass their own transport."""
        self.base_url = base_url
        self.email = credentials.email if credentials else None
        self._auth = (
            httpx.BasicAuth(credentials.email, credentials.api_key) if credentials else None
        )
        self._http = httpx.AsyncClient(
            headers={"User-Agent": f"Chinwag/{_version()}", "Accept-Encoding": "gzip"},
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            # A proxy would hide a server of this very machine.
            trust_env=not base_url.is_loopback,
            verify=_tls(base_url, ca_file) if transport is None else True,
            follow_redirects=False,
            transport=transport,
        )

    async def aclose(self) -> None:
        """Close its sockets; a waiting poll ends with NetworkError."""
        await self._http.aclose()

    async def get(
        self, path: str, parameters: Mapping[str, object], *, read_seconds: float = READ_SECONDS
    ) -> Answer:
        """Ask; `read_seconds` is how long the server may be silent."""
        timeout = httpx.Timeout(READ_SECONDS, read=read_seconds, connect=CONNECT_SECONDS)
        request = self._request("GET", path, params=form(parameters), timeout=timeout)
        return await self._answer(request, path, total_seconds=TOTAL_SECONDS + read_seconds)

    async def post(
        self,
        path: str,
        parameters: Mapping[str, object],
        *,
        idempotency_key: str | None = None,
        generation: str = "",
    ) -> Answer:
        """Tell. With the same key, telling again does nothing and answers the same.

        A server that was restored since this `generation` of the organization refuses it.
        """
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        if generation:
            headers["Organization-Generation"] = generation
        request = self._request("POST", path, data=form(parameters), headers=headers)
        return await self._answer(request, path)

    async def patch(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Change."""
        return await self._answer(self._request("PATCH", path, data=form(parameters)), path)

    async def put(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Set."""
        return await self._answer(self._request("PUT", path, data=form(parameters)), path)

    async def delete(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Remove."""
        return await self._answer(self._request("DELETE", path, data=form(parameters)), path)

    async def get_page(self, path: str) -> Answer:
        """Ask a page beside the API that tells programs the same as people."""
        request = self._http.build_request("GET", f"{self.base_url.text}{path}")
        return await self._answer(request, path)

    async def post_page(self, path: str, parameters: Mapping[str, object]) -> Answer:
        """Fill in such a page, and send it."""
        data = form(parameters)
        request = self._http.build_request("POST", f"{self.base_url.text}{path}", data=data)
        return await self._answer(request, path)

    async def upload(
        self,
        path: str,
        file: BinaryIO,
        filename: str,
        *,
        progress: Callable[[int], None],
        idempotency_key: str | None = None,
    ) -> Answer:
        """POST a file; `progress` hears how many bytes were read from it so far."""
        content_type = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        request = self._request(
            "POST",
            path,
            files={"file": (filename, _Counted(file, progress), content_type)},
            headers={"Idempotency-Key": idempotency_key} if idempotency_key else {},
        )
        return await self._answer(request, path, total_seconds=None)

    @asynccontextmanager
    async def download(
        self, url: str, *, max_bytes: int, elsewhere: bool = True
    ) -> AsyncIterator[Download]:
        """A file by its URL, or by its path on the server; the key goes to the server only.

        Raises MalformedResponse if it is larger than `max_bytes`, and NotAServer if it lies elsewhere and that
        is not wanted: a server could have clients ask other machines, those of their own network among them.
        """
        route = "GET a file"
        target = _joined(httpx.URL(self.base_url.text), url, route)
        async with _sorted_errors(route, target.host):
            response = await self._follow(target, route, elsewhere=elsewhere)
            try:
                length = response.headers.get("Content-Length", "")
                yield Download(
                    content_type=response.headers.get("Content-Type", ""),
                    length=int(length) if length.isdecimal() else None,
                    chunks=_limited(response, route, max_bytes),
                )
            finally:
                await response.aclose()

    async def _follow(self, url: httpx.URL, route: str, *, elsewhere: bool) -> httpx.Response:
        own = httpx.URL(self.base_url.text)
        for _ in range(MAX_REDIRECTS + 1):
            if url.scheme not in ("http", "https") or (own.scheme, url.scheme) == ("https", "http"):
                break
            at_home = (url.scheme, url.host, url.port) == (own.scheme, own.host, own.port)
            if not (at_home or elsewhere):
                break
            request = self._http.build_request("GET", url)
            response = await self._http.send(
                request, auth=self._auth if at_home else None, stream=True
            )
            if response.is_success:
                return response
            if not response.has_redirect_location:
                body = await _body(response, route)
                raise refusal(response.status_code, response.headers, body, route, url.host)
            await response.aclose()
            url = _joined(url, response.headers["Location"], route)
        raise NotAServer(route, self.base_url.host, 302, redirected_to=str(url.host))

    def _request(self, method: str, path: str, **parts: object) -> httpx.Request:
        assert path.startswith("/"), path
        try:
            return self._http.build_request(method, f"{self.base_url.api}{path}", **parts)  # type: ignore[arg-type]  # the parts are build_request's own
        except httpx.InvalidURL as error:  # only its length can be wrong: all else is encoded
            raise ApiRefused(
                f"{method} {path}", TOO_LONG, code="URL_TOO_LONG", status=414, data={}
            ) from error

    async def _answer(
        self, request: httpx.Request, path: str, *, total_seconds: float | None = TOTAL_SECONDS
    ) -> Answer:
        route = f"{request.method} {path}"
        host = self.base_url.host
        async with _sorted_errors(route, host), asyncio.timeout(total_seconds):
            response = await self._http.send(request, auth=self._auth, stream=True)
            body = await _body(response, route)
        if not response.is_success:
            raise refusal(response.status_code, response.headers, body, route, host)
        return Answer(route=route, data=_json(response, body, route, host))


@asynccontextmanager
async def _sorted_errors(route: str, host: str) -> AsyncIterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise NetworkError(route, "timeout", host) from error
    except httpx.DecodingError as error:
        raise MalformedResponse(route, "its compression is broken") from error
    except httpx.TransportError as error:
        raise NetworkError(route, _kind(error), host) from error


def _kind(error: httpx.TransportError) -> NetworkErrorKind:
    causes = list(_causes(error))
    if isinstance(error, httpx.ConnectError):
        for cause in causes:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return _CERTIFICATE_KINDS.get(cause.verify_code, "tls_untrusted")
            if isinstance(cause, ssl.SSLError):
                return "tls"
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


async def _limited(response: httpx.Response, route: str, limit: int) -> AsyncIterator[bytes]:
    received = 0
    try:
        inflater = Inflater(response.headers.get("Content-Encoding", ""))
        async for compressed in response.aiter_raw():
            chunk = inflater.feed(compressed)
            while chunk:
                received += len(chunk)
                if received > limit:
                    raise MalformedResponse(route, f"it is larger than {limit // 2**20} MiB")
                yield chunk
                chunk = inflater.feed(b"") if inflater.has_more else b""
    except BadEncoding as error:
        raise MalformedResponse(route, "its compression is broken") from error


def _json(response: httpx.Response, body: bytes, route: str, host: str) -> Mapping[str, object]:
    if "html" in response.headers.get("Content-Type", ""):
        raise NotAServer(route, host, response.status_code, redirected_to=None)
    data = decode.json_object(body, route)
    result = data.get("result")
    if result == "error":
        raise refusal(400, response.headers, body, route, host)
    if not isinstance(result, str):  # JSON of something else on the way
        raise NotAServer(route, host, response.status_code, redirected_to=None)
    return data


def _tls(base_url: BaseUrl, ca_file: Path | None) -> ssl.SSLContext:
    if base_url.text.startswith("http:"):
        # Trusts nobody, should anything lead to https all the same; loading takes 20 ms.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The system's certificates know a company's own, certifi's are there on every machine.
    context.load_verify_locations(certifi.where())
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


def _version() -> str:
    try:
        return importlib.metadata.version("chinwag")
    except importlib.metadata.PackageNotFoundError:
        return "0"  # started from a source tree that is not installed


class _Counted(io.BufferedIOBase):
    """A file that tells how much of it was read."""

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
