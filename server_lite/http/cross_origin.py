"""CORS: what pages of other sites may read, and the headers that tell browsers. Pure.

Other sites may read what is public, and act with a user's API key that they send themselves. A browser
adds no credentials: none are allowed (`*`), and none are stored, as none are requested.
A page of the internet is not admitted to a private network: `Access-Control-Request-Private-Network` is
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
"""Headers of every answer of the API."""
_ACCEPTED: Final = (
    b"Authorization, Content-Type, Idempotency-Key, If-None-Match, Organization-Generation, Range"
)


def preflight(headers: Mapping[str, str], verbs: Iterable[str]) -> list[Header]:
    """Return the headers that answer a preflight request; none for other requests."""
    if "access-control-request-method" not in headers:
        return []
    return [
        (b"access-control-allow-methods", ", ".join(verbs).encode()),
        (b"access-control-allow-headers", _ACCEPTED),
        (b"access-control-max-age", b"7200"),
    ]


def brings_key(headers: Mapping[str, str]) -> bool:
    """Whether a script added a key to its request, which a browser allows only after a preflight.

    A form cannot, and a request that the browser makes by itself has another mode.
    """
    mode = headers.get("sec-fetch-mode", "cors")
    basic = headers.get("authorization", "")[:6].lower() == "basic "
    return "origin" in headers and basic and mode == "cors"
