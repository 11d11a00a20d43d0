"""The line above a conversation: its name, its description, the state of the connection."""

from typing import Literal, TypeAlias

from textual import events
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from tui.view.titles import Title
from tui.widgets.content_lines import cells, shortened
from tui.widgets.row_styles import look_of_theme

ConnectionTone: TypeAlias = Literal["quiet", "busy", "trouble"]

EMPTY = Title(mark="", color="", place="", topic="", about="")


class TitleBar(Widget):
    """One line; the description is cut before the name."""

    DEFAULT_CSS = """
    TitleBar { height: 1; padding: 0 1 0 0; background: $surface; color: $foreground; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="heading_line")
        self._title = EMPTY
        self._state = ""
        self._tone: ConnectionTone = "quiet"
        self._hint = ""

    def show(self, title: Title) -> None:
        """Show the title of the open narrow."""
        if title != self._title:
            self._title = title
            self.refresh()

    def show_connection(self, state: str, tone: ConnectionTone, hint: str = "") -> None:
        """Show the state of the connection, "" for none; after it a hint, if there is room for all of it."""
        if (state, tone, hint) != (self._state, self._tone, self._hint):
            self._state, self._tone, self._hint = state, tone, hint
            self.refresh()

    async def on_click(self, event: events.Click) -> None:
        """Connect at once, where the bar says that the connection is lost."""
        if self._tone == "trouble" and event.x >= self.content_size.width - cells(
            self._shown_state()
        ):
            await self.run_action("screen.retry_connection")

    def _shown_state(self) -> str:
        """Return the state of the connection, in at most half of the line."""
        most = max(4, self.content_size.width // 2)
        whole = self._state + self._hint
        return whole if cells(whole) <= most else shortened(self._state, most)

    @property
    def text(self) -> str:
        """The text, without styles."""
        return self.render().plain

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        width = self.content_size.width
        state = self._shown_state()
        room = max(4, width - cells(state) - 2 * bool(state))
        title = self._title
        parts: list[tuple[str, Style]] = []
        used = 0
        has_keys = self.parent is not None and self.parent.has_class("-in-list")
        label = look.focused if has_keys else None

        def add(text: str, style: Style) -> None:
            nonlocal used
            left = room - used
            if left > 1 or cells(text) <= left:
                text = shortened(text, left)
                parts.append((text, style))
                used += cells(text)

        strong = Style(bold=True)
        add(" ", label or Style())
        if title.mark:
            mark = look.channel(title.color) if title.color else look.muted
            add(f"{title.mark} ", label or mark)
        add(title.place, label or strong)
        if title.topic:
            add(" › ", label or look.muted)
            add(title.topic, label or strong)
        if label is not None:
            add(" ", label)
        if title.about and room - used > 12:
            add(f"   {title.about}", look.muted)
        parts.append((" " * (width - used - cells(state)), Style()))
        tones = {"quiet": look.muted, "busy": look.muted, "trouble": look.accent + strong}
        parts.append((state, tones[self._tone]))
        return Content.assemble(*parts)
