"""Host names that a server answers to, so that a web page cannot reach it by a name of its own.

A page may point its own domain at 127.0.0.1 and then talk to whatever listens there as if it were the
same site. Its requests name that domain in `Host`. IP addresses cannot be redirected: those at which this
server was reached are accepted. Requests that a page of another site makes are refused, too.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from server_lite.errors import ForeignSite, Misdirected
from server_lite.http.cross_origin import brings_key

_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)(?:%[0-9A-Za-z._~-]{1,40})?\]|(?P<name>[\w.-]*))(?::(?P<port>[0-9]{0,5}))?"
)
ACCEPTED: Final = 1000
"""Maximum of headers remembered as accepted."""


class Hosts:
    """The accepted host names of one server."""

    def __init__(self, bound: str, names: Iterable[str]) -> None:
        allowed = {"localhost", bound.lower(), *(name.lower() for name in names)}
        if not is_loopback(bound):
            machine = socket.gethostname().lower()
            allowed |= {machine, machine.partition(".")[0] + ".local"}
        self._allowed: Final = frozenset(allowed)
        self._accepted: Final[set[tuple[str, str]]] = set()  # clients repeat the same headers

    def check(self, host: str, reached: str) -> None:
        """Raise Misdirected for a foreign name in `Host`; a missing header does not come from a page.

        `reached` is the local address at which the request arrived.
        """
        if (host, reached) in self._accepted:
            return
        name = _name(host)
        known = name is not None and (
            not name or name in self._allowed or (_is_number(name) and _is_here(name, reached))
        )
        if known:
            if len(self._accepted) < ACCEPTED:
                self._accepted.add((host, reached))
            return
        raise Misdirected(
            f"This server does not answer to the name {host if name is None else name!r};"
            " its owner can allow it with `serve --name`."
        )


def check_origin(headers: Mapping[str, str], method: str, *, takes_key: bool = False) -> None:
    """Raise ForeignSite for requests made by a page of another site; reading is harmless.

    With `takes_key`, a key may be used from any page: the key authorizes the request, not the browser.
    """
    if method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = headers.get("origin")
    is_own = origin is None or _site(origin) == headers.get("host", "").lower()
    if is_own and headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return
    if not (takes_key and brings_key(headers)):
        raise ForeignSite("Requests from pages of other sites are refused.")


def _site(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _is_here(name: str, reached: str) -> bool:
    """Whether an IP address is this machine's, as seen by the request."""
    address = ipaddress.ip_address(name)
    return address.is_loopback or (
        _is_number(reached) and address == ipaddress.ip_address(reached.partition("%")[0])
    )


def _name(host: str) -> str | None:
    """Return the host without zone, port and trailing dot, in lower case; None for an invalid header.

    An accepted header becomes part of the server's own URLs.
    """
    match = _HOST.fullmatch(host)
    if match is None or (match["v6"] and not _is_number(match["v6"])):
        return None
    if int(match["port"] or 0) > 65535:
        return None
    return str(match["v6"] or match["name"] or "").rstrip(".").lower()


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(bound: str) -> bool:
    """Whether a server listening there is reachable only from its own machine."""
    return bound == "localhost" or (_is_number(bound) and ipaddress.ip_address(bound).is_loopback)
