"""An editor of several lines of text, with an optional title. Saves nothing itself."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Label, Static, TextArea

from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.screens.dialogs.base import Dialog
from tui.widgets.lines_field import LinesField


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledText:
    """The text, with its title if there is one."""

    title: str
    text: str


class TextDialog(Dialog[bool]):
    """Dismissed with True after `submit` succeeded; its TuiError is shown, and the text stays.

    The text is never empty; `submit` is not called if nothing was changed.
    """

    CSS = f"""{Dialog.CSS}
    TextDialog TextArea {{ height: 8; border: none; padding: 0 1; background: $background; }}
    TextDialog TextArea:focus {{ border: none; }}
    TextDialog Label {{ margin-top: 1; }}
    TextDialog #trouble {{ height: auto; color: $text-error; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "save", "Save", priority=True)]

    def __init__(
        self,
        heading: str,
        written: TitledText,
        *,
        submit: Callable[[TitledText], Awaitable[None]],
        longest_title: int = 0,
    ) -> None:
        """`longest_title` above 0 asks for a title of up to so many characters as well."""
        super().__init__()
        self._submit = submit
        self._is_sending = False
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
            yield Static(id="trouble", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no", compact=True)
                yield Button("Save", id="yes", compact=True)

    def on_mount(self) -> None:
        first = self._longest_title and not self._written.title
        (self.query_one(Input) if first else self.query_one(TextArea)).focus()

    @on(Input.Submitted)
    @on(Button.Pressed, "#yes")
    def action_save(self) -> None:
        """Send the text, or focus the field that is empty; ignored while it is being sent already."""
        text = self.query_one(TextArea).text.strip()
        title = self.query_one(Input).value.strip() if self._longest_title else ""
        if self._longest_title and not title:
            self.query_one(Input).focus()
        elif not text:
            self.query_one(TextArea).focus()
        elif not self._is_sending:
            self._is_sending = True
            self._send(TitledText(title=title, text=text))

    @work(group="send")
    async def _send(self, written: TitledText) -> None:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content("…"))
        try:
            if written != self._written:
                await self._submit(written)
        except TuiError as error:
            trouble.update(Content(sanitize_line(str(error))))
        else:
            self.dismiss(True)
        finally:
            self._is_sending = False

    @on(Button.Pressed, "#no")
    def _not_done(self) -> None:
        self.dismiss(None)
