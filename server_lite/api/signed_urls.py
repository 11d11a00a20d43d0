"""URLs that open one file without credentials, for a minute: signed, not stored. No I/O."""

import base64
import binascii
import hashlib
import hmac
from typing import Final

from server_lite.ids import UserId

SECONDS: Final = 60


def sign(secret: str, path_id: str, user_id: UserId, now: float) -> str:
    """Return a token by which this user may read this file until it expires."""
    message = f"{int(now) + SECONDS}:{user_id}:{path_id}".encode()
    return base64.urlsafe_b64encode(_mac(secret, message) + message).decode().rstrip("=")


def verify(secret: str, token: str, now: float) -> tuple[str, UserId] | None:
    """Return (path_id, user_id) of a valid token; else None."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        mac, message = raw[:32], raw[32:]
        if not hmac.compare_digest(mac, _mac(secret, message)):
            return None
        until, user_id, path_id = message.decode().split(":", 2)
    except (binascii.Error, ValueError):
        return None
    return (path_id, UserId(int(user_id))) if now <= int(until) else None


def _mac(secret: str, message: bytes) -> bytes:
    return hmac.digest(secret.encode(), message, hashlib.sha256)
