"""Files of this machine: finding one to attach. No network."""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from tui.content.sanitise import sanitise_line
from tui.errors import ConfigError

MOST_PROPOSED: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A file or folder that begins as it was typed; `text` completes what was typed."""

    text: str
    name: str
    is_folder: bool


def proposals(typed: str) -> list[Proposal]:
    """What is there whose path begins like that, folders first; hidden files if asked for by a dot."""
    head, _, beginning = typed.rpartition("/")
    folder = f"{head}/" if "/" in typed else ""
    found = sorted(_matching(_expanded(folder or "."), beginning))
    return [
        Proposal(text=f"{folder}{name}{'/' if not is_file else ''}", name=name, is_folder=not is_file)
        for is_file, name in found[:MOST_PROPOSED]
    ]  # fmt: skip


def _matching(folder: Path, beginning: str) -> Iterator[tuple[bool, str]]:
    wanted = beginning.casefold()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                hidden = entry.name.startswith(".") and not beginning.startswith(".")
                if not hidden and entry.name.casefold().startswith(wanted):
                    yield not entry.is_dir(), entry.name
    except OSError:
        return  # no such folder, or not to be read: there is nothing to propose


def _expanded(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # the home of somebody who is not there
        return Path(text)


def existing(text: str) -> Path | None:
    """The file that a pasted or typed text names: plain, quoted, escaped, or as a `file:` address."""
    text = text.strip()
    if not text or "\n" in text or len(text) > 4096:
        return None
    for form in _forms(text):
        path = _expanded(form)
        try:
            if path.is_absolute() and path.is_file():
                return path
        except (OSError, ValueError):
            continue
    return None


def _forms(text: str) -> Iterator[str]:
    """The path as terminals write it when a file is dropped on them."""
    yield text
    if text.startswith("file://"):
        yield unquote(urlsplit(text).path)
    try:
        words = shlex.split(text)
    except ValueError:
        return
    if len(words) == 1:
        yield words[0]


@contextmanager
def opened(path: Path, *, most_mib: int) -> Iterator[tuple[BinaryIO, int]]:
    """A file to be sent, and its size in bytes; raises ConfigError with why it cannot be."""
    path = _expanded(str(path))
    name = sanitise_line(path.name) or str(path)
    if not path.is_file():
        raise ConfigError(f"{name} is not a file.")
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most_mib * 2**20:
                raise ConfigError(
                    f"{name} has {told(size)}; this server takes at most {most_mib} MiB."
                )
            yield file, size
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}.") from error


def identity(path: Path) -> tuple[int, int]:
    """Size and time of the last change (nanoseconds): another file has others. Raises ConfigError."""
    try:
        found = _expanded(str(path)).stat()
    except OSError as error:
        name = sanitise_line(path.name) or str(path)
        raise ConfigError(f"{name} cannot be read: {error.strerror}.") from error
    return found.st_size, found.st_mtime_ns


def told(size: int) -> str:
    """`812 bytes`, `1.4 MiB`."""
    if size < 1024:
        return f"{size} bytes"
    amount = float(size)
    for unit in ("KiB", "MiB", "GiB"):
        amount /= 1024
        if amount < 1024 or unit == "GiB":
            break
    return f"{amount:.1f} {unit}"
