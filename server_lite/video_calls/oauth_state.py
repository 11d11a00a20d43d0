"""The OAuth state sent to a video call provider and back: user, redirect URI, expiry. No I/O.

It is signed, so that only accounts are connected that requested it here a few minutes ago.
"""

import base64
import binascii
import hashlib
import hmac
from dataclasses import asdict
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId

SECONDS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """`until` in UNIX seconds; `redirect_uri` is where the provider redirects the browser."""

    user_id: UserId
    provider: str
    redirect_uri: str
    until: float


def sign(secret: str, state: State) -> str:
    """Return the state as text for a URL."""
    message = orjson.dumps(asdict(state))
    return base64.urlsafe_b64encode(_mac(secret, message) + message).decode().rstrip("=")


def verify(secret: str, text: str, now: float) -> State | None:
    """Return a valid state of ours; else None."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    mac, message = raw[:32], raw[32:]
    if not hmac.compare_digest(mac, _mac(secret, message)):
        return None
    state = State(**orjson.loads(message))
    return state if now <= state.until else None


def _mac(secret: str, message: bytes) -> bytes:
    return hmac.digest(secret.encode(), b"call state" + message, hashlib.sha256)
