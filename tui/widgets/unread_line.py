"""The line below the list of conversations: what is unread out of sight, and in which direction. No store."""

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from tui.view.sidebar import SidebarRow
from tui.widgets.content_lines import cells
from tui.widgets.row_styles import look_of_theme
from tui.widgets.sidebar_rows import count_text

_WORD: Final = "unread"


class UnreadLine(Widget):
    """`↑ 3 unread   ↓ @2 17 unread`; a click on one of the two leads there. Hidden while all rows fit."""

    DEFAULT_CSS = """
    UnreadLine { display: none; height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    class Chosen(Message):
        """The person wants to see what is unread above (-1) or below (+1)."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._above: tuple[int, int] = (0, 0)
        self._below: tuple[int, int] = (0, 0)

    def show(self, above: Sequence[SidebarRow], below: Sequence[SidebarRow]) -> None:
        """The rows with something unread on both sides."""
        sums = _sums(above), _sums(below)
        if sums != (self._above, self._below):
            self._above, self._below = sums
            self.refresh()

    @property
    def text(self) -> str:
        """What it says, as plain text."""
        return self.render().plain

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "panel")
        parts: list[tuple[str, Style]] = []
        for sign, (count, mentions) in (("↑", self._above), ("↓", self._below)):
            if count:
                parts.append((f"  {sign} " if parts else f"{sign} ", look.muted))
                if mentions:
                    parts.append((f"@{count_text(mentions)} ", look.accent + Style(bold=True)))
                if mentions < count:
                    parts.append((f"{count_text(count)} ", look.palette.base))
        used = sum(cells(text) for text, _ in parts)
        if parts and used + len(_WORD) <= self.content_size.width:
            parts.append((_WORD, look.muted))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Go to the nearest in that direction."""
        before, arrow, _ = self.text.partition("↓")
        above = self._above[0] and (not arrow or event.x - self.styles.padding.left < cells(before))
        if self._above[0] or self._below[0]:
            self.post_message(self.Chosen(-1 if above else 1))


def _sums(rows: Sequence[SidebarRow]) -> tuple[int, int]:
    """Messages, and those of them meant for the reader."""
    return sum(row.count for row in rows), sum(row.mentions for row in rows)
