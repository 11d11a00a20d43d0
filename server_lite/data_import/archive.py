"""Archives of strangers (.tar.gz): everything about one is checked before anything of it is unpacked.

Files and folders only, no links and no devices; paths that stay inside; no name twice; as many files
and as many bytes as a machine can hold, counted while inflating and not as the archive says.
"""

import gzip
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final

from server_lite.errors import StartError
from server_lite.export.paths import is_inside, private

MAX_FILES: Final = 2_000_000
MAX_DEPTH: Final = 20
"""Folders in each other."""
MAX_RATIO: Final = 200
"""Bytes that a byte of the archive may become; text in JSON becomes 5 to 50."""
SMALL: Final = 64 * 1024 * 1024
"""Bytes that every archive may become."""
SPARE: Final = 256 * 1024 * 1024
"""Bytes that stay free on the disk."""
MAX_PADDING: Final = 64
"""Pieces of nothing behind the last file."""
_PIECE: Final = 1024 * 1024
_PLAIN: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
_BROKEN: Final = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError, IndexError)


def unpack(archive: Path, folder: Path) -> None:
    """Write the archive's files to a new folder that only its owner can open; raises StartError."""
    with _reading(archive) as (members, inflated):
        size = _check(members, archive)
        _drain(inflated)
    folder.mkdir(mode=0o700, parents=True)
    if size + SPARE > shutil.disk_usage(folder).free:
        raise StartError(
            f"{archive} needs {size // 1024 // 1024:,} MiB, and the disk has less space left."
        )
    with _reading(archive) as (members, _):
        for member in members:
            if member.isfile():
                _write(members, member, folder / member.name)


@contextmanager
def _reading(archive: Path) -> Iterator[tuple[tarfile.TarFile, gzip.GzipFile]]:
    try:
        with (
            _Bounded(archive, "rb") as inflated,
            tarfile.open(fileobj=inflated, mode="r:") as members,
        ):
            yield members, inflated
    except _BROKEN as error:
        raise StartError(f"{archive} is damaged, or no .tar.gz archive.") from error


class _Bounded(gzip.GzipFile):
    """A stream of which nobody reads much at once: headers that claim to be huge fill no memory."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= _PIECE:
            raise tarfile.ReadError("a header is too large")
        return super().read(size)


def _check(members: tarfile.TarFile, archive: Path) -> int:
    """The bytes of all files together."""
    most = max(SMALL, archive.stat().st_size * MAX_RATIO)
    names = set[str]()
    size = 0
    for member in members:
        name = member.name
        if not is_inside(name) or name.count("/") > MAX_DEPTH:
            raise StartError(f"{archive} is refused: the path {name!r} leads out of its folder.")
        if member.isdir():
            continue
        if member.type not in _PLAIN or member.sparse is not None:
            raise StartError(f"{archive} is refused: {name!r} is neither a file nor a folder.")
        if name in names:
            raise StartError(f"{archive} is refused: {name!r} is in it twice.")
        names.add(name)
        size += member.size
        if len(names) > MAX_FILES:
            raise StartError(f"{archive} is refused: it has more than {MAX_FILES:,} files.")
        if member.size < 0 or size > most:
            raise StartError(f"{archive} is refused: it inflates to more than {MAX_RATIO} times.")
    return size


def _drain(inflated: gzip.GzipFile) -> None:
    """Read the padding at the end: the checksum of all that was read stands behind it."""
    for _ in range(MAX_PADDING):
        if not inflated.read(_PIECE):
            return
    raise tarfile.ReadError("no end")


def _write(members: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    source = members.extractfile(member)
    assert source is not None
    with private(path) as out:
        _copy(source, out, member.size)


def _copy(source: IO[bytes], out: BinaryIO, size: int) -> None:
    left = size
    while left:
        piece = source.read(min(left, _PIECE))
        if not piece:
            raise EOFError
        out.write(piece)
        left -= len(piece)
