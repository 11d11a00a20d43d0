"""Under which names a server answers, so that a web page cannot reach it by a name of its own making.

A page may point its own domain at 127.0.0.1 and then talk to whatever listens there as if it were the
same site. Its requests name that domain in `Host`; numbers cannot be pointed anywhere, so they are
always right.
"""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Final

from server_lite.errors import Misdirected


class Hosts:
    """The names of one server."""

    def __init__(self, bound: str, names: Iterable[str]) -> None:
        allowed = {"localhost", bound.lower(), *(name.lower() for name in names)}
        if not is_loopback(bound):
            machine = socket.gethostname().lower()
            allowed |= {machine, machine.partition(".")[0] + ".local"}
        self._allowed: Final = frozenset(allowed)

    def check(self, host: str) -> None:
        """Raise Misdirected for the `Host` header of somebody else's name; none at all is no page's."""
        name = _name(host)
        if not name or name in self._allowed or _is_number(name):
            return
        raise Misdirected(
            f"This server does not answer to the name {name!r};"
            " its owner can allow it with `serve --name`."
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
