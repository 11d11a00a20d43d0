"""IP addresses as identifiers of clients. Pure."""

import ipaddress
from functools import lru_cache


@lru_cache(1_000)
def network_of(address: str) -> str:
    """Return the address itself; for IPv6 its /64, since one customer has 2^64 addresses."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False).network_address) + "/64"


def is_local(host: str) -> bool:
    """Whether a connection comes from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True  # a socket without addresses is local
