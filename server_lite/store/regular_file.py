"""Reads a file beside the database, and nothing else in its place: opening a named pipe would wait forever."""

import errno
import os
import stat
from pathlib import Path


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file. Raises OSError, also for what is no regular file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "It is not a regular file", str(path))
        return file.read()
