"""The folder of `serve --ssh`, and the fingerprint of its host key. Reads public files only."""

import base64
import hashlib
from pathlib import Path

from server_lite.store.instance_lock import beside


def state(db: Path) -> Path:
    """Return the folder of the host key, authorized keys and users' files."""
    return beside(db.resolve(), "ssh")


def fingerprint(db: Path) -> str:
    """Return `SHA256:…`, as OpenSSH shows it; "" if there is no key yet, or it cannot be read."""
    try:
        blob = base64.b64decode((state(db) / "host_ed25519.pub").read_text("utf-8").split()[1])
    except (OSError, ValueError, IndexError):
        return ""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
