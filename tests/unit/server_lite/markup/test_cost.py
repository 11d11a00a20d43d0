"""No message costs the server more than its length, counted in calls and questions, not in seconds."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from server_lite.markup.code import SECONDS, Budget, code_block
from server_lite.markup.context import MAX_DEPTH
from server_lite.markup.render import render
from server_lite.markup.text import text_of
from tests.call_counter import calls
from tests.unit.server_lite.markup.adversarial_inputs import SHAPES
from tests.unit.server_lite.markup.organization import Organization

LENGTH = 400


PER_CHARACTER: Final = 65
"""Calls that a character may cost: with 10,000 of them the loop is held for well under 50 ms."""


def _calls(source: str) -> int:
    """Rendering it and finding its words for the search index, as each message that is sent."""
    return calls(lambda: text_of(render(source, Organization()).html))


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Tables that are made once do not count for any message."""
    for make in SHAPES.values():
        render(make(60), Organization())


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in SHAPES.items()])
def test_twice_the_text_costs_twice_the_work(make: Callable[[int], str]) -> None:
    """Whatever somebody pastes, everybody else's messages are not held up by it."""
    once, twice = _calls(make(LENGTH)), _calls(make(2 * LENGTH))
    # What a message costs at least is left out, and a quarter is for limits that cut in halfway.
    assert twice - 400 <= 2.5 * once
    assert twice <= PER_CHARACTER * 2 * LENGTH


@pytest.mark.parametrize("unit", ["🎉", "🇩🇪", "👨\u200d👩\u200d👧", "🎉🇩🇪"])
def test_emoji_side_by_side_are_one_leaf(unit: str) -> None:
    """Ten thousand emoji cost little more than their drawing: no token and no piece for each."""
    cost, further = _calls(unit * 200), _calls(unit * 400)
    assert further - cost <= 200 * 16 * len(unit)


@pytest.mark.parametrize(
    ("unit", "limit"),
    [("*_", 52), ("_*", 52), ("**_", 48), ("~~_", 46), ("*🎉", 62), ("a*b~~", 103)],
)
def test_a_marker_is_one_object(unit: str, limit: int) -> None:
    """Five thousand markers that all have a partner leave the loop to others within 50 ms."""
    cost, further = _calls(unit * 200), _calls(unit * 400)
    assert further - cost <= 200 * limit


def test_nesting_ends() -> None:
    """Quotes and lists in each other end at a depth that clients can draw, and nothing is lost."""
    quotes = render("> " * 100 + "word", Organization()).html
    assert quotes.count("<blockquote>") == MAX_DEPTH
    assert "word" in quotes
    lists = render("- " * 100 + "word", Organization()).html
    assert lists.count("<ul>") == MAX_DEPTH
    assert "word" in lists
    fences = render("```quote\n" * 100 + "word", Organization()).html
    assert fences.count("<blockquote>") == MAX_DEPTH
    assert "word" in fences


def test_a_name_is_asked_once() -> None:
    """A message that repeats a name does not repeat the question to the database."""
    organization = Organization()
    names = "@**Ada Lovelace** @*backend* #**general>lunch** :tada: @**Sam Twin|10** [](/user_uploads/1/a)"
    render(f"{names} " * 50, organization)
    assert set(organization.asked.values()) <= {1, 2}


def test_short_rows_fill_no_huge_table() -> None:
    """A wide head over thousands of short rows makes no hundred thousand cells."""
    source = "|a" * 60 + "|\n" + "|-" * 60 + "|\n" + "|\n" * 4000
    assert render(source, Organization()).html.count("<td>") < 6000


def _ticking(step: float) -> Callable[[], float]:
    def ticks() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += step

    return ticks().__next__


def test_code_that_takes_too_long_is_shown_plain() -> None:
    """A block that would hold the server up keeps its words and its language, without colors."""
    slow = Budget(_ticking(SECONDS / 3))
    assert "<span class=" not in code_block("a = 1\nb = 2", "py", slow)
    assert 'data-code-language="Python"' in code_block("a = 1", "py", slow)
    assert "a = 1\n" in code_block("a = 1", "py", slow)


def test_all_code_of_a_message_shares_the_time() -> None:
    """Many small blocks get no more time than a big one."""
    budget = Budget(_ticking(SECONDS / 20))
    colored = [('<span class="n">' in code_block("a", "py", budget)) for _ in range(20)]
    assert colored[0]
    assert not colored[-1]
