"""HTTP by httpx: where the environment names a proxy, and where a transport for httpx is given. No redirects."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

from tui.api.httpx_import import NoCookies, without_extras
from tui.api.transport import (
    CONNECT_SECONDS,
    WRITE_SECONDS,
    Request,
    Response,
    TransportError,
    connect_failure,
)
from tui.errors import NetworkErrorKind

with without_extras():
    import httpx

if TYPE_CHECKING:  # OpenSSL is imported for https
    import ssl


class HttpxTransport:
    """A client of httpx for any number of servers."""

    def __init__(
        self, transport: httpx.AsyncBaseTransport | None, tls: Callable[[], ssl.SSLContext]
    ) -> None:
        """Without a `transport`, the environment decides which proxy is asked."""
        self._given: Final = transport
        self._tls: Final = tls

    @cached_property
    def _http(self) -> httpx.AsyncClient:
        """The client. Raises TransportError if it cannot be made for the proxy of the environment."""
        try:
            return httpx.AsyncClient(
                verify=self._tls() if self._given is None else True,
                cookies=NoCookies(),  # type: ignore[arg-type]  # all that httpx asks of a jar
                transport=self._given,
            )
        except (ValueError, ImportError, httpx.InvalidURL) as error:  # no address; SOCKS
            raise TransportError("proxy") from error

    async def answer(
        self, request: Request, *, head_seconds: float, body_seconds: float | None
    ) -> Response:
        """See `Transport`."""
        scheme, host, port = request.origin
        seconds: dict[str, float | None] = {
            "connect": CONNECT_SECONDS,
            "pool": WRITE_SECONDS,
            "write": WRITE_SECONDS,
            "read": head_seconds,
        }
        with _transport_errors():
            body = request.body
            sent = httpx.Request(
                request.method,
                httpx.URL(scheme=scheme, host=host, port=port, raw_path=request.target),
                headers=request.headers,
                content=body if isinstance(body, bytes) else None,
                stream=None if isinstance(body, bytes) else _Stream(body),
                extensions={"timeout": seconds},
            )
            response = await self._http.send(sent, auth=None, stream=True)
        seconds["read"] = body_seconds
        chunks = aiter(cast("httpx.AsyncByteStream", response.stream))
        return Response(
            status=response.status_code,
            headers=dict(response.headers),
            read=lambda: _next(chunks),
            aclose=response.aclose,
        )

    async def aclose(self) -> None:
        """See `Transport`."""
        if "_http" in self.__dict__:
            await self._http.aclose()


class _Stream(httpx.AsyncByteStream):
    """A body as httpx takes it."""

    def __init__(self, body: AsyncIterable[bytes]) -> None:
        self._body = body

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._body)


async def _next(chunks: AsyncIterator[bytes]) -> bytes:
    with _transport_errors():
        async for chunk in chunks:
            if chunk:
                return chunk
    return b""


@contextmanager
def _transport_errors() -> Iterator[None]:
    try:
        yield
    except (httpx.TransportError, httpx.InvalidURL, UnicodeError) as error:
        # The last two: httpx reads where a redirect leads.
        raise TransportError(_kind(error)) from error


def _kind(error: Exception) -> NetworkErrorKind:
    match error:
        case httpx.ProxyError():
            return "proxy"
        case httpx.ConnectError():
            return connect_failure(error)
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "connect_timeout"
        case httpx.TimeoutException():
            return "timeout"
        case httpx.NetworkError() | httpx.ProtocolError():
            return "interrupted"
        case _:
            return "other"
