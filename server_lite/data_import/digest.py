"""Digests of files and folders: equal for equal files, however they were packed. Reads only."""

import hashlib
import os
from pathlib import Path

from server_lite.errors import StartError


def digest_of(folder: Path) -> str:
    """Return the digest of a file, or of a folder's files and their paths; raises StartError for links."""
    if folder.is_file():
        with folder.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    total = hashlib.sha256()
    for root, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = Path(root, name)
            if path.is_symlink() or not path.is_file():
                raise StartError(f"{path} is no file: an export has no links.")
            with path.open("rb") as file:
                inside = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{path.relative_to(folder).as_posix()}\0{inside}\n".encode())
    return total.hexdigest()
