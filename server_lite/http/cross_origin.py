"""Pages of other sites: what they may read, and how a browser is told. Pure.

They read what anybody may, and with a key of their own making they do what its owner may do. A browser
sends no credentials of itself along: none are allowed (`*`), and none are kept, for none are asked for.
A page of the internet is not let into a private network: `Access-Control-Request-Private-Network` is
not answered.
"""

from collections.abc import Iterable, Mapping
from typing import Final

Header = tuple[bytes, bytes]

READABLE: Final[list[Header]] = [
    (b"access-control-allow-origin", b"*"),
    (
        b"access-control-expose-headers",
        b"Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
    ),
]
"""Of every answer of the API."""
_ACCEPTED: Final = (
    b"Authorization, Content-Type, Idempotency-Key, If-None-Match, Organization-Generation, Range"
)


def preflight(headers: Mapping[str, str], verbs: Iterable[str]) -> list[Header]:
    """What answers a browser that asks before it sends: nothing, where none does."""
    if "access-control-request-method" not in headers:
        return []
    return [
        (b"access-control-allow-methods", ", ".join(verbs).encode()),
        (b"access-control-allow-headers", _ACCEPTED),
        (b"access-control-max-age", b"7200"),
    ]


def brings_key(headers: Mapping[str, str]) -> bool:
    """Whether a script put a key into its request, which a browser allows after a preflight only.

    A form cannot, and what a browser sends without asking is of another mode.
    """
    mode = headers.get("sec-fetch-mode", "cors")
    basic = headers.get("authorization", "")[:6].lower() == "basic "
    return "origin" in headers and basic and mode == "cors"
