"""An editor of several lines of text, with an optional title. Saves nothing itself."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Label, Static, TextArea

from tui.dataclass import dataclass
from tui.screens.dialogs.base import Dialog
from tui.widgets.lines_field import LinesField


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledText:
    """The text, with its title if there is one."""

    title: str
    text: str


class TextDialog(Dialog[TitledText]):
    """Dismissed with the changed text; never with an empty one."""

    CSS = f"""{Dialog.CSS}
    TextDialog TextArea {{ height: 8; border: none; padding: 0 1; background: $background; }}
    TextDialog TextArea:focus {{ border: none; }}
    TextDialog Label {{ margin-top: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "save", "Save", priority=True)]

    def __init__(self, heading: str, written: TitledText, *, longest_title: int = 0) -> None:
        """`longest_title` above 0 asks for a title of up to so many characters as well."""
        super().__init__()
        self._heading = heading
        self._written = written
        self._longest_title = longest_title

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._heading), classes="title")
            if self._longest_title:
                yield Label("Title")
                yield Input(self._written.title, id="name", max_length=self._longest_title)
                yield Label("Text")
            yield LinesField(self._written.text, soft_wrap=True, compact=True, tab_behavior="focus")
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no", compact=True)
                yield Button("Save", id="yes", compact=True)

    def on_mount(self) -> None:
        first = self._longest_title and not self._written.title
        (self.query_one(Input) if first else self.query_one(TextArea)).focus()

    @on(Input.Submitted)
    @on(Button.Pressed, "#yes")
    def action_save(self) -> None:
        """Accept the text, or focus the field that is empty."""
        text = self.query_one(TextArea).text.strip()
        title = self.query_one(Input).value.strip() if self._longest_title else ""
        if self._longest_title and not title:
            self.query_one(Input).focus()
        elif not text:
            self.query_one(TextArea).focus()
        else:
            self.dismiss(TitledText(title=title, text=text))

    @on(Button.Pressed, "#no")
    def _not_done(self) -> None:
        self.dismiss(None)
