"""Encrypts secrets of other services with keys derived from the key file: AES-256 in GCM. No SQL.

Each purpose has its own key, derived from the file's bytes, and each encrypted text a fresh nonce.
"""

import hashlib
import hmac
import secrets
from typing import Final

_NONCE_BYTES: Final = 12
_EARLIER_NONCE_BYTES: Final = 16
_EARLIER_TAG_BYTES: Final = 32


def seal(secret: bytes, data: bytes, purpose: str) -> bytes:
    """Encrypt data; only `opened` with the same secret and purpose decrypts it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 10 ms, needed by few servers

    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(_subkey(secret, f"aes {purpose}")).encrypt(nonce, data, None)


def opened(secret: bytes, sealed: bytes, purpose: str) -> bytes | None:
    """Decrypt data; returns None if it was encrypted with another secret, or changed since."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce, hidden = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    if len(nonce) < _NONCE_BYTES:
        return None
    try:
        return AESGCM(_subkey(secret, f"aes {purpose}")).decrypt(nonce, hidden, None)
    except InvalidTag:
        return None


def opened_earlier(secret: bytes, sealed: bytes, purpose: str) -> bytes | None:
    """Decrypt data of the first versions: HMAC-SHA256 in counter mode, authenticated by another HMAC."""
    hidden, check = sealed[:-_EARLIER_TAG_BYTES], sealed[-_EARLIER_TAG_BYTES:]
    expected = hmac.digest(_subkey(secret, f"check {purpose}"), hidden, hashlib.sha256)
    if len(hidden) < _EARLIER_NONCE_BYTES or not hmac.compare_digest(check, expected):
        return None
    nonce, data = hidden[:_EARLIER_NONCE_BYTES], hidden[_EARLIER_NONCE_BYTES:]
    key = _subkey(secret, f"seal {purpose}")
    stream = b"".join(
        hmac.digest(key, nonce + block.to_bytes(8, "big"), hashlib.sha256)
        for block in range(-(-len(data) // _EARLIER_TAG_BYTES))
    )
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def _subkey(secret: bytes, purpose: str) -> bytes:
    return hmac.digest(secret, purpose.encode(), hashlib.sha256)
