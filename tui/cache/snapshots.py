"""The last known state of an account, for an instant start. Safe to delete.

One file of JSON, replaced as a whole (written beside it, fsynced, renamed), so that it is complete or does
not exist. An unreadable file is treated as missing.
"""

import contextlib
import json
import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from tui import VERSION
from tui.api import decode
from tui.api.encode import encode
from tui.api.model import Message
from tui.api.snapshot import InitialSnapshot
from tui.dataclass import dataclass
from tui.errors import MalformedResponse
from tui.narrow import Narrow, Term, narrow_of
from tui.store import Store
from tui.store.fetched_page import Page
from tui.store.snapshots import to_snapshot
from tui.store.windows import NEWEST

FORMAT = 2
MOST_WINDOWS = 12
MOST_MESSAGES = 100
"""Messages saved for each window, the newest; older history is fetched."""
MOST_BYTES = 64 * 2**20
"""In bytes; reading a larger file would take longer than the server's answer."""
_DRAFT_PREFIX = ".snapshot-"

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
    state = {
        "format": FORMAT,
        "version": VERSION,
        "snapshot": encode(kept.snapshot),
        "windows": [_window(*window) for window in kept.windows],
    }
    import tempfile  # no start waits for it

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=_DRAFT_PREFIX)  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(state, ensure_ascii=False, separators=(",", ":")))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


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
        state = json.loads(path.read_text("utf-8"))
        if (state["format"], state["version"]) != (FORMAT, VERSION):
            return None
        store = Store.from_snapshot(decode.snapshot(state["snapshot"], str(path)))
        for window in state["windows"]:
            _fill(store, window, str(path))
    except FileNotFoundError:
        return None
    except (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError),
        MalformedResponse,
    ) as error:
        _log.warning("%s cannot be read and is left out: %s", path, error)
        return None
    return store


def _newest(store: Store, narrow: Narrow) -> tuple[int, tuple[Message, ...]]:
    """Return the ID from which on the narrow's end is complete, and its messages; (0, ()) if unknown."""
    window = store.messages.windows.get(narrow)
    stretch = window.at(None) if window is not None else None
    if stretch is None or not stretch.ids:
        return 0, ()
    ids = stretch.ids[-MOST_MESSAGES:]
    low = stretch.low if len(ids) == len(stretch.ids) else ids[0]
    return low, tuple(store.messages.by_id[each] for each in ids)


def _window(narrow: Narrow, low: int, messages: tuple[Message, ...]) -> Mapping[str, object]:
    return {
        "low": low,
        "terms": [[term.operator, term.operand, term.negated] for term in narrow.terms()],
        "messages": [encode(each) for each in messages],
    }


def _fill(store: Store, window: Mapping[str, object], path: str) -> None:
    terms = decode.decode(tuple[tuple[object, ...], ...], window["terms"], path)
    narrow = narrow_of([_term(term) for term in terms], store.self_id)
    messages = decode.decode(tuple[Message, ...], window["messages"], path)
    low = min(int(window["low"]), *(message.id for message in messages))  # type: ignore[call-overload]  # what is no number raises here
    ticket = store.messages.begin_fetch()
    store.messages.finish_fetch(
        ticket, Page(narrow=narrow, low=low, high=NEWEST, messages=messages)
    )


def _term(saved: tuple[object, ...]) -> Term:
    operator, operand, negated = saved
    if isinstance(operand, list):
        operand = tuple(operand)
    if not isinstance(operand, (str, int, tuple)):
        raise TypeError("an operand is a text, a number or a list")
    return Term(str(operator), operand, bool(negated))
