"""The open organizations, above the sidebar; a click switches to one. No store."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from tui.view.accounts import AccountLine
from tui.widgets.content_lines import cells, shortened
from tui.widgets.row_styles import RowStyles, look_of_theme
from tui.widgets.sidebar_rows import count_text

MOST = 6
"""Most lines; with more accounts the last one says how many there are."""


class AccountLines(Widget):
    """A single account is a heading; several have a line each, with number and unread count."""

    DEFAULT_CSS = """
    AccountLines { height: auto; padding: 0 1 0 0; background: $panel; color: $foreground; }
    """

    class Chosen(Message):
        """Posted when an account is clicked: its index from 0; None for the line of further accounts."""

        def __init__(self, at: int | None) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="heading_line")
        self._lines: Sequence[AccountLine] = ()

    @property
    def text(self) -> str:
        """The text, without styles."""
        return self.render().plain

    def show(self, lines: Sequence[AccountLine]) -> None:
        """Show the accounts in order."""
        before, self._lines = self._lines, lines
        grows = len(lines) != len(before)
        # A single account shows its name alone, without the count that changes with each message.
        is_new = lines[0].name != before[0].name if len(lines) == len(before) == 1 else True
        if lines != before and (grows or is_new):
            self.set_class(len(lines) > 1, "several")
            self.refresh(layout=grows)

    def _shown(self) -> Sequence[AccountLine]:
        return self._lines if len(self._lines) <= MOST else self._lines[: MOST - 1]

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "panel")
        width = self.content_size.width
        has_keys = self.parent is not None and self.parent.has_class("-in-list")
        if len(self._lines) < 2:
            name = shortened(self._lines[0].name if self._lines else "chinwag", max(4, width - 2))
            return Content.assemble((f" {name} ", look.focused if has_keys else Style(bold=True)))
        drawn = [
            _drawn(line, at, width, look, has_keys) for at, line in enumerate(self._shown(), 1)
        ]
        hidden = len(self._lines) - len(drawn)
        if hidden:
            drawn.append(Content.assemble((f"   {hidden} more…", look.muted)))
        return Content("\n").join(drawn)

    def on_click(self, event: events.Click) -> None:
        """Post the account under the mouse."""
        if len(self._lines) > 1:
            self.post_message(self.Chosen(event.y if event.y < len(self._shown()) else None))


def _drawn(line: AccountLine, at: int, width: int, look: RowStyles, has_keys: bool) -> Content:
    """Return an account's line: `▌2 Beta            3`."""
    number = count_text(line.count)
    sign = "" if line.is_live else "○ "
    room = max(4, width - 4 - cells(sign) - len(number) - bool(number))
    name = shortened(line.name, room)
    gap = max(0, width - 4 - cells(sign) - cells(name) - len(number))
    return Content.assemble(
        ("▌" if line.is_shown else " ", look.accent),
        (f"{at} ", look.muted),
        (sign, look.muted),
        (name, _name_style(line, look, has_keys)),
        (" " * gap, Style()),
        (f"{number} ", look.accent + Style(bold=True) if line.is_urgent else look.muted),
    )


def _name_style(line: AccountLine, look: RowStyles, has_keys: bool) -> Style:
    if line.is_shown and has_keys:
        return look.focused
    strong = Style(bold=line.is_shown or line.is_urgent)
    return look.palette.base + strong if line.is_shown or line.count else look.muted
