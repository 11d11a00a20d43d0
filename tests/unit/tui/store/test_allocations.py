"""How many objects a message costs the client's memory, when it arrives and when thousands came before it."""

import gc
import json
import sys
from typing import Any

import pytest

from tests import eg
from tui.api import decode
from tui.store import Store, messages

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
