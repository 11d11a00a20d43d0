"""Addresses that a browser would have to read: those of redirects, and of other servers. No sockets.

Imported with the first of them: httpx takes a megabyte.
"""

from __future__ import annotations

from tui.api.files import Ask, redirect
from tui.api.httpx_import import without_extras
from tui.api.transport import Origin, Response
from tui.errors import MalformedResponse, NotAServer

with without_extras():
    import httpx

MAX_REDIRECTS = 3


async def follow(
    ask: Ask, base: str, address: str, location: str | None, route: str, *, elsewhere: bool
) -> tuple[str, Response]:
    """As `tui.api.files.follow`; `location` is where the server redirected to already."""
    own = httpx.URL(base)
    url, asked = _joined(own, address, route), 0
    if location is not None:
        url, asked = _joined(url, location, route), 1
    for _ in range(asked, MAX_REDIRECTS + 1):
        if url.scheme not in ("http", "https") or (own.scheme, url.scheme) == ("https", "http"):
            break
        at_home = _origin(url) == _origin(own)
        if not (at_home or elsewhere):
            break
        response = await ask(_origin(url), url.netloc, url.raw_path, at_home=at_home)
        if (location := redirect(response)) is None:
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
