"""Making a channel: its name, what it is for, who may join. Creates nothing itself."""

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Checkbox, Input, Label, Static

from tui.screens.dialogs.frame import Dialog


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    """What the person wants made."""

    name: str
    description: str
    is_private: bool


class NewChannelDialog(Dialog[NewChannel]):
    """Dismissed with what is to be made."""

    def __init__(self, name: str = "", *, longest: int = 60) -> None:
        super().__init__()
        self._name = name
        self._longest = longest

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static("New channel", classes="title")
            yield Label("Name")
            yield Input(self._name, id="name", max_length=self._longest)
            yield Label("What it is for")
            yield Input(id="about")
            yield Checkbox("private: only for people who are invited", id="private")
            with Horizontal(classes="buttons"):
                yield Button(Content("Create"), id="create", compact=True)

    def on_mount(self) -> None:
        self.query_one("#about" if self._name else "#name", Input).focus()

    @on(Input.Submitted)
    @on(Button.Pressed)
    def _create(self) -> None:
        name = self.query_one("#name", Input).value.strip()
        if not name:
            self.query_one("#name", Input).focus()
            return
        self.dismiss(
            NewChannel(
                name=name,
                description=self.query_one("#about", Input).value.strip(),
                is_private=self.query_one("#private", Checkbox).value,
            )
        )
