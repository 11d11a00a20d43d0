"""The line between messages and composer: current activity, typing notices, new messages below."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from tui.widgets.content_lines import cells, shortened
from tui.widgets.row_styles import look_of_theme


class StatusLine(Widget):
    """At the left the current activity, or who is typing; at the right the messages that came below."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1 0 3; background: $background; color: $foreground; }
    """

    class NewestRequested(Message):
        """Posted when the count of messages below is clicked."""

    class DoingChosen(Message):
        """Posted when the current activity is clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._doing = ""
        self._typing = ""
        self._below = ""

    def show(
        self, *, doing: str | None = None, typing: str | None = None, below: str | None = None
    ) -> None:
        """Change the given parts."""
        before = (self._doing, self._typing, self._below)
        self._doing = self._doing if doing is None else doing
        self._typing = self._typing if typing is None else typing
        self._below = self._below if below is None else below
        if before != (self._doing, self._typing, self._below):
            self.refresh()

    @property
    def text(self) -> str:
        """The text, without styles."""
        return self.render().plain

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "background")
        width = self.content_size.width
        right = shortened(self._below, width)
        room = max(0, width - cells(right) - 1)
        left = shortened(self._doing or self._typing, room) if room > 4 else ""
        style = look.accent if self._doing else look.muted + Style(italic=True)
        space = " " * (width - cells(left) - cells(right))
        return Content.assemble((left, style), (space, Style()), (right, look.accent))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        is_left = at is not None and at.x < self.content_size.width - cells(self._below)
        if self._doing and is_left:
            self.post_message(self.DoingChosen())
        elif self._below:
            self.post_message(self.NewestRequested())
