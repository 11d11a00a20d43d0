"""A lock that lives as long as the process that holds it, however that ends. No data in it."""

import contextlib
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A held lock; see `try_lock`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Let others have it; the file goes too, so that dead locks do not pile up."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self._descriptor)

    def leave(self) -> None:
        """Let others have it; the file stays, for all to agree on."""
        os.close(self._descriptor)


def try_lock(path: Path) -> FileLock | None:
    """The lock on a file, which is made if need be; None if a living process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _lock(descriptor)
    except OSError:
        os.close(descriptor)
        return None
    return FileLock(path, descriptor)
