"""The first frame: the empty panes, drawn while the rest of the program is still loading.

Imports nothing that is not needed for that: the account screen's own modules take longer to load than Textual
itself. No widgets: a screen of them would be mounted, styled and laid out for nothing else.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

from rich.console import Console
from rich.segment import Segment
from textual.app import App
from textual.color import Color, ColorParseError
from textual.filter import LineFilter
from textual.geometry import Size
from textual.strip import Strip
from textual.style import Style

from tui.screens.pane_sizes import PaneSizes

_MUTED: Final = 0.6
"""The opacity of muted text where the theme has no color for it."""


def show(app: App[Any]) -> None:
    """Draw the first frame in an app's terminal, before the app has a screen."""
    driver = app._driver
    if driver is not None:
        filters = app.get_line_filters()
        driver.write(first_frame(app.size, app.theme_variables, filters, app.console))
        driver.flush()


def first_frame(
    size: Size, theme: Mapping[str, str], filters: Sequence[LineFilter], console: Console
) -> str:
    """Return the panes in the sizes and colors of the account screen, as text for the terminal."""
    background, foreground = _color(theme["background"]), _color(theme["foreground"])
    muted = theme["text-muted"]
    auto = background.get_contrast_text(_MUTED) if muted.startswith("auto") else None
    side = Style(background=_color(theme["panel"]), foreground=foreground, bold=True)
    middle = Style(background=background, foreground=auto or _color(muted))
    first, other = (
        reduce(lambda row, each: row.apply_filter(each, background), filters, row).render(console)
        for row in (
            _row(size.width, "chinwag", "opening…", side, middle),
            _row(size.width, "", "", side, middle),
        )
    )
    rows = [first, *[other] * (size.height - 1)]
    return "".join(f"\x1b[{y};1H{row}" for y, row in enumerate(rows, 1))


def _row(width: int, name: str, words: str, side: Style, middle: Style) -> Strip:
    panes = PaneSizes(width=width)
    left = panes.sidebar_width if panes.shows_sidebar else 0
    right = panes.people_width if panes.shows_people else 0
    parts = (
        (f" {name}", left, side),
        (f"  {words}", width - left - right, middle),
        ("", right, side),
    )
    return Strip(
        [
            Segment(text[:cells].ljust(cells), style.rich_style)
            for text, cells, style in parts
            if cells > 0
        ]
    )


def _color(named: str) -> Color:
    """Return a variable's color; the terminal's own where a user's theme has more than a color there."""
    try:
        return Color.parse(named.partition(" ")[0])
    except ColorParseError:
        return Color.parse("ansi_default")
