"""Unpacks untrusted archives (.tar.gz, .zip), each checked as a whole before anything is unpacked.

Only files and folders, no links and no devices; paths stay inside; names are unique; the number of files
and bytes is limited to what a machine can hold, counted while inflating and not as the archive claims.
"""

import gzip
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final

from server_lite.errors import StartError
from server_lite.export.paths import is_inside, private

MAX_FILES: Final = 2_000_000
MAX_DEPTH: Final = 20
"""Limit of nested folders."""
MAX_RATIO: Final = 200
"""Maximum compression ratio; text in JSON has 5 to 50."""
SMALL: Final = 64 * 1024 * 1024
"""Inflated size in bytes that every archive may have."""
SPARE: Final = 256 * 1024 * 1024
"""Bytes that must remain free on the disk."""
MAX_PADDING: Final = 64
"""Maximum of padding chunks after the last file."""
_PIECE: Final = 1024 * 1024
_ENCRYPTED: Final = 0x1
_UTF8: Final = 0x800
"""Flag bit of a member for a name in UTF-8."""
_PLAIN: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
_BROKEN: Final = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError, IndexError)


def unpack_tar(archive: Path, folder: Path) -> None:
    """Extract the archive to a new folder accessible only to its owner; raises StartError."""
    with _reading(archive) as (members, inflated):
        size = _check(members, archive)
        _drain(inflated)
    _make_room(archive, folder, size)
    with _reading(archive) as (members, _):
        for member in members:
            if member.isfile():
                _write(members, member, folder / member.name)


def unpack_zip(archive: Path, folder: Path) -> None:
    """Extract a zip archive to a new folder accessible only to its owner; raises StartError."""
    with _reading_zip(archive) as members:
        files = list(_files_of(members, archive))
        _make_room(archive, folder, sum(member.file_size for _, member in files))
        for name, member in files:
            with members.open(member) as source, private(folder / name) as out:
                _copy(source, out, member.file_size)
                if source.read(1):
                    raise zipfile.BadZipFile


def _make_room(archive: Path, folder: Path, size: int) -> None:
    """Create the folder if its disk has enough space for the contents."""
    folder.mkdir(mode=0o700, parents=True)
    if size + SPARE > shutil.disk_usage(folder).free:
        raise StartError(
            f"{archive} needs {size // 1024 // 1024:,} MiB, and the disk has less space left."
        )


@contextmanager
def _reading_zip(archive: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive) as members:
            yield members
    except (*_BROKEN, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise StartError(f"{archive} is damaged, or no .zip archive.") from error


def _files_of(members: zipfile.ZipFile, archive: Path) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Yield (path, member) of all files, once all of them are known to be harmless."""
    limits = _Limits(archive)
    files = []
    for member in members.infolist():
        name = _zip_name(member)
        if name.endswith("/"):
            limits.check_path(name.rstrip("/"))
            continue
        limits.check_path(name)
        mode = member.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG) or member.flag_bits & _ENCRYPTED:
            raise StartError(f"{archive} is refused: {name!r} is no plain file.")
        limits.add(name, member.file_size)
        files.append((name, member))
    return iter(files)


def _zip_name(member: zipfile.ZipInfo) -> str:
    """Return the member's name, decoded as UTF-8 even if the archive does not declare it."""
    if member.flag_bits & _UTF8:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


class _Limits:
    """Limits of an archive, counted member by member."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._most = max(SMALL, archive.stat().st_size * MAX_RATIO)
        self._names = set[str]()
        self.size = 0

    def check_path(self, name: str) -> None:
        if not is_inside(name) or name.count("/") > MAX_DEPTH:
            raise StartError(
                f"{self._archive} is refused: the path {name[:200]!r} leads out of its folder."
            )

    def add(self, name: str, size: int) -> None:
        if name in self._names:
            raise StartError(f"{self._archive} is refused: {name!r} is in it twice.")
        self._names.add(name)
        self.size += size
        if len(self._names) > MAX_FILES:
            raise StartError(f"{self._archive} is refused: it has more than {MAX_FILES:,} files.")
        if size < 0 or self.size > self._most:
            raise StartError(
                f"{self._archive} is refused: it inflates to more than {MAX_RATIO} times."
            )


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
    """A stream read only in small chunks, so that headers that claim a huge size fill no memory."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= _PIECE:
            raise tarfile.ReadError("a header is too large")
        return super().read(size)


def _check(members: tarfile.TarFile, archive: Path) -> int:
    """Check all members; returns the total size of the files in bytes."""
    limits = _Limits(archive)
    for member in members:
        name = member.name
        limits.check_path(name)
        if member.isdir():
            continue
        if member.type not in _PLAIN or member.sparse is not None:
            raise StartError(f"{archive} is refused: {name!r} is neither a file nor a folder.")
        limits.add(name, member.size)
    return limits.size


def _drain(inflated: gzip.GzipFile) -> None:
    """Read the padding at the end, which verifies the checksum after it."""
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
