"""What a terminal would obey is not drawn, wherever it comes from."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from tui.content.sanitize import sanitize
from tui.widgets.control_character_filter import OBEYED, InertText

BLACK = Color(0, 0, 0)
HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from("\x1b\x9b\u202e\x00\n\ud800\U000e0041a日"))
)


def _drawn(text: str) -> str:
    return "".join(each.text for each in InertText().apply([Segment(text)], BLACK))


@given(HOSTILE)
def test_nothing_is_obeyed_and_a_line_keeps_its_width(text: str) -> None:
    """A field that holds somebody's escape sequences is as wide as Textual laid it out."""
    drawn = _drawn(text)
    assert not OBEYED.search(drawn)
    assert cell_len(drawn) == cell_len(text)


@given(HOSTILE)
def test_sanitized_text_is_drawn_as_it_is(text: str) -> None:
    """The sanitizer shows what it replaces; this is behind it and finds nothing more."""
    text = sanitize(text).replace("\n", "")
    assert _drawn(text) == text


def test_what_textual_itself_says_to_the_terminal_stays() -> None:
    """Control segments are ours."""
    own = Segment("\x1b[2J", None, [(1,)])  # type: ignore[list-item]  # a control code, made short
    assert InertText().apply([own], BLACK) == [own]
