"""Trying a pattern that somebody types, whatever it costs."""

import pytest

from tui.commands import linkifiers, regex_sandbox
from tui.commands.reorder import moved


async def test_a_pattern_that_takes_for_ever_holds_nothing_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is given up, and its process is gone."""
    monkeypatch.setattr(linkifiers, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(linkifiers, "PAUSE_SECONDS", 0)
    trial = await linkifiers.trial("(a+)+$", "a" * 60 + "b")
    assert trial.error == "the pattern takes too long"


def test_groups_are_named_in_both_ways() -> None:
    """Servers take `(?<id>…)` as well; what does not match still has its groups."""
    for pattern in ("#(?<id>[0-9]+)", "#(?P<id>[0-9]+)"):
        assert regex_sandbox.tried(pattern, "#12") == {"matched": "#12", "groups": {"id": "12"}}
        assert regex_sandbox.tried(pattern, "x") == {"matched": None, "groups": {"id": None}}
    assert "unterminated" in str(regex_sandbox.tried("(", "x")["error"])


def test_what_is_moved_stays_in_the_list() -> None:
    """At either end there is nowhere to go; what is gone by now moves nothing."""
    assert moved("abc", "c", -1) == ["a", "c", "b"]
    assert moved("abc", "a", -1) == ["a", "b", "c"]
    assert moved("abc", "c", 5) == ["a", "b", "c"]
    assert moved("abc", "x", 1) == ["a", "b", "c"]
