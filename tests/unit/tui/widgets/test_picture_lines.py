"""Pictures as cells: the right colors, in the room that was kept for them."""

import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip
from textual.style import Style

from tests.unit.tui.widgets.test_message_rows import LOOK
from tui.content.nodes import Media
from tui.content.parse import parse
from tui.content.pixels import Pixels
from tui.widgets.content import draw
from tui.widgets.content_lines import Line, to_strips
from tui.widgets.picture_lines import half_blocks, placeholders, transmission
from tui.widgets.pictures import PictureState
from tui.widgets.strip_cache import StripCache

RED, BLUE, GREEN = b"\xff\x00\x00", b"\x00\x00\xff", b"\x00\xff\x00"
IMAGE = (
    '<p>see</p><div class="message_inline_image"><a href="/user_uploads/1/a/cat.png" title="{}">'
    '<img data-original-dimensions="120x80" src="/user_uploads/1/a/cat.png"></a></div>'
)


@dataclass
class Given:
    """Pictures in a state that the test gives."""

    shown: PictureState

    def show(self, media: Media, link: int, width: int) -> PictureState:
        return self.shown


def lines(count: int) -> Sequence[Line]:
    pixels = Pixels(original=(3, count), width=3, height=count * 2, rgb=RED * 3 * count * 2)
    return half_blocks(pixels, Style())


def test_two_pixels_share_a_cell_and_equal_neighbors_a_segment() -> None:
    """The upper is the block's color, the lower what is behind it; a click finds the picture."""
    pixels = Pixels(original=(3, 3), width=3, height=3, rgb=RED * 3 + BLUE * 2 + GREEN + RED * 3)
    strips = to_strips(half_blocks(pixels, Style.from_meta({"picture": 4})))
    segments = [
        (s.text, s.style.color and s.style.color.name, s.style.bgcolor and s.style.bgcolor.name)
        for strip in strips
        for s in strip
        if s.style and s.style.meta == {"picture": 4}
    ]
    assert segments == [
        ("▀▀", "#ff0000", "#0000ff"),
        ("▀", "#ff0000", "#00ff00"),
        ("▀▀▀", "#ff0000", "#ff0000"),
    ]


@given(columns=st.integers(1, 300), rows=st.integers(1, 40), number=st.integers(1, 2**24 - 1))
def test_placeholders_are_cells_like_others(columns: int, rows: int, number: int) -> None:
    """Whatever Kitty puts there, the list counts the cells that it laid out, and knows which picture."""
    strips = to_strips(placeholders(number, columns, rows, Style()))
    assert [strip.cell_length for strip in strips] == [min(columns, 297)] * rows
    style = next(iter(strips[0])).style
    assert style is not None
    assert style.color is not None
    triplet = style.color.get_truecolor()
    assert (triplet.red << 16 | triplet.green << 8 | triplet.blue) == number


@given(png=st.binary(min_size=1, max_size=9000))
def test_a_picture_reaches_kitty_whole(png: bytes) -> None:
    """In parts that the protocol allows, of which only the last says that it is the last."""
    parts = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\", transmission(7, png, 3, 2))
    assert b64decode("".join(data for _, data in parts)) == png
    assert all(len(data) <= 4096 for _, data in parts)
    assert [about[-3:] for about, _ in parts] == ["m=1"] * (len(parts) - 1) + ["m=0"]


@pytest.mark.parametrize("width", [24, 80])
@pytest.mark.parametrize("name", ["cat.png", "a very long name of a cat " * 9])
def test_nothing_moves_when_a_picture_arrives(width: int, name: str) -> None:
    """On its way, there, smaller than its room, or broken: the message has the same height."""
    states = [
        PictureState(10, 5, note="loading…"),
        PictureState(10, 5, lines=lines(5)),
        PictureState(10, 5, lines=lines(2)),
        PictureState(10, 5, note="not shown: it has too many pixels"),
    ]
    drawn = [
        draw(parse(IMAGE.format(name)), width, LOOK.palette, pictures=Given(shown))
        for shown in states
    ]
    assert {len(strips) for strips in drawn} == {1 + 5 + 1}
    assert all(strip.cell_length <= width for strips in drawn for strip in strips)
    assert drawn[0][-1].text.startswith(name[:8])


def test_many_pictures_do_not_fill_the_memory() -> None:
    """The cache of drawn lines counts what pictures are made of, not only how many messages there are."""
    cache = StripCache(capacity=100, most_segments=50)
    for key in range(10):
        cache.put(key, 0, False, [Strip.blank(1)] * 20)
    assert [key for key in range(10) if cache.get(key, 0, False)] == [8, 9]
