"""Safe paths on this machine for downloaded files. Opens no connection.

A downloaded file has mode 0600, stays in its folder, never replaces another file, and is complete or does not
exist.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError

MOST_BYTES: Final = 200
"""Bytes of a file name; file systems allow 255, and a number may be added."""
MOST_TRIES: Final = 10_000

_UNWELCOME = re.compile(r'[/\\:*?"<>|]')
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{i}" for name in ("com", "lpt") for i in range(1, 10))}
)


class PartialDownload:
    """A file that is being written under a temporary name, until `keep`."""

    def __init__(self, folder: Path, part: Path, file: BinaryIO) -> None:
        self._folder = folder
        self._part = part
        self.file = file

    def keep(self, name: str) -> Path:
        """Give the complete file its name, or the next that is free; return its path."""
        self.file.flush()
        os.fsync(self.file.fileno())
        path = reserve(self._folder, safe_name(name))
        self._part.replace(path)
        return path


@contextmanager
def incoming(folder: Path) -> Iterator[PartialDownload]:
    """Begin a file in a folder; it is deleted afterwards unless it was kept. Raises ConfigError."""
    import tempfile  # no start waits for it

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".fetching-")  # made with mode 0600
    except OSError as error:
        raise ConfigError(f"{folder} cannot be written to: {error.strerror}.") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield PartialDownload(folder, part, file)
    except OSError as error:
        raise ConfigError(f"The file could not be saved: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def safe_name(proposed: str) -> str:
    """Return a file name that stays in its folder, is not hidden and starts no program.

    No separators, controls, leading dots or device names; at most `MOST_BYTES` bytes.
    """
    line = unicodedata.normalize("NFC", sanitize_line(proposed))
    line = "".join(char for char in line if char.isprintable() and char != "\ufffd")
    name = _UNWELCOME.sub("_", line).strip().lstrip(". ").rstrip(". ")
    if name.partition(".")[0].strip().casefold() in _RESERVED:
        name = f"_{name}"
    stem, suffix = _split(name)
    room = MOST_BYTES - len(suffix.encode())
    stem = stem.encode()[:room].decode(errors="ignore").rstrip(". ")
    return f"{stem}{suffix}" or "file"


def _split(name: str) -> tuple[str, str]:
    """Return stem and suffix; a text that is too long for a suffix is none."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > 16:
        return name, ""
    return stem, dot + suffix


def reserve(folder: Path, name: str) -> Path:
    """Create an empty file with mode 0600: `name`, or `name (1)` where that is taken; return its path.

    Raises ConfigError if that fails. `name` is a `safe_name`.
    """
    stem, suffix = _split(name)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    for number in range(MOST_TRIES):
        path = folder / (f"{stem} ({number}){suffix}" if number else name)
        try:
            os.close(os.open(path, flags, 0o600))
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
        return path
    raise ConfigError(f"{folder} has too many files called {name}.")
