"""Whether an open database is still the file at its path. Reads metadata of files only.

A file that was deleted or replaced under a running server still accepts writes, and all of them
are lost when the server stops. So its identity is checked before each transaction: two system calls.
"""

import os
from pathlib import Path
from typing import Final

Identity = tuple[int, int]
"""(device, inode), which identifies a file whatever its name."""


class FileIdentity:
    """The identity of a database and of its write-ahead log, as they were opened."""

    def __init__(self, path: Path) -> None:
        self._names: Final = str(path), f"{path}-wal"
        self._was: Final = tuple(map(_identity, self._names))

    def reason(self) -> str:
        """Return why nothing may be written now, as the middle of a sentence; empty if all is well."""
        for path, was in zip(self._names, self._was, strict=True):
            now = _identity(path)
            if was is not None and now != was:
                return f"{path} was {'deleted or moved' if now is None else 'replaced'}"
        return ""


def _identity(path: str) -> Identity | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
