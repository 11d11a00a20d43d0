"""The emulator that tests read: rows are whole at whichever byte a read ends."""

import pyte
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.real_terminal import Screen

drawn = st.lists(
    st.tuples(st.integers(1, 7), st.sampled_from(["a", "日本", "x日", "日", "é"])), max_size=6
)


@given(drawn)
@example([(1, "日本"), (1, "a"), (4, "a")])
def test_a_wide_character_that_lost_half_leaves_a_blank(pieces: list[tuple[int, str]]) -> None:
    """Every row has the screen's width, and what was drawn last is in it."""
    screen = Screen(10, 2)
    stream = pyte.Stream(screen)
    for column, text in pieces:
        stream.feed(f"\x1b[1;{column}H{text}")
        assert text in screen.display[0]
        assert [cell_len(row) for row in screen.display] == [10, 10]


def test_blank_halves() -> None:
    """The first half of one character is written over, and the second half of the next."""
    screen = Screen(8, 1)
    pyte.Stream(screen).feed("日本語\x1b[1;1Ha\x1b[1;4Hb")
    assert screen.display == ["a  b語  "]
