"""Turns lines of rows at the sides into what is drawn: base style, the terminal's filters. Knows no widgets.

Such rows share most of their parts: edges, signs, names, counts. Each is finished once.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip
from textual.style import Style

from tui.widgets.content_lines import Line, Run, cells, to_strips

MOST_PARTS: Final = 200
"""Parts that are kept: a few screens of rows."""

_Parts = dict[tuple[str, Style], tuple[list[Segment], int]]
"""Segments and their cells, by text and style."""


class FinishedParts:
    """Parts of lines as they are drawn; those of one base style, background and set of filters are kept."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._parts: dict[Style, _Parts] = {}
        """By the style of the row behind them."""

    def strips(
        self,
        lines: Iterable[Line],
        width: int,
        behind: Style,
        base: RichStyle,
        filters: Sequence[LineFilter],
        background: Color,
    ) -> list[Strip]:
        """Return lines as they are drawn, all `width` cells wide.

        `behind` is the style of the row, `base` that of its list, which also fills what a line leaves.
        """
        of = (base, background, *filters)
        if of != self._of:
            self._of = of
            self._parts.clear()
        parts = self._parts.setdefault(behind, {})
        if len(parts) > MOST_PARTS:
            parts.clear()
        whole = base + behind.rich_style
        strips: list[Strip] = []
        for line in lines:
            segments: list[Segment] = []
            used = 0
            for text, style, _ in line:
                part = parts.get((text, style))
                if part is None:
                    finished = filtered(_styled(text, style, whole), filters, background)
                    part = parts[text, style] = finished, cells(text)
                segments += part[0]
                used += part[1]
            if used < width:
                segments += filtered([Segment(" " * (width - used), base)], filters, background)
            strip = Strip(segments, max(used, width))
            strips.append(strip if used <= width else strip.crop(0, width))
        return strips


def _styled(text: str, style: Style, base: RichStyle) -> list[Segment]:
    if text.isascii():
        return [Segment(text, base + style.rich_style)]
    (strip,) = to_strips([[Run(text, style)]])
    return [*Segment.apply_style(strip, base)]


def filtered(
    segments: list[Segment], filters: Sequence[LineFilter], background: Color
) -> list[Segment]:
    """Return segments as the terminal's filters leave them."""
    for each in filters:
        segments = each.apply(segments, background)
    return segments
