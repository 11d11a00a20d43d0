"""Gives the parts of lines their base style and the terminal's filters. Knows no widgets.

Rows of the lists at the sides share most of their parts: edges, signs, names, counts. Each is finished once.
"""

from collections.abc import Sequence
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

MOST_PARTS: Final = 400
"""Parts that are kept: a few screens of rows."""


class FinishedParts:
    """Parts of lines as they are drawn; those of one base style, background and set of filters are kept."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._parts: dict[tuple[str, Style | None], Sequence[Segment]] = {}

    def finish(
        self, strip: Strip, base: Style, filters: Sequence[LineFilter], background: Color
    ) -> list[Segment]:
        """Return the segments of a strip as they are drawn on a background."""
        of = (base, background, *filters)
        if of != self._of:
            self._of = of
            self._parts.clear()
        elif len(self._parts) > MOST_PARTS:
            self._parts.clear()
        finished: list[Segment] = []
        for text, style, _ in strip:
            part = self._parts.get((text, style))
            if part is None:
                segments = [Segment(text, base if style is None else base + style)]
                part = self._parts[text, style] = filtered(segments, filters, background)
            finished += part
        return finished


def filtered(
    segments: list[Segment], filters: Sequence[LineFilter], background: Color
) -> list[Segment]:
    """Return segments as the terminal's filters leave them."""
    for each in filters:
        segments = each.apply(segments, background)
    return segments
