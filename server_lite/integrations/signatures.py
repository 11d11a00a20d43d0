"""Verifies services' signatures, with comparisons in constant time.

The secret is the one that the user entered in the service's settings, or got from there.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from server_lite.errors import ApiError

REFUSED: Final = "The webhook's signature is not valid for this bot's secret."
TOLERANCE: Final = 300.0
"""Tolerance for the time of a signed request in seconds."""
_MAX_SIGNATURES: Final = 20

Verify = Callable[[str, Mapping[str, str], bytes, float], None]
"""(secret, headers, body, now in UNIX seconds); raises ApiError."""


def hexadecimal(secret: str, signed: bytes) -> str:
    """Return the HMAC-SHA256 as services write it."""
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def in_header(name: str, prefix: str = "") -> Verify:
    """The header contains HMAC-SHA256 of the body, after `prefix`; or several, separated by commas."""

    def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> None:  # noqa: ARG001  # nothing is signed with a time
        given = _header(headers, name).split(",")[:_MAX_SIGNATURES]
        signatures = [one.strip() for one in given]
        _check(hexadecimal(secret, body), [s[len(prefix) :] for s in signatures if _has(s, prefix)])

    return verify


def token_in_header(name: str) -> Verify:
    """The header contains the secret itself."""

    def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> None:  # noqa: ARG001  # the body is not signed
        _check(secret, [_header(headers, name)])

    return verify


def timestamped(name: str) -> Verify:
    """The header contains `t=SECONDS,v1=SIGNATURE,…`; the signed text starts with that time."""

    def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> None:
        pairs = [pair.strip().partition("=") for pair in _header(headers, name).split(",")]
        times = [value for key, _, value in pairs if key == "t"]
        if len(times) != 1 or not (times[0].isascii() and times[0].isdecimal()):
            raise ApiError(REFUSED)
        signatures = [value for key, _, value in pairs[:_MAX_SIGNATURES] if key == "v1"]
        _check(hexadecimal(secret, times[0].encode() + b"." + body), signatures)
        check_time(times[0], now)

    return verify


def check_time(seconds: str, now: float) -> None:
    """Refuse a request signed long ago, which may be a replay. Raises ApiError."""
    is_number = seconds.isascii() and seconds.isdecimal() and len(seconds) <= 12
    if not is_number or abs(int(seconds) - now) > TOLERANCE:
        raise ApiError("The webhook's signature is too old. Check the clocks of both machines.")


def _has(signature: str, prefix: str) -> bool:
    return signature.startswith(prefix)


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name.lower())
    if not value:
        raise ApiError(f"This bot has a webhook secret, but the HTTP header '{name}' is missing.")
    return value


def _check(expected: str, given: Iterable[str]) -> None:
    signature = expected.encode()
    # Headers are decoded as Latin-1, so encoding restores the bytes that were sent.
    same = [hmac.compare_digest(one.encode("latin-1", "replace"), signature) for one in given]
    if not any(same):
        raise ApiError(REFUSED)
