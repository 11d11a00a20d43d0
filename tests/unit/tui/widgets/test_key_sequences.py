"""Keys as terminals send them are the keys that the table of actions names."""

import pytest
from textual import _parser, events
from textual._xterm_parser import XTermParser

from tui import keys
from tui.widgets.key_sequences import keep_alt_digits


@pytest.mark.parametrize("key", "0123456789nkoc")
def test_alt_arrives_as_alt(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Escape and a character in one go are Alt with that character, also for digits."""
    keep_alt_digits()
    parser = XTermParser()
    told = list(parser.feed(f"\x1b{key}"))
    monkeypatch.setattr(_parser, "get_time", lambda: float("inf"))  # nothing more comes
    told += parser.tick()
    assert [each.key for each in told if isinstance(each, events.Key)] == [f"alt+{key}"]


def test_keys_that_terminals_cannot_send_are_no_defaults() -> None:
    """Alt with a sign arrives as the sign alone: it would type a comma instead of acting."""
    tables = (keys.APPLICATION, keys.CONVERSATION, keys.MESSAGE, keys.COMPOSER)
    alone = ("left", "right", "up", "down", "enter")
    wrong = [
        key
        for table in tables
        for action in table
        for key in action.keys.split(",")
        if key.startswith("alt+") and len(key) != len("alt+x") and key[4:] not in alone
    ]
    assert wrong == []
