"""The scrollbar of a list looks and is pressed as Textual's own."""

from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from textual.scrollbar import ScrollBarRender

from tui.widgets.thumb import cells_of_bar, style_of

BACK, BAR = Color(9, 9, 9).rich_color, Color(200, 100, 50).rich_color


@given(st.integers(1, 60), st.integers(0, 9_000), st.integers(0, 70), st.floats(0, 1))
def test_cells_and_styles_are_textuals(size: int, more: int, window: int, share: float) -> None:
    """At every height, length and position; also where there is nothing to scroll."""
    virtual = window + more
    position = share * more
    window = window if more else 0
    bar = ScrollBarRender.render_bar(
        size,
        virtual,
        window,
        position,
        back_color=BACK,
        bar_color=BAR,
    )
    cells = cells_of_bar(size, virtual, window, position)
    expected = [(each.text, each.style) for each in bar.segments]
    assert [(cell.glyph, style_of(cell, BAR, BACK)) for cell in cells] == expected
    presses = [
        (each.style.meta if each.style else {}).get("@mouse.down", "") for each in bar.segments
    ]
    assert [cell.press for cell in cells] == presses
