"""Something to read, in pairs of label and text. Esc closes."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.screens.dialogs.frame import Dialog
from tui.widgets.look import look_of_theme


class Info(Dialog[None]):
    """Shows sanitised lines; nothing to choose."""

    def __init__(self, title: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card"):
            yield Static(Content(self._title), classes="title")
            muted = look_of_theme(self.app.theme_variables, "surface").muted
            for label, text in self._lines:
                yield Static(_line(label, text, muted))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def _line(label: str, text: str, muted: Style) -> Content:
    return Content.assemble((f"{label:<10}", muted), (text, ""))
