"""Opens and replaces the client's own files, and nothing else in their place: a pipe would wait forever."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


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


@contextmanager
def replacing(path: Path, prefix: str, *, synced: bool = True) -> Iterator[BinaryIO]:
    """Yield a new file with mode 0600 that takes the path's place when the block ends well. Raises OSError.

    Until then it lies beside `path`, with a name that begins with `prefix`; if anything fails, it is deleted, and
    `path` is as it was. `synced` lets the disk have it before it takes the place.
    """
    part = path.with_name(f"{prefix}{os.urandom(8).hex()}")
    file = open(part, "xb", opener=_private)  # noqa: SIM115  # closed below, before it is moved
    try:
        with file:
            yield file
            if synced:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read or written, for a sentence that names it."""
    return str(getattr(error, "strerror", None) or error)


def _not_regular(path: Path) -> OSError:
    return OSError(errno.EINVAL, "It is not a regular file", str(path))
