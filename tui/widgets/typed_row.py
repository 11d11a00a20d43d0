"""Draws a field's row of plain text as the row was drawn before, with other text. Knows no field.

Textual computes borders, padding, colors and filters of a row anew for each character that is typed in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeGuard

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.fewer_colors import FewerColors

SYMBOLS_FROM: Final = "\u2000"
"""From this character on there are some that a filter may replace; letters of most alphabets are below."""


class RowLook(NamedTuple):
    """How a row of a field looks, whatever its text is."""

    left: tuple[Segment, ...]
    """Border and padding before the text."""
    right: tuple[Segment, ...]
    width: int
    """Columns between them."""
    text: Style | None
    cursor: Style | None
    rest: Style | None
    """Style of the blanks behind the text."""


def is_whole_row(field: Widget, crop: Region) -> bool:
    """Whether one row is drawn from edge to edge."""
    return (crop.x, crop.width, crop.height) == (0, field._styles_cache._width, 1)


def holds(look: RowLook | None, field: Widget, crop: Region) -> TypeGuard[RowLook]:
    """Whether a row can be drawn in this look: Textual clears its cache where colors, sizes or the focus change."""
    return look is not None and bool(field._styles_cache._cache) and is_whole_row(field, crop)


def has_fixed_colors(field: Widget) -> bool:
    """Whether the colors of a text do not depend on what it says: of 256, words get those that are easier to read."""
    return not any(isinstance(each, FewerColors) for each in field.get_line_filters())


def is_plain(text: str) -> bool:
    """Whether each character takes one column in every terminal, and no filter replaces it."""
    if not text.isprintable():
        return False
    return text.isascii() or (max(text) < SYMBOLS_FROM and cell_len(text) == len(text))


def draw(look: RowLook, text: str, cursor: int | None) -> Strip:
    """Return a row with this plain text, not longer than the row, and the cursor on the character at an index."""
    segments = [*look.left]
    if cursor is None:
        segments.append(Segment(text, look.text))
    else:
        if cursor:
            segments.append(Segment(text[:cursor], look.text))
        segments.append(Segment(text[cursor], look.cursor))
        if cursor + 1 < len(text):
            segments.append(Segment(text[cursor + 1 :], look.text))
    if len(text) < look.width:
        segments.append(Segment(" " * (look.width - len(text)), look.rest))
    segments += look.right
    sides = sum(len(segment.text) for segment in (*look.left, *look.right))
    return Strip(segments, sides + look.width)


def look_of(strip: Strip, left: int, width: int, text: str, cursor: int) -> RowLook | None:
    """Return the look of a row that Textual drew: text from column `left`, within `width`, and the cursor in it.

    None where other rows cannot be derived from it, since its text or a part of it looks otherwise than expected.
    """
    if not 0 < len(text) < width or not 0 <= cursor < len(text) or len(text) < 2:
        return None
    cells = _cells(strip)
    if not left + width <= len(cells):
        return None
    content = cells[left : left + width]
    look = RowLook(
        tuple(Segment(character, style) for character, style in cells[:left]),
        tuple(Segment(character, style) for character, style in cells[left + width :]),
        width,
        content[0 if cursor else 1][1],
        content[cursor][1],
        content[-1][1],
    )
    return look if _cells(draw(look, text, cursor)) == cells else None


def _cells(strip: Sequence[Segment] | Strip) -> list[tuple[str, Style | None]]:
    return [(character, style) for text, style, _ in strip for character in text]
