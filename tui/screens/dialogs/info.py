"""Something to read, in pairs of label and text. Esc closes."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.screens.dialogs.frame import Dialog


class Info(Dialog[None]):
    """Shows sanitised lines; nothing to choose."""

    DEFAULT_CSS = "Info .card { height: auto; }"

    def __init__(self, title: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="card"):
            yield Static(Content(self._title), classes="title")
            for label, text in self._lines:
                line = Content.assemble((f"{label:<10}", "$text-muted"), Content(text))
                yield Static(line)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
