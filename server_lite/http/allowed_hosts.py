"""Host names that a server answers to, so that a web page cannot reach it by a name of its own.

A page may point its own domain at 127.0.0.1 and then talk to whatever listens there as if it were the
same site. Its requests name that domain in `Host`. IP addresses cannot be redirected: those at which this
server was reached are accepted. Requests that a page of another site makes are refused, too.
"""

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from server_lite.errors import ForeignSite, Misdirected
from server_lite.http.cross_origin import brings_key

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
        if not name or name in self._allowed or (_is_number(name) and _is_here(name, reached)):
            if len(self._accepted) < ACCEPTED:
                self._accepted.add((host, reached))
            return
        raise Misdirected(
            f"This server does not answer to the name {name!r};"
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


def _name(host: str) -> str:
    """Return the host without port and the trailing dot of a full domain name, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name, _, _ = host.rpartition(":") if host.count(":") == 1 else (host, "", "")
    return name.rstrip(".").lower()


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(bound: str) -> bool:
    """Whether a server listening there is reachable only from its own machine."""
    return bound == "localhost" or (_is_number(bound) and ipaddress.ip_address(bound).is_loopback)
