"""What is copied from drawn lines is the text, as it was before it was wrapped."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.widgets.strip_cache import StripCache
from tui.widgets.strip_text import addressed, extract, highlighted

END = 1 << 30


def text(words: str, character: int, line: int) -> Segment:
    """A segment that says where its text comes from."""
    return Segment(words, Style.from_meta({"offset": (character, line)}))


WRAPPED = [
    Strip([Segment("ann  "), Segment("10:15")]),
    Strip([Segment("│ "), text("the quick", 0, 0), Segment("   ")]),
    Strip([Segment("│ "), text("brown fox", 10, 0)]),
    Strip([Segment("  ")]),
    Strip([Segment("│ "), text("x = 1", 0, 1)]),
]


def test_a_wrapped_line_is_copied_as_one() -> None:
    """I paste what was written, without breaks and borders of my screen."""
    assert extract(WRAPPED, (0, 0), (END, END)) == "the quick brown fox\n\nx = 1"


def test_part_of_a_line_is_copied() -> None:
    """Only the characters that I dragged over are copied."""
    assert extract(WRAPPED, (6, 1), (7, 2)) == "quick brown"


def test_lines_that_say_nothing_are_copied_as_they_are() -> None:
    """Where nothing says what is text, I get the lines that I see."""
    assert (
        extract([Strip([Segment("one   ")]), Strip([Segment("two")])], (1, 0), (2, 1)) == "ne\ntw"
    )


def test_only_text_is_highlighted() -> None:
    """The highlight covers what will be copied, not the border beside it."""
    lit = highlighted(WRAPPED[1], 0, 6, Style(reverse=True), marked=True)
    shown = [segment.text for segment in lit if segment.style and segment.style.reverse]
    assert shown == ["the "]
    assert lit.text == WRAPPED[1].text


def test_every_character_has_its_address() -> None:
    """A drag that begins on a border or in a margin still selects."""
    places = [segment.style.meta["offset"] for segment in addressed(WRAPPED[1], 7) if segment.style]
    assert places == [(0, 7), (2, 7), (11, 7)]


def test_the_cache_keeps_only_what_was_used_last() -> None:
    """Memory stays bounded, however far I scroll."""
    cache = StripCache(capacity=2)
    for key in "ab":
        cache.put(key, 0, False, [])
    cache.get("a", 0, False)
    cache.put("c", 0, False, [])
    assert [cache.get(key, 0, False) for key in "abc"] == [[], None, []]
    assert cache.get("a", 1, False) is None
