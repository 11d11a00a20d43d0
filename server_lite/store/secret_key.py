"""The file of 32 secret bytes beside the database, and the bots' keys that are made of it. No SQL.

A bot's key can be shown again, so a digest alone does not do; and a stolen database must sign nobody
in, so the key is not in it. It is *derived*: HMAC-SHA256 of the file's bytes over a random salt that
is stored. Only who has both files has the key.

What this server did not make itself (tokens of other services) is sealed: see `sealing`.
"""

import hashlib
import hmac
import os
import secrets
import string
from pathlib import Path
from typing import Final

from server_lite.store.keys import LENGTH

SECRET_BYTES: Final = 32
SALT_BYTES: Final = 16
_ALPHABET: Final = string.ascii_letters + string.digits


def path_beside(db: Path) -> Path:
    """Where the file for a database is; links are followed, so one file has one key."""
    whole = db.resolve()
    return whole.with_name(f"{whole.name}.key")


def secret(path: Path) -> bytes:
    """The file's bytes; the first call makes them, readable by its owner alone."""
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return _create(path)
    if len(key) != SECRET_BYTES:
        raise OSError(f"{path} is damaged: it should hold {SECRET_BYTES} bytes.")
    return key


def _create(path: Path) -> bytes:
    """On disk before it is used: what was shown to somebody must be shown again tomorrow."""
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
    """What is stored of a key; another one makes another key."""
    return secrets.token_bytes(SALT_BYTES)


def derived(secret: bytes, salt: bytes, purpose: str) -> str:
    """32 alphanumerics, the same for the same three. `purpose` keeps uses apart."""
    number = int.from_bytes(
        hmac.digest(secret, salt + purpose.encode(), hashlib.sha256), "big"
    )  # 256 bits for 190: the digits are even to one part in 2^65
    letters = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)
