"""Under which names a server answers, so that a web page cannot reach it by a name of its own making.

A page may point its own domain at 127.0.0.1 and then talk to whatever listens there as if it were the
same site. Its requests name that domain in `Host`. Numbers cannot be pointed anywhere; those are right
at which this server was reached. What a page of another site makes a browser send is refused, too.
"""

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from server_lite.errors import ForeignSite, Misdirected
from server_lite.http.cross_origin import brings_key

ACCEPTED: Final = 1000
"""Headers that are known to be right, and not looked at again."""


class Hosts:
    """The names of one server."""

    def __init__(self, bound: str, names: Iterable[str]) -> None:
        allowed = {"localhost", bound.lower(), *(name.lower() for name in names)}
        if not is_loopback(bound):
            machine = socket.gethostname().lower()
            allowed |= {machine, machine.partition(".")[0] + ".local"}
        self._allowed: Final = frozenset(allowed)
        self._accepted: Final[set[tuple[str, str]]] = set()  # each request brings the same again

    def check(self, host: str, reached: str) -> None:
        """Raise Misdirected for the `Host` header of somebody else's name; none at all is no page's.

        `reached` is the address of this machine at which the request arrived.
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
    """Raise ForeignSite for what a page of another site makes a browser send; reading is harmless.

    Where a key is taken, whoever has one may use it from any page: the key, and no browser, vouches.
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
    """Whether a number is that of this machine, as the request found it."""
    address = ipaddress.ip_address(name)
    return address.is_loopback or (
        _is_number(reached) and address == ipaddress.ip_address(reached.partition("%")[0])
    )


def _name(host: str) -> str:
    """The header without its port and the dot of a full domain name, in lower case."""
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
    """Whether who listens there is reached from its own machine alone."""
    return bound == "localhost" or (_is_number(bound) and ipaddress.ip_address(bound).is_loopback)
