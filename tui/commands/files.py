"""Files of this machine: completing paths, reading attachments, saving pasted data. No network."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from tui.commands.downloads import safe_name
from tui.config import private_folder
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.host import LOCAL, Host

MOST_PROPOSED: Final = 50
MOST_DROPPED: Final = 20
LONGEST_PATH: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A completion: a file or folder; `text` is the whole completed path."""

    text: str
    name: str
    is_folder: bool


def proposals(typed: str, host: Host = LOCAL) -> list[Proposal]:
    """Return the paths that begin with `typed`, folders first; hidden files after a dot."""
    head, _, beginning = typed.rpartition("/")
    folder = f"{head}/" if "/" in typed else ""
    matches = sorted(_matching(host.expanded(folder or "."), beginning))
    return [
        Proposal(text=f"{folder}{name}{'/' if not is_file else ''}", name=name, is_folder=not is_file)
        for is_file, name in matches[:MOST_PROPOSED]
    ]  # fmt: skip


def _matching(folder: Path, beginning: str) -> Iterator[tuple[bool, str]]:
    prefix = beginning.casefold()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                hidden = entry.name.startswith(".") and not beginning.startswith(".")
                if not hidden and entry.name.casefold().startswith(prefix):
                    yield not entry.is_dir(), entry.name
    except OSError:
        return  # no such folder, or it cannot be read: nothing to propose


def existing(text: str, host: Host = LOCAL) -> Path | None:
    """Return the file that a text names (plain, quoted, escaped, or a `file:` URL); None without one."""
    paths = dropped(text, host)
    return paths[0] if len(paths) == 1 else None


def dropped(text: str, host: Host = LOCAL) -> list[Path]:
    """Return the files whose paths make up a text, as terminals insert it when files are dropped on them.

    Paths are absolute and stand in one line or in one each: plain, quoted, escaped, or as `file:` URLs. Empty
    if any of it names no file: then it is text. Looks at the disk, unless that is another's.
    """
    if not host.can("files"):
        return []
    text = text.strip()
    if not text or len(text) > LONGEST_PATH * MOST_DROPPED:
        return []
    for words in _words(text):
        if 0 < len(words) <= MOST_DROPPED:
            paths = [_file(word, host) for word in words]
            if all(paths):
                return [path for path in paths if path is not None]
    return []


def _words(text: str) -> Iterator[list[str]]:
    """Yield the ways to read a text as paths."""
    import shlex  # no start waits for it

    yield [text]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    yield lines
    try:
        yield shlex.split(text)
        yield [word for line in lines for word in shlex.split(line)]
    except ValueError:  # an unmatched quotation mark
        return


def _file(word: str, host: Host) -> Path | None:
    """Return the file of an absolute path; None if there is none, or if it is another machine's."""
    if len(word) > LONGEST_PATH or "\n" in word:
        return None
    try:
        if word.startswith("file:"):
            address = urlsplit(word)
            if address.netloc not in ("", "localhost", socket.gethostname()):
                return None
            word = unquote(address.path)
        path = host.expanded(word)
        return path if path.is_absolute() and path.is_file() else None
    except (OSError, ValueError):
        return None


def keep_pasted(folder: Path, name: str, data: bytes) -> Path:
    """Save pasted data in a folder of its own below `folder`, with mode 0600; return its path. Raises
    ConfigError.
    """
    import tempfile  # no start waits for it

    try:
        private_folder(folder)
        path = Path(tempfile.mkdtemp(dir=folder)) / safe_name(name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
    except OSError as error:
        raise ConfigError(f"The pasted content could not be saved: {error.strerror}.") from error
    return path


def forget_pasted(folder: Path, path: Path) -> None:
    """Delete a file of `keep_pasted`; any other file is left alone."""
    if path.parent.parent == folder:
        import shutil  # no start waits for it

        shutil.rmtree(path.parent, ignore_errors=True)


@contextmanager
def opened(path: Path, *, most_mib: int) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file to upload, with its size in bytes; raises ConfigError with the reason if it cannot."""
    name = sanitize_line(path.name) or str(path)
    if not path.is_file():
        raise ConfigError(f"{sanitize_line(str(path))} is not a file.")
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most_mib * 2**20:
                raise ConfigError(f"{name} is {size_label(size)}; the limit is {most_mib} MiB.")
            yield file, size
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {error.strerror}.") from error


def identity(path: Path) -> tuple[int, int]:
    """Return size and modification time (nanoseconds), which differ for another file. Raises ConfigError."""
    try:
        status = path.stat()
    except OSError as error:
        name = sanitize_line(path.name) or str(path)
        raise ConfigError(f"{name} cannot be read: {error.strerror}.") from error
    return status.st_size, status.st_mtime_ns


def size_label(size: int) -> str:
    """Format a size: `812 bytes`, `1.4 MiB`."""
    if size < 1024:
        return f"{size} bytes"
    amount = float(size)
    for unit in ("KiB", "MiB", "GiB"):
        amount /= 1024
        if amount < 1024 or unit == "GiB":
            break
    return f"{amount:.1f} {unit}"
