"""A disk that loses power: it keeps what was synced, and a random part of the rest.

A VFS below SQLite records each write and sync; afterwards the files are assembled as they
would be found if the power had failed at any point. Sectors of 512 bytes may be torn.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import apsw

from server_lite.store import checksums

SECTOR: Final = 512
NAME: Final = "forgetful"
checksums.available()
BELOW: Final = apsw.vfs_names()[0]
"""The system's VFS, below the one that adds checksums: recorded writes contain them."""
Step: TypeAlias = tuple[str, str, int, bytes]
"""`write`, `sync`, `truncate` or `ack`; the file's name; offset, size or number; the data."""


@dataclass
class Disk:
    """Writes to the files since `begin`; `fail_syncs` makes the next ones fail.

    `failure` is raised by the write after the next `writes_left`, and by no other.
    """

    steps: list[Step] = field(default_factory=list)
    before: dict[str, bytes] = field(default_factory=dict)
    fail_syncs: int = 0
    failed: int = 0
    writes_left: int = -1
    failure: Exception | None = None

    def begin(self, folder: Path) -> None:
        """Start recording; the current contents are safe."""
        self.steps.clear()
        self.before = {f.name: f.read_bytes() for f in folder.iterdir() if f.suffix != ".db-shm"}
        self.before = {name: data for name, data in self.before.items() if "-shm" not in name}

    def acknowledge(self, number: int) -> None:
        """Record that a client was told this number is safe."""
        self.steps.append(("ack", "", number, b""))

    def take_write(self) -> None:
        """Count a write, which may be the one that fails."""
        self.writes_left -= 1
        if self.writes_left == -1 and self.failure is not None:
            self.failed += 1
            raise self.failure

    def after_cut(self, at: int, chance: random.Random, folder: Path) -> int:
        """Write the files to `folder` as they are found if the power fails at a step.

        Returns the highest number acknowledged before.
        """
        safe = {name: bytearray(data) for name, data in self.before.items()}
        loose: dict[str, list[Step]] = {}
        acknowledged = -1
        for step in self.steps[:at]:
            kind, name, number, _ = step
            if kind == "ack":
                acknowledged = number
            elif kind == "sync":
                for each in loose.pop(name, []):
                    _apply(safe.setdefault(name, bytearray()), each)
            else:
                loose.setdefault(name, []).append(step)
        for name, steps in loose.items():
            for each in steps:
                for piece in _torn(each):
                    if chance.random() < 0.5:
                        _apply(safe.setdefault(name, bytearray()), piece)
        folder.mkdir()
        for name, data in safe.items():
            (folder / name).write_bytes(bytes(data))
        return acknowledged


def _apply(data: bytearray, step: Step) -> None:
    kind, _, number, written = step
    if kind == "truncate":
        del data[number:]
        return
    if len(data) < number:
        data.extend(bytes(number - len(data)))
    data[number : number + len(written)] = written


def _torn(step: Step) -> Iterator[Step]:
    kind, name, offset, written = step
    if kind == "truncate":
        yield step
    for at in range(0, len(written), SECTOR):
        yield (kind, name, offset + at, written[at : at + SECTOR])


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, filename: Any, flags: list[int]) -> None:
        self._disk = disk
        path = filename.filename() if isinstance(filename, apsw.URIFilename) else filename
        self._name = Path(path or "temporary").name
        super().__init__(BELOW, filename, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  # SQLite's name
        self._disk.take_write()
        super().xWrite(data, offset)
        self._disk.steps.append(("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  # SQLite's name
        super().xTruncate(newsize)
        self._disk.steps.append(("truncate", self._name, newsize, b""))

    def xSync(self, flags: int) -> None:  # noqa: N802  # SQLite's name
        if self._disk.fail_syncs:
            self._disk.fail_syncs -= 1
            self._disk.failed += 1
            error = apsw.IOError("the disk did not take it")
            error.extendedresult = apsw.SQLITE_IOERR_FSYNC  # type: ignore[attr-defined]  # apsw reads it
            raise error
        super().xSync(flags)
        self._disk.steps.append(("sync", self._name, 0, b""))


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(NAME, BELOW, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  # SQLite's name
        return _File(self._disk, name, flags)


@contextmanager
def forgetful_disk() -> Iterator[Disk]:
    """Put every file that SQLite opens in the block on such a disk."""
    disk = Disk()
    vfs = _Vfs(disk)
    try:
        yield disk
    finally:
        vfs.unregister()
