"""SHA-256 of texts, without hashlib, which loads OpenSSL: 4 MB for what Python has itself. Pure."""

import sys

try:
    if sys.version_info >= (3, 12):
        from _sha2 import sha256
    else:
        from _sha256 import sha256  # type: ignore[import-not-found]  # no stubs
except ImportError:  # some systems build Python without
    from hashlib import sha256


def sha256_of(text: str) -> str:
    """Return the digest of a text in UTF-8 as 64 hexadecimal digits."""
    return str(sha256(text.encode()).hexdigest())
