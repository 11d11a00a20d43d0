"""A prompt for one line of text."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tui.screens.dialogs.base import Dialog


class Prompt(Dialog[str]):
    """The prompt. Dismissed with the text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "accept", "OK", priority=True)]

    def __init__(self, title: str, *, hint: str, text: str = "") -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Input(self._text, id="typed")
            yield Static(Content(self._hint), classes="hint")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_accept(self) -> None:
        """Accept the text."""
        self.dismiss(self.query_one(Input).value)
