"""Emoji that the terminal gets wrong: another form, in the same cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from tui.content.sanitize import sanitize_line
from tui.terminal import SAMPLES, Cluster
from tui.widgets.emoji_width_filter import SafeText, safe

ALL = frozenset(SAMPLES)
PARTS = [
    *SAMPLES.values(),
    "a",
    " ",
    "日",
    "é",
    "\u200d",
    "\ufe0f",
    "🏳",
    "🌈",
    "🏽",
    "🇫",
    "1",
    "👨",
    "✅",
]


@pytest.mark.parametrize(
    ("text", "kinds", "drawn"),
    [
        ("a ❤️ b", {"variation"}, "a ❤  b"),
        ("1️⃣.", {"keycap"}, "1 ."),
        ("👍🏽!", {"tone"}, "👍!"),
        ("👩‍💻", {"joined"}, "👩"),
        ("🧑🏽‍🚀", {"tone"}, "🧑"),
        ("🏳️‍🌈", {"variation"}, "🏳 "),
        ("in 🇩🇪🇫🇷", {"flag"}, "in DEFR"),
        ("\U0001fae9.", {"recent"}, "□ ."),
        ("✅ 日本", set(SAMPLES), "✅ 日本"),
    ],
)
def test_what_is_drawn_wrong_is_drawn_plainer(text: str, kinds: set[Cluster], drawn: str) -> None:
    """The reader still sees what was meant, and nothing beside it moves."""
    assert safe(text, frozenset(kinds)) == drawn
    assert safe(text, frozenset()) == text


@given(
    text=st.lists(st.sampled_from(PARTS), max_size=12).map("".join).map(sanitize_line),
    kinds=st.frozensets(st.sampled_from(list(SAMPLES))),
)
def test_no_column_moves(text: str, kinds: frozenset[Cluster]) -> None:
    """However emoji are strung together, they take the cells that were laid out for them."""
    assert cell_len(safe(text, kinds)) == cell_len(text)


def test_lines_are_filtered_where_they_are_drawn() -> None:
    """Segments keep their styles, and what controls the terminal is left alone."""
    control = Segment("\x1b[1m❤️", None, [(1,)])  # type: ignore[list-item]  # any control will do
    drawn = SafeText(ALL).apply([Segment("❤️"), control, Segment("plain")], Color(0, 0, 0))
    assert [segment.text for segment in drawn] == ["❤ ", control.text, "plain"]
    assert not SafeText(frozenset()).enabled
