"""A prompt for one line of text."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.base import Dialog


class Prompt(Dialog[str]):
    """The prompt. Dismissed with the text; one that cannot be used stays, with an error below it."""

    CSS = f"""{Dialog.CSS}
    Prompt #trouble {{ color: $text-error; height: auto; display: none; margin-top: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "accept", "OK", priority=True)]

    def __init__(
        self, title: str, *, hint: str, text: str = "", trouble: Callable[[str], str] = lambda _: ""
    ) -> None:
        """`trouble` returns the error of a text, "" for one that can be used."""
        super().__init__()
        self._trouble = trouble
        self._title = title
        self._hint = hint
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Input(self._text, id="typed")
            yield Static(Content(self._hint), classes="hint")
            yield Static(id="trouble", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_accept(self) -> None:
        """Accept the text, or show its error."""
        text = self.query_one(Input).value
        trouble = self._trouble(text)
        self._tell(trouble)
        if not trouble:
            self.dismiss(text)

    @on(Input.Changed)
    def _changed(self) -> None:
        self._tell("")

    def _tell(self, sentence: str) -> None:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(sanitize_line(sentence)))
        trouble.display = bool(sentence)
