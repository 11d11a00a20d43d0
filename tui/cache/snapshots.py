"""The last known state of an account, for an instant start. Safe to delete.

One file, replaced as a whole (written beside it, fsynced, renamed), so that it is complete or does not exist. Its lines
are JSON: format and version, each part of the state, each window, the number of windows with the types, and a checksum
of all that. An unreadable file is treated as missing.
"""

import contextlib
import json
import logging
import os
from binascii import crc32
from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeAlias

from tui import VERSION
from tui.api.model import Message
from tui.api.snapshot import InitialSnapshot
from tui.cache.packed import OtherTypes, Packer, Unpacker, made_of, slots_of
from tui.dataclass import dataclass
from tui.narrow import Narrow, Operand, Term, narrow_of
from tui.regular_file import open_regular, replacing
from tui.store import Store
from tui.store.fetched_page import Page
from tui.store.snapshots import to_snapshot
from tui.store.windows import NEWEST

FORMAT: Final = 5
"""Raised when a field means something else under its old name."""
MOST_WINDOWS = 12
MOST_MESSAGES = 100
"""Messages saved for each window, the newest; older history is fetched."""
MOST_BYTES = 64 * 2**20
"""In bytes; reading a larger file would take longer than the server's answer."""
_DRAFT_PREFIX = ".snapshot-"

_Window: TypeAlias = tuple[tuple[tuple[str, Operand, bool], ...], int, tuple[Message, ...]]
"""The terms of a narrow, the ID from which on it is complete, and its messages."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """The state at one moment; later changes do not affect it."""

    snapshot: InitialSnapshot
    windows: tuple[tuple[Narrow, int, tuple[Message, ...]], ...]
    """Narrows, the IDs from which on they are complete, and their messages."""


def capture(store: Store, narrows: Iterable[Narrow]) -> Capture:
    """Return the state and the ends of these narrows; quick, so that `write` can run in a thread."""
    windows = ((narrow, *_newest(store, narrow)) for narrow in [*narrows][:MOST_WINDOWS])
    return Capture(
        snapshot=to_snapshot(store), windows=tuple(window for window in windows if window[2])
    )


def save(path: Path, store: Store, narrows: Iterable[Narrow]) -> None:
    """Save the state and the windows of these narrows. Raises OSError."""
    write(path, capture(store, narrows))


def write(path: Path, kept: Capture) -> None:
    """Write a captured state to the disk, replacing the last one. Raises OSError."""
    with replacing(path, _DRAFT_PREFIX) as file:
        checksum = 0
        for line in _lines(kept):
            checksum = crc32(line, checksum)
            file.write(line)
        file.write(str(checksum).encode())


def sweep(path: Path) -> None:
    """Delete the files of processes that were killed while writing."""
    for left in path.parent.glob(f"{_DRAFT_PREFIX}*"):
        with contextlib.suppress(OSError):
            left.unlink()


def load(path: Path) -> Store | None:
    """Return the store as it was saved, with its windows; None if there is no readable one."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        with os.fdopen(open_regular(path), "rb") as file:
            first, *lines, checksum = file.readlines()
        head = json.loads(first)
        if (head["format"], head["version"]) != (FORMAT, VERSION):
            return None
        if checksum != str(reduce(_followed_by, lines, crc32(first))).encode():
            return None
        snapshot, windows = _read(lines)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OtherTypes) as error:
        _log.warning("%s cannot be read and is left out: %s", path, error)
        return None
    store = Store.from_snapshot(snapshot)
    for terms, low, messages in windows:
        narrow = narrow_of([Term(*term) for term in terms], store.self_id)
        ticket = store.messages.begin_fetch()
        page = Page(narrow=narrow, low=low, high=NEWEST, messages=messages)
        store.messages.finish_fetch(ticket, page)
    return store


def _lines(kept: Capture) -> Iterator[bytes]:
    """Yield all lines but the checksum: one after the other, since the JSON of all at once takes megabytes."""
    packer = Packer(InitialSnapshot)
    yield _line({"format": FORMAT, "version": VERSION})
    for name in slots_of(InitialSnapshot):
        yield _line(packer.pack(getattr(kept.snapshot, name)))
    for narrow, low, messages in kept.windows:
        terms = tuple((term.operator, term.operand, term.negated) for term in narrow.terms())
        yield _line(packer.pack((terms, low, messages)))
    yield _line([len(kept.windows), packer.types])


def _read(lines: list[bytes]) -> tuple[InitialSnapshot, list[_Window]]:
    """Return the contents of the lines between the first and the checksum, which are used up."""
    count, types = json.loads(lines.pop())
    unpacker = Unpacker(types)
    lines.reverse()

    def take(most: int) -> Iterator[Any]:
        return (unpacker.unpack(json.loads(lines.pop())) for _ in range(most))

    return made_of(InitialSnapshot, take(len(lines) - count)), list(take(count))


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _followed_by(checksum: int, line: bytes) -> int:
    return crc32(line, checksum)


def _newest(store: Store, narrow: Narrow) -> tuple[int, tuple[Message, ...]]:
    """Return the ID from which on the narrow's end is complete, and its messages; (0, ()) if unknown."""
    window = store.messages.windows.get(narrow)
    stretch = window.at(None) if window is not None else None
    if stretch is None or not stretch.ids:
        return 0, ()
    ids = stretch.ids[-MOST_MESSAGES:]
    low = stretch.low if len(ids) == len(stretch.ids) else ids[0]
    return low, tuple(store.messages.by_id[each] for each in ids)
