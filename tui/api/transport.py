"""What an HTTP transport takes and gives: requests, answers and failures. No I/O, no httpx.

There are two: `SocketTransport` for nearly everything, and `HttpxTransport` where a proxy is asked.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from tui.dataclass import dataclass
from tui.errors import NetworkErrorKind

CONNECT_SECONDS: Final = 10.0
WRITE_SECONDS: Final = 30.0

_CERTIFICATE_KINDS: Mapping[int, NetworkErrorKind] = {
    9: "tls_expired",  # not valid yet
    10: "tls_expired",
    62: "tls_hostname",
    64: "tls_hostname",  # an IP address
}
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}

Origin: TypeAlias = tuple[str, str, int]
"""Scheme, host in ASCII, and port."""
HeaderLines: TypeAlias = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it is sent; `headers` have all that the body needs."""

    method: str
    origin: Origin
    target: bytes
    headers: HeaderLines
    body: bytes | AsyncIterable[bytes] = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The head of an answer of any status, and its body, which is read as it comes."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    read: Callable[[], Awaitable[bytes]]
    """Returns the next bytes, still compressed; empty at the end. Raises TransportError."""
    aclose: Callable[[], Awaitable[None]]
    """Gives the connection back, or closes it if there is more to read."""


class TransportError(Exception):
    """A request got no answer, or a part of one."""

    def __init__(self, kind: NetworkErrorKind) -> None:
        super().__init__(kind)
        self.kind = kind


class Transport(Protocol):
    """Sends requests."""

    async def answer(
        self, request: Request, *, head_seconds: float, body_seconds: float | None
    ) -> Response:
        """Send a request, and read the head of its answer. Raises TransportError.

        The server may be silent for `head_seconds` before it, and for `body_seconds` within the body.
        """

    async def aclose(self) -> None:
        """Close all connections; waiting requests get an error."""


def connect_failure(error: BaseException) -> NetworkErrorKind:
    """Return why there was no connection, from the error and its causes."""
    for cause in _causes(error):
        if (kind := _kind_of_tls(cause)) is not None:
            return kind
        if isinstance(cause, (socket.gaierror, UnicodeError)):  # or a name that no host can have
            return "dns"
        if isinstance(cause, ConnectionRefusedError):
            return "refused"
        if isinstance(cause, OSError) and cause.errno in _UNREACHABLE:
            return "unreachable"
    return "unreachable"


def _kind_of_tls(cause: BaseException) -> NetworkErrorKind | None:
    if "ssl" not in sys.modules:
        return None
    import ssl

    if isinstance(cause, ssl.SSLCertVerificationError):
        return _CERTIFICATE_KINDS.get(cause.verify_code, "tls_untrusted")
    return "tls" if isinstance(cause, ssl.SSLError) else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__
