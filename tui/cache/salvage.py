"""Recovers drafts and outbox of a damaged file: SQLite silently drops broken parts of `-wal`.

A write-ahead log is a header and frames, each a page with the header's salts and a running checksum (SQLite's
file format, section 4). SQLite reads up to the first frame that does not fit. `-shm` says how many there
were. Here all frames with the right salts are laid over the pages of a copy, and its rows are read one by
one. Nothing here changes the file itself.
"""

import contextlib
import sqlite3
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tui.dataclass import dataclass
from tui.regular_file import read_bytes

_HEADER: Final = 32
_FRAME: Final = 24
_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
_BESIDE: Final = ("", "-wal", "-shm")

DAMAGED: Final = (sqlite3.Error, UnicodeDecodeError)
"""Errors of reading a damaged file; the second where SQLite's own sentence quotes it."""

Rows = Mapping[str, Sequence[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Log:
    """A write-ahead log: pages of `size` bytes by number, and whether some of it is broken."""

    size: int
    pages: Mapping[int, bytes]
    is_damaged: bool


def text(data: bytes) -> str:
    """Return a text of a file; as `text_factory` a damaged byte costs one character, not all rows of a query."""
    return data.decode("utf-8", "replace")


def set_aside(path: Path) -> Path:
    """Copy the file and those beside it to a name of their own; return the copy. Raises OSError."""
    import shutil  # no start waits for it

    copy = path.with_name(f"{path.name}.damaged-{time.time_ns() // 1_000_000}")
    for end in _BESIDE:
        if (beside := Path(f"{path}{end}")).exists():
            shutil.copy2(beside, f"{copy}{end}")
    return copy


def remove(path: Path) -> None:
    """Delete the file and those beside it."""
    for end in _BESIDE:
        Path(f"{path}{end}").unlink(missing_ok=True)


def read_log(path: Path) -> Log | None:
    """Return the log beside a file; None if there is none, or nothing in it."""
    index, data = _bytes(Path(f"{path}-shm")), _bytes(Path(f"{path}-wal"))
    # 136 bytes: initialized, the number of frames, the salts.
    is_initialized = len(index) >= 48 and index[12] == 1
    expected = struct.unpack_from("=I", index, 16)[0] if is_initialized else 0
    if not data and not expected:
        return None
    if len(data) < _HEADER:
        return Log(0, {}, is_damaged=bool(expected or data))
    magic, _, size = struct.unpack_from(">III", data)
    order = _MAGIC.get(magic)
    sums = None if order is None else _checksum(data[:24], (0, 0), order)
    if order is None or sums != struct.unpack_from(">II", data, 24):
        is_empty = not expected and not any(data)
        return None if is_empty else Log(0, {}, is_damaged=True)
    salts = data[16:24]
    pages: dict[int, bytes] = {}
    whole, is_broken = 0, False
    for at in range(_HEADER, len(data) - _FRAME - size + 1, _FRAME + size):
        head, page = data[at : at + _FRAME], data[at + _FRAME : at + _FRAME + size]
        sums = _checksum(page, _checksum(head[:8], sums, order), order)
        fits = head[8:16] == salts
        if fits and sums == struct.unpack_from(">II", head, 16) and not is_broken:
            whole += 1
        elif fits:
            is_broken = True
        else:  # from before the log was restarted, or wiped out
            is_broken = is_broken or not any(head)
        if fits:
            pages[struct.unpack_from(">I", head)[0]] = page
    is_other = bool(expected) and index[32:40] != salts
    # Without an index a frame that was being written at a crash looks the same as a broken one.
    is_damaged = whole < expected or is_other or (is_broken and not is_initialized)
    return Log(size, pages, is_damaged=is_damaged)


def rows(copy: Path, log: Log | None, tables: Sequence[str], schema: str) -> Rows:
    """Return the readable rows of the tables of a copy, with the log's pages laid over it. The copy is
    unchanged.

    The first page names the tables and their pages, which are the same in each file that begins with
    `schema`: without it no row could be found, so where it is damaged, that of a new file takes its place.
    """
    trial = copy.with_name(f"{copy.name}.trial")
    rows_by_table: Rows = {}
    try:
        data = _with_log(copy, log)
        rows_by_table = _rows_of(trial, data, tables)
        if not any(rows_by_table.values()):
            first = _first_page(trial, schema)
            pages = max(len(data) // len(first), 1)
            data[: len(first)] = first
            # The number of pages is valid only with the number of changes behind it.
            data[28:32], data[92:96] = struct.pack(">I", pages), data[24:28]
            rows_by_table = _rows_of(trial, data, tables)
    except (OSError, *DAMAGED):
        pass
    finally:
        trial.unlink(missing_ok=True)
    return rows_by_table


def load(connection: sqlite3.Connection, path: Path) -> None:
    """Load the file with its log into an empty connection, in memory: nothing is written to the disk. Raises
    one of `DAMAGED`.
    """
    if data := _with_log(path, read_log(path)):
        connection.deserialize(bytes(data))


def _with_log(path: Path, log: Log | None) -> bytearray:
    """Return the bytes of a file with the pages of its log laid over them; empty without a file."""
    data = bytearray(_bytes(path))
    for number, page in sorted((log.pages if log else {}).items()):
        end = number * len(page)
        if 0 < end <= len(data) + 64 * len(page):
            data.extend(b"\0" * (end - len(data)))
            data[end - len(page) : end] = page
    if len(data) > 20:
        data[18:20] = b"\x01\x01"  # no log of its own
    return data


def _rows_of(trial: Path, data: bytes | bytearray, tables: Sequence[str]) -> Rows:
    trial.touch(mode=0o600)
    trial.write_bytes(data)
    with contextlib.closing(sqlite3.connect(trial)) as connection:
        connection.text_factory = text
        return {table: list(_readable(connection, table)) for table in tables}


def _first_page(trial: Path, schema: str) -> bytes:
    trial.unlink()
    with contextlib.closing(sqlite3.connect(trial)) as connection:
        connection.executescript(schema)
    data = trial.read_bytes()
    return data[: struct.unpack_from(">H", data, 16)[0]]


def _readable(connection: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    with contextlib.suppress(*DAMAGED):  # up to the page that is broken
        yield from connection.execute(f"SELECT * FROM {table}")  # our own tables


def _checksum(data: bytes, before: Any, order: str) -> tuple[int, int]:
    first, second = before
    for one, other in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def _bytes(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError:
        return b""
