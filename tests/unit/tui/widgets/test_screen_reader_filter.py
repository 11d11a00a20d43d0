"""For those to whom the screen is read: no drawings, and everything stays in its place."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from tui.widgets.screen_reader_filter import PlainText, plain


def test_drawings_become_blanks_and_signs_are_one_word() -> None:
    """A line is silence, the bar of the cursor is a sign, words in any script stay."""
    assert plain("──── Today ────") == "     Today     "
    assert plain("▌• Zoë › 茶 │ 3 ▄▄") == ">* Zoë > 茶   3   "
    for text in ("│ a │", "▽ Inbox", "◐ Ben ⚑"):
        assert cell_len(plain(text)) == cell_len(text)


def test_what_steers_the_terminal_is_left_alone() -> None:
    """Segments that are no text pass as they are."""
    control = Segment("─", None, [(1,)])  # type: ignore[list-item]  # any control code will do
    filtered = PlainText().apply([control, Segment("─")], Color(0, 0, 0))
    assert [each.text for each in filtered] == ["─", " "]
