"""The line below the sidebar: unread messages out of sight, above and below. No store."""

from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from tui.widgets.content_lines import cells
from tui.widgets.row_styles import look_of_theme
from tui.widgets.sidebar_rows import count_text
from tui.widgets.unread_rows import UnreadSum

_WORD: Final = "unread"


class UnreadLine(Widget):
    """`↑ 3 unread   ↓ @2 17 unread`; a click on a part scrolls there. Hidden while all rows fit."""

    DEFAULT_CSS = """
    UnreadLine { display: none; height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    class Chosen(Message):
        """Posted when the unread messages above (-1) or below (+1) are clicked."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._above = UnreadSum(0, 0)
        self._below = UnreadSum(0, 0)

    def show(self, above: UnreadSum, below: UnreadSum) -> None:
        """Show what is unread above and below."""
        if (above, below) != (self._above, self._below):
            self._above, self._below = above, below
            self.refresh()

    @property
    def text(self) -> str:
        """The text, without styles."""
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
        """Post the direction that was clicked."""
        before, arrow, _ = self.text.partition("↓")
        is_first = not arrow or event.x - self.styles.padding.left < cells(before)
        above = self._above.messages and is_first
        if self._above.messages or self._below.messages:
            self.post_message(self.Chosen(-1 if above else 1))
