"""The server's certificate and key: validated before anything listens, or one sentence as the error.

`ssl` is imported where there is a certificate: OpenSSL is a tenth of a server's memory.
"""

import hashlib
import re
from pathlib import Path
from typing import Final

from server_lite.config import Tls
from server_lite.errors import StartError

_CERTIFICATE: Final = re.compile(
    "-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL
)


def tls_of(certificate: Path | None, key: Path | None) -> Tls | None:
    """Return both files, validated; None if neither is given."""
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise StartError("--tls-cert and --tls-key belong together.")
    if not _CERTIFICATE.search(_text(certificate)):
        raise StartError(f"{certificate} contains no PEM certificate.")
    if "PRIVATE KEY-----" not in _text(key):
        raise StartError(f"{key} contains no PEM private key.")
    if key.stat().st_mode & 0o007:
        raise StartError(f"{key} can be read by everyone; `chmod 600` it, and replace it.")
    _try(certificate, key)
    return Tls(certificate=certificate, key=key)


def fingerprint(tls: Tls) -> str:
    """Return the SHA-256 of the server's own certificate, the first of its file."""
    import ssl

    match = _CERTIFICATE.search(_text(tls.certificate))
    assert match is not None
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(match[0])).hexdigest()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}.") from error


class _Locked(Exception):
    """Raised if the key requires a passphrase."""


def _no_passphrase() -> str:
    raise _Locked


def _try(certificate: Path, key: Path) -> None:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, _no_passphrase)
    except _Locked as error:
        raise StartError(
            f"{key} is protected by a passphrase, which the server cannot ask for."
        ) from error
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise StartError(f"{key} is not the key of {certificate}.") from error
        raise StartError(
            f"{certificate} and {key} cannot be used: {error.reason or 'damaged'}."
        ) from error
