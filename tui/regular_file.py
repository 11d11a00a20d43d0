"""Opens the client's own files, and nothing else in their place: opening a named pipe would wait forever."""

import errno
import os
import stat
from pathlib import Path


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return the descriptor of a file, made with mode 0600. Raises OSError, also for what is no regular file.

    `/dev/null` counts as one: a link to it keeps nothing, and is meant so.
    """
    try:
        descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o600)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe that nobody reads, or a socket
            raise _not_regular(path) from error
        raise
    status = os.fstat(descriptor)
    if not (stat.S_ISREG(status.st_mode) or os.path.samestat(status, os.stat(os.devnull))):
        os.close(descriptor)
        raise _not_regular(path)
    return descriptor


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file. Raises OSError, also for what is no regular file."""
    with os.fdopen(open_regular(path), "rb") as file:
        return file.read()


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, with all line ends as newlines. Raises OSError, UnicodeDecodeError."""
    with os.fdopen(open_regular(path), encoding="utf-8") as file:
        return file.read()


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read or written, for a sentence that names it."""
    return str(getattr(error, "strerror", None) or error)


def _not_regular(path: Path) -> OSError:
    return OSError(errno.EINVAL, "It is not a regular file", str(path))
