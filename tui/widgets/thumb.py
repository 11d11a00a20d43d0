"""The scrollbar of a list: as Textual's, but of a few cached strips. Scrolls nothing.

Textual makes a style for each of its cells whenever the thumb moves, which took longer than the messages
beside it.
"""

from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as BackgroundColor
from textual.filter import LineFilter
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

GLYPHS: Final = ScrollBarRender.VERTICAL_BARS
EIGHTHS: Final = len(GLYPHS)
"""Parts of a cell."""


class Cell(NamedTuple):
    """A cell of the bar: its glyph, the action of a press of the mouse, and its colors."""

    glyph: str
    press: str
    thumb: bool
    reverse: bool


_Look: TypeAlias = tuple[
    tuple[Color | None, Color | None], Style, tuple[LineFilter, ...], BackgroundColor
]
"""The bar's colors, the widget's style, the terminal's filters and the color behind it."""


class ThumbView(ScrollView, inherit_bindings=False):
    """A `ScrollView` whose scrollbar is painted quickly."""

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar as Textual makes it, of the class below."""
        if self._vertical_scrollbar is None:
            bar = self._vertical_scrollbar = Thumb(
                vertical=True, name="vertical", thickness=self.scrollbar_size_vertical
            )
            bar.display = False
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar


class Thumb(ScrollBar):
    """Textual's scrollbar, painted from `cells_of_bar`."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of a region; the same objects for the same cells."""
        bar = self.render()
        if not isinstance(bar, ScrollBarRender) or not isinstance(bar.style, Style):
            return super().render_lines(crop)
        cells = cells_of_bar(self.size.height, bar.virtual_size, bar.window_size, bar.position)
        colors = bar.style.color, bar.style.bgcolor
        base, filters = self.visual_style.rich_style, tuple(self.get_line_filters())
        look = colors, base, filters, self.background_colors[1]
        drawn = {cell: _strip(cell, crop.width, look) for cell in set(cells)}
        return [drawn[cell] for cell in cells[crop.y : crop.bottom]]


def cells_of_bar(size: int, virtual: float, window: float, position: float) -> list[Cell]:
    """Return the cells from top to bottom, as `ScrollBarRender.render_bar` makes them."""
    if not (window and size and virtual) or size == virtual:
        return [Cell(" ", "", thumb=False, reverse=False)] * size
    thumb = max(1, window / (virtual / size))
    start = int((size - thumb) * (position / (virtual - window)) * EIGHTHS)
    first, above = divmod(max(0, start), EIGHTHS)
    last, below = divmod(max(0, start + ceil(thumb * EIGHTHS)), EIGHTHS)
    cells = [Cell(" ", "scroll_up", thumb=False, reverse=False)] * size
    cells[last:] = [Cell(" ", "scroll_down", thumb=False, reverse=False)] * (size - last)
    cells[first:last] = [Cell(" ", "grab", thumb=True, reverse=True)] * (last - first)
    # Its ends are finer than a cell.
    if first < len(cells) and above:
        cells[first] = Cell(GLYPHS[EIGHTHS - 1 - above], "grab", thumb=True, reverse=False)
    if last < len(cells) and below:
        cells[last] = Cell(GLYPHS[EIGHTHS - 1 - below], "grab", thumb=True, reverse=True)
    return cells


@lru_cache(64)
def _strip(cell: Cell, width: int, look: _Look) -> Strip:
    """Return the last of the strips that Textual makes of a cell, each of which keeps the next one."""
    (color, back), base, filters, background = look
    strip = Strip([Segment(cell.glyph * width, style_of(cell, color, back))], width)
    strip = strip.apply_style(base)
    for each in filters:
        strip = strip.apply_filter(each, background)
    return strip


def style_of(cell: Cell, color: Color | None, back: Color | None) -> Style:
    """Return the style as in Textual: the thumb reversed where it fills the cell."""
    meta = {"@mouse.down": cell.press} if cell.press else None
    if not cell.thumb:
        return Style(bgcolor=back, meta=meta)
    if cell.reverse and cell.glyph == " ":
        return Style(color=color, reverse=True, meta=meta)
    return Style(bgcolor=back, color=color, reverse=cell.reverse or None, meta=meta)
