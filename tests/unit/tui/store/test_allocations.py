"""How many objects a message costs the client's memory, when it arrives and when thousands came before it."""

import gc
import json
import sys
from collections.abc import Mapping
from datetime import UTC, date
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tests import eg
from tui.api import decode
from tui.api.model import MessageId
from tui.narrow import AllMessages
from tui.store import Store, messages
from tui.view.messages import ViewState, rows
from tui.view.times import Times

CHANNEL = 9
TEXT = "<p>Half past ten, at the <strong>harbour</strong>.</p>"


def _line(number: int) -> bytes:
    """An event as a server of today sends it."""
    message: dict[str, Any] = {
        "id": number,
        "sender_id": eg.MARY.user_id,
        "sender_full_name": eg.MARY.full_name,
        "sender_email": "mary@example.com",
        "sender_realm_str": "",
        "avatar_url": None,
        "client": "website",
        "content": TEXT,
        "content_type": "text/html",
        "display_recipient": "general",
        "is_me_message": False,
        "reactions": [],
        "recipient_id": 20,
        "stream_id": CHANNEL,
        "subject": f"topic {number % 10}",
        "submessages": [],
        "timestamp": 1_750_000_000 + number,
        "topic_links": [],
        "type": "stream",
    }
    return json.dumps({"id": number, "type": "message", "flags": [], "message": message}).encode()


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def test_a_message_costs_few_objects_and_none_once_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Strings that most messages share are kept once; what was not looked at for long is forgotten."""
    for name, value in (("MOST_MESSAGES", 100), ("MOST_IN_WINDOWS", 60), ("KEPT_ARRIVALS", 10)):
        monkeypatch.setattr(messages, name, value)
    store = Store.from_snapshot(eg.snapshot(channels=[eg.subscription(CHANNEL, "general")]))

    def arrive(first: int, count: int) -> int:
        """Return the objects that are left of each."""
        before = _blocks()
        for number in range(first, first + count):
            store.apply(decode.event(json.loads(_line(number)), "events"))
            store.messages.trim([])
        return (_blocks() - before) // count

    arrive(1, 20)
    assert arrive(21, 70) <= 12
    assert arrive(101, 400) <= 2


def test_a_message_that_is_kept_takes_few_bytes_and_makes_no_cycles() -> None:
    """Two thousand are kept. What a cycle holds is freed by a collection, which comes late if ever."""
    store = Store.from_snapshot(eg.snapshot(channels=[eg.subscription(CHANNEL, "general")]))
    reading = ViewState(narrow=AllMessages(), times=Times(zone=UTC), today=date(2026, 11, 26))

    def arrive(first: int, count: int) -> None:
        for number in range(first, first + count):
            store.apply(decode.event(json.loads(_line(number)), "events"))
        rows(store, reading, list(store.messages.by_id), with_outbox=True)

    arrive(1_000, 20)
    gc.collect()
    gc.disable()
    try:
        arrive(1_020, 100)
        assert gc.collect() == 0
    finally:
        gc.enable()
    kept = [store.messages.by_id[MessageId(number)] for number in range(1_020, 1_120)]
    assert _bytes(kept) / 100 <= 410, "of a message"
    assert _bytes(reading.kept_rows, besides=_reachable(store)) / 120 <= 930, "of its rows"


def _bytes(root: object, *, besides: Mapping[int, object] | None = None) -> int:
    """Return the bytes of the objects that a part of the memory keeps."""
    kept = _reachable(root)
    return sum(sys.getsizeof(each) for key, each in kept.items() if key not in (besides or {}))


def _reachable(root: object) -> dict[int, object]:
    """Return what an object keeps, by its `id`; without classes, functions and modules.

    `_asyncio` shows iterators that are freed already, and Python before 3.12.6 ends once they are
    referred to (its issue 122695).
    """
    known: dict[int, object] = {}
    left = [root]
    while left:
        each = left.pop()
        if id(each) not in known and not isinstance(each, type | FunctionType | ModuleType):
            known[id(each)] = each
            left += gc.get_referents(each)
    return known
