"""The bodies of uploads and the way to downloads, in terms of httpx. Imported with the first file. No sockets."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import BinaryIO, Final, Protocol, cast

from tui.api.httpx_import import without_extras
from tui.api.transport import HeaderLines, Origin, Response
from tui.errors import MalformedResponse, NotAServer

with without_extras():
    import httpx

MAX_REDIRECTS = 3
_REDIRECTS: Final = (301, 302, 303, 307, 308)


class Ask(Protocol):
    """Sends a GET request to a server, and returns its answer; `host` is the header."""

    async def __call__(
        self, origin: Origin, host: bytes, target: bytes, *, at_home: bool
    ) -> Response: ...


def form_with_file(
    filename: str, file: BinaryIO, content_type: str
) -> tuple[HeaderLines, AsyncIterable[bytes]]:
    """Return headers and body of a form with one file, which can seek."""
    form = httpx.Request("POST", "http://-", files={"file": (filename, file, content_type)})
    headers = [line for line in form.headers.raw if line[0] != b"Host"]
    return headers, cast("httpx.AsyncByteStream", form.stream)


async def follow(
    ask: Ask, base: str, address: str, route: str, *, elsewhere: bool
) -> tuple[str, Response]:
    """Ask for `address`, relative to `base`, and where it redirects to; return the last host and its answer.

    Raises NotAServer where it leads to another server without `elsewhere`, or from https to http.
    """
    own = httpx.URL(base)
    url = _joined(own, address, route)
    for _ in range(MAX_REDIRECTS + 1):
        if url.scheme not in ("http", "https") or (own.scheme, url.scheme) == ("https", "http"):
            break
        at_home = _origin(url) == _origin(own)
        if not (at_home or elsewhere):
            break
        response = await ask(_origin(url), url.netloc, url.raw_path, at_home=at_home)
        location = response.headers.get("location")
        if response.status not in _REDIRECTS or location is None:
            return _host(url), response
        await response.aclose()
        url = _joined(url, location, route)
    raise NotAServer(route, _host(own), 302, redirected_to=_host(url))


def _joined(url: httpx.URL, address: str, route: str) -> httpx.URL:
    try:
        joined = url.join(address)
    except (httpx.InvalidURL, ValueError) as error:
        raise MalformedResponse(route, "its redirect address is invalid") from error
    if joined.scheme in ("http", "https") and not joined.raw_host:
        raise MalformedResponse(route, "its redirect address is invalid")
    return joined


def _host(url: httpx.URL) -> str:
    """The host as it is asked for, in ASCII; `URL.host` raises where Punycode says nothing."""
    return url.raw_host.decode("ascii")


def _origin(url: httpx.URL) -> Origin:
    return url.scheme, _host(url), url.port or (443 if url.scheme == "https" else 80)
