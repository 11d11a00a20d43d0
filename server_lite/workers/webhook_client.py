"""Calls the program behind an outgoing webhook, if the operator allows that host.

Redirects are not followed; answers are limited in size, calls in time. Stores nothing.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import orjson

from server_lite import VERSION
from server_lite.dataclass import dataclass
from server_lite.http.answers import PLAIN, Unreadable, body_of

SECONDS: Final = 10.0
LONGEST: Final = 256 * 1024
EVERYWHERE: Final = "*"
"""Among the hosts: allows every host with a public address."""


class CallFailed(Exception):
    """Raised when a call got no answer. `is_final`: retrying is useless."""

    def __init__(self, why: str, *, is_final: bool) -> None:
        super().__init__(why)
        self.why = why
        self.is_final = is_final


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where to connect: `url` with the address that was checked, `host` with the original name."""

    url: str
    host: str
    headers: dict[str, str]


async def call(
    url: str,
    hosts: Sequence[str],
    *,
    json: Mapping[str, object] | None = None,
    form: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """POST JSON or a form; returns the JSON object of the answer, empty if there was none."""
    import httpx  # loaded only by servers that call others

    target = await _target(url, hosts)
    body = b""
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(timeout=SECONDS, trust_env=False) as http,
            http.stream(
                "POST",
                target.url,
                content=None if json is None else orjson.dumps(json),
                data=form,
                headers=target.headers
                | PLAIN
                | ({} if json is None else {"content-type": "application/json"}),
                extensions={"sni_hostname": target.host},
            ) as response,
        ):
            body = await body_of(response, LONGEST)
    except Unreadable as error:
        raise CallFailed(f"its answer is {error}.", is_final=True) from error
    except TimeoutError as error:
        raise CallFailed("its program did not answer in time.", is_final=False) from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        raise CallFailed("its program cannot be reached.", is_final=False) from error
    status = response.status_code
    if not response.is_success:
        reason = f"its program answered with HTTP status {status}."
        raise CallFailed(reason, is_final=status < 500 and status != 429)
    return _object(body)


def _object(body: bytes) -> dict[str, object]:
    if not body.strip():
        return {}
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise CallFailed("its program's response is not JSON.", is_final=True) from error
    if not isinstance(answer, dict):
        raise CallFailed("its program's response is not a JSON object.", is_final=True)
    return answer


async def _target(url: str, hosts: Sequence[str]) -> Target:
    """Return where to connect; raises CallFailed for a host that the operator did not allow.

    If every host is allowed, those of this machine and its network are still excluded: a bot's owner could
    read there what only the server can. So the address is resolved once, checked, and connected to.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise CallFailed("its URL is invalid.", is_final=True) from error
    if parts.scheme not in ("http", "https"):
        raise CallFailed("its URL is neither http nor https.", is_final=True)
    if _is_named(host, port, hosts):
        return Target(url=url, host=host, headers={"user-agent": _AGENT})
    if EVERYWHERE not in hosts:
        raise CallFailed(f"this server may not call {host}.", is_final=True)
    address = await _public_address(host, port)
    host_part = f"[{address}]" if ":" in address else address
    headers = {"user-agent": _AGENT, "host": parts.netloc.rpartition("@")[2]}
    return Target(
        url=parts._replace(netloc=f"{host_part}:{port}").geturl(), host=host, headers=headers
    )


def _is_named(host: str, port: int, hosts: Sequence[str]) -> bool:
    """Whether the operator allowed the host: with this port, or without one for a web server's port."""
    names = {name.lower() for name in hosts}
    host_part = f"[{host}]" if ":" in host else host
    usual = port in (80, 443) and bool({host, host_part} & names)
    return usual or f"{host_part}:{port}" in names or f"{host_part}:*" in names


def is_public(address: str) -> bool:
    """Whether the address is public; one that embeds another is judged by both."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if not parsed.is_global or parsed.is_multicast or parsed in _LOCAL_GATEWAYS:
        return False
    return isinstance(parsed, ipaddress.IPv4Address) or all(
        inner.is_global and not inner.is_multicast for inner in _carried(parsed)
    )


def _carried(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses that a gateway would make of an IPv6 address."""
    addresses = [one for one in (address.ipv4_mapped, address.sixtofour) if one is not None]
    addresses += address.teredo or ()
    last = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in network for network in _LAST_32_BITS) or (
        int(address) >> 32
    ) & 0xFFFFFFFF in (
        0x00005EFE,
        0x02005EFE,  # ISATAP
    ):
        addresses.append(last)
    return addresses


_LOCAL_GATEWAYS: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
"""NAT64 of a local network, which decides where it carries an IPv4 address."""
_LAST_32_BITS: Final = (
    ipaddress.IPv6Network("64:ff9b::/96"),  # NAT64
    ipaddress.IPv6Network("::/96"),
    ipaddress.IPv6Network("::ffff:0:0:0/96"),  # SIIT
)


async def _public_address(host: str, port: int) -> str:
    try:
        entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CallFailed("its program cannot be reached.", is_final=False) from error
    addresses = [str(entry[4][0]) for entry in entries]
    if not addresses or not all(map(is_public, addresses)):
        raise CallFailed(f"this server may not call {host}.", is_final=True)
    return addresses[0]


_AGENT: Final = f"Chinwag/{VERSION}"
