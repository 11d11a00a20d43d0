"""Where messages are written: many lines, readline keys, undo. Sends nothing and stores nothing itself."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from tui import keys


class Composer(TextArea, inherit_bindings=True):
    """A text area that posts what is written instead of keeping it."""

    DEFAULT_CSS = """
    Composer {
        height: auto; min-height: 1; max-height: 10; border: none; padding: 0 1;
        background: $surface; color: $foreground;
        border-left: outer $border;
        &:focus { border-left: outer $primary; }
        & .text-area--cursor-line { background: transparent; }
        & .text-area--placeholder { color: $text-muted; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(keys.COMPOSER),
        Binding("ctrl+z", "undo", "Undo", show=False, id="composer.undo"),
        Binding("alt+b", "cursor_word_left", show=False, id="composer.word_left"),
        Binding("alt+f", "cursor_word_right", show=False, id="composer.word_right"),
        Binding("alt+d", "delete_word_right", show=False, id="composer.delete_word"),
    ]

    class Submitted(Message):
        """The person wants `text` sent. The composer keeps it until `clear_sent`."""

        def __init__(self, composer: "Composer", text: str) -> None:
            super().__init__()
            self.composer = composer
            self.text = text

        @property
        def control(self) -> "Composer":
            return self.composer

    class Left(Message):
        """The person goes back to the messages; what is written stays."""

    class CompletionRequested(Message):
        """Tab after the start of a name: `word` stands before the cursor."""

        def __init__(self, composer: "Composer", word: str) -> None:
            super().__init__()
            self.composer = composer
            self.word = word

    def __init__(self, *, enter_sends: bool, id: str | None = None) -> None:
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="focus", compact=True
        )
        self._enter_sends = enter_sends

    def set_hint(self, hint: str) -> None:
        """What an empty composer shows: where the message would go."""
        self.placeholder = Content(hint)

    def clear_sent(self) -> None:
        """What was written is safe elsewhere: begin anew."""
        self.load_text("")

    def insert_at_cursor(self, text: str) -> None:
        """Put `text` where the cursor is, as one step of undo."""
        self.insert(text)

    async def _on_key(self, event: events.Key) -> None:
        # TextArea takes Enter and Tab for itself before any binding is looked at.
        newline = event.key in ("alt+enter", "shift+enter", "ctrl+j")
        if (event.key == "enter" and self._enter_sends) or (
            newline and not self._enter_sends and event.key != "ctrl+j"
        ):
            event.stop()
            event.prevent_default()
            self.action_send()
        elif newline:
            event.stop()
            event.prevent_default()
            self.action_newline()
        else:
            await super()._on_key(event)

    def action_send(self) -> None:
        """Post what is written, if it is more than white space."""
        if self.text.strip():
            self.post_message(self.Submitted(self, self.text))

    def action_newline(self) -> None:
        """Make a new line at the cursor."""
        self.insert("\n")

    def action_leave(self) -> None:
        """Go back to the messages."""
        self.post_message(self.Left())

    def action_complete(self) -> None:
        """Ask for a completion of the word before the cursor."""
        row, column = self.cursor_location
        line = str(self.document.get_line(row))[:column]
        word = line.rsplit(maxsplit=1)[-1] if line and not line[-1].isspace() else ""
        self.post_message(self.CompletionRequested(self, word))
