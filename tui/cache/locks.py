"""A lock that lives as long as the process that holds it, however that ends. No data in it."""

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import Final

from tui.errors import ConfigError

_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL})
"""Errors of file systems without locks, as some network ones."""

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
        """Release the lock and delete the file, so that files of dead locks do not pile up."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self._descriptor)

    def leave(self) -> None:
        """Release the lock; the file stays, for others to lock."""
        os.close(self._descriptor)


def try_lock(path: Path) -> FileLock | None:
    """Lock a file, which is made if need be; None if a living process holds the lock.

    Raises ConfigError where the file cannot be made, or where there are no locks.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise ConfigError(f"{path} cannot be created: {error.strerror}.") from error
    try:
        _lock(descriptor)
    except OSError as error:
        os.close(descriptor)
        if error.errno in _NO_LOCKS:
            raise ConfigError(
                f"{path.parent} is on a file system without locks ({error.strerror})."
                " Set CHINWAG_HOME to a folder on a local disk."
            ) from error
        return None
    return FileLock(path, descriptor)
