"""Patterns that are compiled at first use behave as others."""

import re

import pytest

from tui.late_patterns import LatePattern, compiled_late


def test_a_pattern_is_compiled_once_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of hundreds of patterns would be compiled at each start, or at each use."""
    compiled: list[str] = []

    def compile_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return re.compile(pattern, flags)

    monkeypatch.setattr("tui.late_patterns._COMPILE", compile_pattern)
    late = LatePattern("(a)(B+)", re.IGNORECASE)
    search = late.search  # some take the methods when they are imported
    assert late.pattern == "(a)(B+)"
    assert compiled == []
    assert late.sub(r"\2", "abc") == "bc"
    found = search("xAb")
    assert found is not None
    assert found.span() == (1, 3)
    assert (late.groups, late.groupindex, late.flags & re.IGNORECASE) == (2, {}, re.IGNORECASE)
    assert compiled == ["(a)(B+)"]
    assert vars(late)["sub"] == re.compile("(a)(B+)", re.IGNORECASE).sub  # no detour from now on


def test_only_patterns_of_that_time_are_late() -> None:
    """Whoever compiles a pattern later gets a pattern."""
    usual = re.compile
    with pytest.raises(re.error), compiled_late():  # noqa: PT012  # both lines are its block
        late = re.compile("(")
        late.sub("", "")
    assert re.compile is usual


def test_a_pattern_has_no_other_names() -> None:
    """Who asks whether an object has something is told the truth."""
    assert not hasattr(LatePattern("a"), "close")
