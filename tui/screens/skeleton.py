"""The first frame: the empty panes, drawn while the rest of the program is still loading.

Imports nothing that is not needed for that: the account screen's own modules take longer to load than Textual
itself. One widget, whose rows but the first are the same.
"""

from functools import reduce
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.screens.pane_sizes import PaneSizes


class Skeleton(Widget):
    """Empty panes in the sizes and colors of the account screen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"opening--side", "opening--middle"}
    DEFAULT_CSS = """
    Skeleton {
        height: 1fr; background: $background; color: $text-muted;
        & > .opening--side { background: $panel; color: $foreground; text-style: bold; }
        & > .opening--middle { background: $background; color: $text-muted; }
    }
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the panes as the account screen will."""
        first, other = self._row("chinwag", "opening…"), self._row("", "")
        rows = [first if y == 0 else other for y in range(crop.y, crop.bottom)]
        if crop.x or crop.width < self.size.width:
            return [row.crop(crop.x, crop.right) for row in rows]
        return rows

    def _row(self, name: str, words: str) -> Strip:
        panes = PaneSizes(width=self.size.width)
        left = panes.sidebar_width if panes.shows_sidebar else 0
        right = panes.people_width if panes.shows_people else 0
        side = self.get_visual_style("opening--side").rich_style
        middle = self.get_visual_style("opening--middle").rich_style
        parts = ((f" {name}", left, side), (f"  {words}", self.size.width - left - right, middle))
        strip = Strip(
            [
                Segment(text[:width].ljust(width), style)
                for text, width, style in (*parts, ("", right, side))
                if width > 0
            ]
        )
        background = self.background_colors[1]
        return reduce(
            lambda row, each: row.apply_filter(each, background), self.get_line_filters(), strip
        )
