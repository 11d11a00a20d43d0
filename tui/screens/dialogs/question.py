"""A confirmation before something that cannot be undone, or that opens a page outside the chat."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from tui.content.sanitize import sanitize
from tui.screens.dialogs.base import Dialog


class Question(Dialog[bool]):
    """A confirmation. Dismissed with True for yes. The focus begins on Cancel."""

    def __init__(self, title: str, text: str, *, yes: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(sanitize(self._text)), classes="description")
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no", compact=True)
                yield Button(Content(self._yes), id="yes", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no", Button).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def key_left(self) -> None:
        """Move between the buttons; Tab does too."""
        self.focus_previous()

    def key_right(self) -> None:
        """Move between the buttons, the other way."""
        self.focus_next()
