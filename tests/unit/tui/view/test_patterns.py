"""A pattern is tried as the server will match it, whatever it costs."""

import time

import pytest
import re2  # type: ignore[import-untyped]  # google-re2 ships no types
from hypothesis import given
from hypothesis import strategies as st

from server_lite.markup import linkifiers as of_the_server
from server_lite.markup.reverse_templates import BadReverseTemplate, check_example
from tui.view.patterns import LONGEST, trial

PATTERNS = (
    *("#(?P<id>[0-9]+)", "#(?<id>[0-9]+)", r"(?P<a>\w+)/(?P<b>\d*)", "(?i)T-(?P<n>.+)", r"\pL+"),
    *(
        "(?P<x>a|ab)",
        "(a",
        "(?=a)",
        r"(a)\1",
        "(?P<a>x)(?P<a>y)",
        "a{2,1}",
        "[z-a]",
        "*",
        "",
        "(?x) a",
    ),
)


@given(
    pattern=st.sampled_from(PATTERNS) | st.text("a#1()?<>P|*+[]\\", max_size=8),
    text=st.sampled_from(("#12", "t-é", "ab/7", "ab", "x")) | st.text("a#1é/", max_size=4),
)
def test_what_is_shown_is_what_the_server_does(pattern: str, text: str) -> None:
    """A pattern fails here if the server refuses it, and matches the whole example if it does there."""
    result = trial(pattern, text)
    try:
        of_the_server.compiled(pattern)
    except re2.error:
        assert result.error
        return
    try:
        groups = check_example(pattern, text)
    except BadReverseTemplate:
        assert result.matched != text
        return
    assert result.matched == text
    assert {name: value or "" for name, value in result.groups.items()} == groups


def test_groups_are_known_also_where_nothing_matches() -> None:
    """What is wrong with the link can be said before the example fits."""
    assert trial("#(?P<id>[0-9]+)", "x").groups == {"id": None}
    assert trial("#(?P<id>[0-9]+)", "see #12").matched == "#12"
    assert "missing )" in trial("(", "x").error
    assert "characters" in trial("a" * (LONGEST + 1), "a").error


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)+$", "(.*)*b", "(a{0,30}){0,30}", "(?:a?){400}a"]
)
def test_no_pattern_holds_the_form_up(pattern: str) -> None:
    """Patterns over which `re` sits for years take milliseconds: the keys go on working meanwhile."""
    started = time.process_time()
    trial(pattern, "a" * (LONGEST - 1) + "c")
    assert time.process_time() - started < 0.5
