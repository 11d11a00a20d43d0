"""The last known state of an account, for a start that waits for nothing. Safe to delete.

One file of JSON, replaced as a whole (written beside it, fsynced, renamed), so that it is there
whole or not at all. What cannot be read is as good as not there.
"""

import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tui.api import decode
from tui.api.encode import encode
from tui.api.model import Message
from tui.errors import MalformedResponse
from tui.narrow import Narrow, Term, narrow_of
from tui.store import Store
from tui.store.pages import Page
from tui.store.snapshots import to_snapshot
from tui.store.windows import NEWEST

FORMAT = 1
MOST_WINDOWS = 12
MOST_MESSAGES = 100
"""Per window, the newest; history is fetched."""

_log = logging.getLogger(__name__)


def save(path: Path, store: Store, narrows: Iterable[Narrow]) -> None:
    """Keep what is known, and the windows of these narrows. Raises OSError."""
    state = {
        "format": FORMAT,
        "snapshot": encode(to_snapshot(store)),
        "windows": [w for n in [*narrows][:MOST_WINDOWS] if (w := _window(store, n))],
    }
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".snapshot-")  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(state, file, ensure_ascii=False, separators=(",", ":"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def load(path: Path) -> Store | None:
    """A store as it was saved, with the windows in it; None if there is none to be read."""
    try:
        state = json.loads(path.read_text("utf-8"))
        if state["format"] != FORMAT:
            return None
        store = Store.from_snapshot(decode.snapshot(state["snapshot"], str(path)))
        for window in state["windows"]:
            _fill(store, window, str(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, MalformedResponse) as error:
        _log.warning("%s cannot be read and is left out: %s", path, error)
        return None
    return store


def _window(store: Store, narrow: Narrow) -> Mapping[str, object] | None:
    """The messages at its end, if they are known."""
    stretch = store.messages.window(narrow).at(None)
    if stretch is None or not stretch.ids:
        return None
    ids = stretch.ids[-MOST_MESSAGES:]
    return {
        "terms": [[term.operator, term.operand, term.negated] for term in narrow.terms()],
        "messages": [encode(store.messages.by_id[each]) for each in ids],
    }


def _fill(store: Store, window: Mapping[str, object], path: str) -> None:
    terms = decode.decode(tuple[tuple[object, ...], ...], window["terms"], path)
    narrow = narrow_of([_term(term) for term in terms], store.self_id)
    messages = decode.decode(tuple[Message, ...], window["messages"], path)
    low = min(message.id for message in messages)
    ticket = store.messages.begin_fetch()
    store.messages.finish_fetch(
        ticket, Page(narrow=narrow, low=low, high=NEWEST, messages=messages)
    )


def _term(saved: tuple[object, ...]) -> Term:
    operator, operand, negated = saved
    if isinstance(operand, list):
        operand = tuple(operand)
    assert isinstance(operand, (str, int, tuple))
    return Term(str(operator), operand, bool(negated))
