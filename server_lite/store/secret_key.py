"""The key file of 32 secret bytes beside the database, and API keys derived from it. No SQL.

A bot's API key can be shown again, so a digest alone is not enough; and a stolen database must not
authenticate anyone, so the key is not in it. It is *derived*: HMAC-SHA256 of the file's bytes over a random
salt, which is stored. Only both files together yield the key.

Secrets that this server did not generate (tokens of other services) are encrypted: see `sealing`.
"""

import hashlib
import hmac
import os
import secrets
import string
from pathlib import Path
from typing import Final

from server_lite.store.keys import LENGTH
from server_lite.store.regular_file import read_bytes

SECRET_BYTES: Final = 32
SALT_BYTES: Final = 16
_ALPHABET: Final = string.ascii_letters + string.digits


def path_beside(db: Path) -> Path:
    """Return the path of a database's key file; links are resolved, so one database has one key file."""
    whole = db.resolve()
    return whole.with_name(f"{whole.name}.key")


def secret(path: Path) -> bytes:
    """Return the file's bytes; the first call generates them, readable only by the owner."""
    try:
        key = read_bytes(path)
    except FileNotFoundError:
        return _create(path)
    if len(key) != SECRET_BYTES:
        raise OSError(f"{path} is damaged: it should hold {SECRET_BYTES} bytes.")
    return key


def _create(path: Path) -> bytes:
    """Create the file, synced before use: a key that was shown must be shown again tomorrow."""
    key = secrets.token_bytes(SECRET_BYTES)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(handle, key)
        os.fsync(handle)
    finally:
        os.close(handle)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return key


def new_salt() -> bytes:
    """Return the random part of a derived key, which is stored."""
    return secrets.token_bytes(SALT_BYTES)


def derived(secret: bytes, salt: bytes, purpose: str) -> str:
    """Return 32 alphanumerics, determined by the arguments. `purpose` separates uses."""
    number = int.from_bytes(
        hmac.digest(secret, salt + purpose.encode(), hashlib.sha256), "big"
    )  # 256 bits for 190: the digits are uniform to one part in 2^65
    letters = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)
