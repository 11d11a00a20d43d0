"""docs/formatting.md tells every rule, in its order, and every limit."""

import re
from typing import Final

from server_lite.markup.context import MAX_DEPTH
from server_lite.markup.linkifiers import MAX_HITS
from server_lite.markup.previews import MAX_PREVIEWS
from server_lite.markup.rules import BLOCK_RULES, INLINE_RULES
from server_lite.markup.rules.table import MAX_COLUMNS, MAX_PADDING
from server_lite.markup.scan import MAX_PARENTHESES
from server_lite.markup.times import MAX_LENGTH
from tests.shape.sources import ROOT

PAGE: Final = (ROOT / "docs" / "formatting.md").read_text("utf-8")


def _rows(chapter: str) -> list[str]:
    """The first cells of the first table of a chapter, without its head."""
    table = re.search(rf"## {chapter}\n(?:[^|\n].*\n|\n)*((?:\|.*\n)+)", PAGE)
    assert table
    return [line.split("|")[1].strip() for line in table[1].splitlines()[2:]]


def test_the_rules_are_told_in_their_order() -> None:
    """Whoever writes a bot can rely on the page."""
    assert _rows("Blocks") == [name for name, _ in BLOCK_RULES]
    named = [rule.__name__ for _, rule in INLINE_RULES]
    assert _rows("Inlines") == list(dict.fromkeys(named))


def test_the_limits_are_those_of_the_code() -> None:
    """No number of the page is out of date."""
    limits = (
        MAX_DEPTH,
        MAX_PREVIEWS,
        MAX_COLUMNS,
        MAX_PADDING,
        MAX_PARENTHESES,
        MAX_HITS,
        MAX_LENGTH,
    )
    told = [
        int(number.replace(",", "")) for number in re.findall(r"^\|.*\| ([0-9,]+) \|$", PAGE, re.M)
    ]
    assert told[:-1] == list(limits)
