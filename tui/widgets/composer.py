"""The composer: many lines, readline keys, undo. Sends and saves nothing itself."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Final

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.document._document import Document
from textual.message import Message
from textual.reactive import var
from textual.widgets import TextArea

from tui import keys
from tui.content import pasted
from tui.content.insertion import Spot, spaced
from tui.widgets.lines_field import LinesField

_COMPLETION_KEYS: Final = {
    "up": "up",
    "down": "down",
    "tab": "take",
    "enter": "take",
    "escape": "close",
}


MOST_BLINKS: Final = 20
"""Half seconds for which the cursor blinks after a key."""
REMEMBERED: Final = 50
"""Sent messages that the arrow keys bring back."""
PASTED_CHARACTERS: Final = 10_000
"""Characters of the longest message on most servers: a longer paste is asked about, whatever the setting."""


_OF_SCREEN: Final = frozenset({"ctrl+k", "f6", "f7"})
"""Keys of Textual's text area that open other places here, also while writing."""

_OWN: Final = [*keys.bindings(keys.COMPOSER), *keys.bindings(keys.EDITING)]
_TAKEN: Final = _OF_SCREEN | {own.key for own in Binding.make_bindings(_OWN)}
_OF_TEXT_AREA: Final = [
    each for each in Binding.make_bindings(TextArea.BINDINGS) if each.key not in _TAKEN
]


class Composer(LinesField, inherit_bindings=False):
    """A text area that posts its text instead of keeping it."""

    DEFAULT_CSS = """
    Composer {
        height: auto; min-height: 1; max-height: 10; max-width: 106; border: none; padding: 0 1 0 2;
        background: $surface; color: $foreground;
        &.-textual-compact { border-left: outer $surface !important; }
        &.-textual-compact:focus { border-left: outer $primary !important; }
        & .text-area--cursor-line { background: transparent; }
        & .text-area--placeholder { color: $text-muted; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*_OWN, *_OF_TEXT_AREA]

    class Submitted(Message):
        """Posted when the user sends `text`; the receiver calls `settle`, sent or not."""

        def __init__(self, composer: "Composer", text: str) -> None:
            super().__init__()
            self.composer = composer
            self.text = text

    class Left(Message):
        """Posted when the user returns to the messages; the draft stays."""

    class EditorRequested(Message):
        """Posted when the user wants to edit the draft in an external editor."""

    class PreviewTurned(Message):
        """Posted when the user scrolls the preview, by so many pages down."""

        def __init__(self, pages: int) -> None:
            super().__init__()
            self.pages = pages

    class Pasted(Message):
        """Posted after a paste of `text` before the cursor; `left_out` control characters were removed."""

        def __init__(self, text: str, left_out: int) -> None:
            super().__init__()
            self.text = text
            self.left_out = left_out

    class PastedMuch(Message):
        """Posted for a paste so large that the user is asked how to insert it. The draft is unchanged yet."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class ImageWanted(Message):
        """Posted when the paste key is pressed while there is no text to paste."""

    class CompletionKey(Message):
        """Posted for a key of the list of completions: `up`, `down`, `take` or `close`."""

        def __init__(self, composer: "Composer", what: str) -> None:
            super().__init__()
            self.composer = composer
            self.what = what

    is_completing: var[bool] = var(False, init=False, bindings=True)
    """Whether completions are shown, which then get the keys that move and choose."""
    is_editing: var[bool] = var(False, init=False, bindings=True)
    """Whether the text is that of a sent message."""

    @property
    def hint_labels(self) -> Mapping[str, str]:
        """What the keys do while something other than a new message is in progress."""
        if self.is_completing:
            takes = {"send": "Complete"} if "enter" in self._send_keys else {}
            return takes | {"leave": "Close"}
        return {"send": "Save", "leave": "Cancel"} if self.is_editing else {}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="focus", compact=True
        )
        self._send_keys = self._newline_keys = frozenset[str]()
        self.use_keys({})
        self._submitted: list[str] = []
        self._written: list[str] = []
        self._recalled: int | None = None
        """The index in `_written` of the text shown again, while it is unchanged."""
        self._killed = ""
        """The text that was cut last, for `yank`."""
        self._takes_back: tuple[str, Callable[[], None]] | None = None
        self.most_lines = 0
        """Pastes of so many lines are asked about; 0: never."""

    def use_keys(self, keymap: Mapping[str, str]) -> None:
        """Set the keys for sending and for a new line, by the IDs of their actions."""
        send, newline = keys.COMPOSER[:2]
        self._send_keys = frozenset(keymap.get(send.id, send.keys).split(","))
        self._newline_keys = frozenset(keymap.get(newline.id, newline.keys).split(","))

    def set_hint(self, hint: str) -> None:
        """Set the placeholder: the destination of the message."""
        self.placeholder = Content(hint)

    @property
    def whole(self) -> str:
        """The whole text: what was submitted and is not settled, and what comes after it."""
        return "\n".join([*self._submitted, self.text] if self.text else self._submitted)

    def settle(self, text: str, *, sent: bool) -> None:
        """End a submission: its text was `sent`, or it is inserted again."""
        self._submitted.remove(text)
        if not sent:
            self.load_text(f"{text}\n{self.text}" if self.text else text)
            self.move_cursor(self.document.end)

    _blinked = 0

    def _toggle_cursor_blink_visible(self) -> None:
        """Stop blinking after a while without keys, so that an idle client draws nothing."""
        self._blinked += 1
        if self._blinked < MOST_BLINKS:
            super()._toggle_cursor_blink_visible()
        else:
            self._pause_blink(visible=True)

    def _restart_blink(self) -> None:
        self._blinked = 0
        super()._restart_blink()

    def clear_sent(self, text: str) -> None:
        """Remove text that is saved elsewhere; what was typed since stays."""
        if self.text.startswith(text):
            self.load_text(self.text[len(text) :])
            self.move_cursor(self.document.end)

    def insert_at_cursor(self, text: str) -> None:
        """Insert `text` at the cursor, as one step of undo."""
        self.insert(text)

    @property
    def _lines(self) -> Document:
        assert isinstance(self.document, Document)
        return self.document

    @property
    def spot(self) -> Spot:
        """The position of the cursor."""
        return Spot(self.text, self._lines.get_index_from_location(self.cursor_location))

    def insert_at(self, spot: Spot, text: str) -> None:
        """Insert a word at an earlier position, as one step of undo.

        If nothing changed since, the cursor goes behind it; otherwise it keeps its place in the text.
        """
        here, now = self.spot, self.text
        at = spot.within(now)
        inserted = spaced(text, now, at)
        stays = here.offset < at or (here.offset == at and spot != here)
        place = self._lines.get_location_from_index(at)
        self.replace(inserted, place, place)
        offset = here.offset + (0 if stays else len(inserted))
        self.move_cursor(self._lines.get_location_from_index(offset))

    def put_aside(self, text: str) -> None:
        """Save text that was not pasted after all, or in another form, for the key that inserts cut text."""
        self._killed = text

    def undo_means(self, take_back: Callable[[], None] | None) -> None:
        """Let undo call `take_back` as long as nothing changes; None: as usual."""
        self._takes_back = None if take_back is None else (self.text, take_back)

    def replace_all(self, text: str) -> None:
        """Replace the whole text, as one step of undo."""
        self.replace(text, self.document.start, self.document.end)

    @property
    def before_cursor(self) -> str:
        """The line up to the cursor."""
        row, column = self.cursor_location
        return str(self.document.get_line(row))[:column]

    @property
    def before_selection(self) -> str:
        """The line up to the position of a paste."""
        row, column = min(self.selection)
        return str(self.document.get_line(row))[:column]

    def take_out(self, text: str) -> None:
        """Remove `text` if it stands right before the cursor."""
        before = self.get_text_range(self.document.start, self.cursor_location)
        if before.endswith(text):
            kept = before[: len(before) - len(text)]
            row = kept.count("\n")
            self.replace("", (row, len(kept.rpartition("\n")[2])), self.cursor_location)

    def complete(self, text: str, replaces: int) -> None:
        """Replace the last characters before the cursor by `text`."""
        row, column = self.cursor_location
        self.replace(text, (row, max(0, column - replaces)), (row, column))

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        text, left_out = pasted.fit(event.text)
        is_long = 0 < self.most_lines <= pasted.count_lines(text)
        if is_long or len(text) > PASTED_CHARACTERS:
            self.post_message(self.PastedMuch(event.text))
        elif text:
            self.put_in(text)
            self.post_message(self.Pasted(text, left_out))

    def action_paste(self) -> None:
        """Paste text that was copied here; without any, the image in the terminal's clipboard."""
        if self.app.clipboard:
            super().action_paste()
        else:
            self.post_message(self.ImageWanted())

    async def _on_key(self, event: events.Key) -> None:
        if self.is_completing and event.key in _COMPLETION_KEYS:
            event.stop()
            event.prevent_default()
            self.post_message(self.CompletionKey(self, _COMPLETION_KEYS[event.key]))
            return
        if event.key in ("tab", "shift+tab") and self.text:
            # The next keys belong here; elsewhere they would be commands.
            event.stop()
            event.prevent_default()
            return
        # TextArea handles Enter and Tab before any binding.
        if event.key in self._send_keys:
            event.stop()
            event.prevent_default()
            self.action_send()
        elif event.key in self._newline_keys:
            event.stop()
            event.prevent_default()
            self.action_newline()
        else:
            await super()._on_key(event)

    # As in a shell: the arrow keys bring back sent messages while nothing else is written.

    def action_cursor_up(self, select: bool = False) -> None:
        at = self._remembered()
        if select or at is None or at == 0:
            super().action_cursor_up(select)
        else:
            self._recall(at - 1)

    def action_cursor_down(self, select: bool = False) -> None:
        at = self._remembered()
        if select or at is None or at == len(self._written):
            super().action_cursor_down(select)
        else:
            self._recall(at + 1)

    def _remembered(self) -> int | None:
        """Return the shown text's index among the sent ones: past the end if empty; None for others."""
        if not self.text:
            return len(self._written)
        at = self._recalled
        return at if at is not None and self._written[at] == self.text else None

    def _recall(self, at: int) -> None:
        self._recalled = at if at < len(self._written) else None
        self.replace_all("" if self._recalled is None else self._written[at])
        self.move_cursor(self.document.end)

    # As in a shell: text cut with a key can be inserted elsewhere.

    def action_delete_word_left(self) -> None:
        with self._killing():
            super().action_delete_word_left()

    def action_delete_word_right(self) -> None:
        with self._killing():
            super().action_delete_word_right()

    def action_delete_to_start_of_line(self) -> None:
        row, column = self.cursor_location
        start = (row, 0) if column else self.get_cursor_left_location()
        with self._killing():
            self.delete(start, (row, column))

    def action_delete_to_end_of_line(self) -> None:
        row, column = self.cursor_location
        line_end = (row, len(self.document.get_line(row)))
        end = line_end if column < line_end[1] else self.get_cursor_right_location()
        with self._killing():
            self.delete((row, column), end)

    def action_clear(self) -> None:
        """Cut the whole text."""
        self.move_cursor(self.document.end)
        with self._killing():
            self.replace_all("")

    @contextmanager
    def _killing(self) -> Iterator[None]:
        self.history.checkpoint()  # one step of undo each
        before = self.text
        yield
        at = len(self.get_text_range(self.document.start, self.cursor_location))
        cut = before[at : at + len(before) - len(self.text)]
        self._killed = cut or self._killed

    def action_cursor_to_start(self) -> None:
        """Move to the start of the text."""
        self.move_cursor((0, 0))

    def action_cursor_to_end(self) -> None:
        """Move to the end of the text."""
        self.move_cursor(self.document.end)

    def action_yank(self) -> None:
        """Insert the text that was cut last."""
        self.put_in(self._killed)

    def action_undo(self) -> None:
        """Undo a change; with none left, leave the key to the screen."""
        was, take_back = self._takes_back or ("", None)
        self._takes_back = None
        if take_back is not None and was == self.text:
            take_back()
            return
        if not self.history.undo_stack:
            raise SkipAction
        self.undo()

    def action_send(self) -> None:
        """Post the text, unless it is only white space."""
        text = self.text
        if text.strip():
            # At once: the next keys belong to the next message.
            self._submitted.append(text)
            self._written = [*(each for each in self._written if each != text), text][-REMEMBERED:]
            self._recalled = None
            self.load_text("")
            self.post_message(self.Submitted(self, text))

    def action_newline(self) -> None:
        """Insert a new line at the cursor."""
        self.insert("\n")

    def action_leave(self) -> None:
        """Return to the messages."""
        self.post_message(self.Left())

    def action_turn_preview(self, pages: int) -> None:
        """Scroll the preview."""
        self.post_message(self.PreviewTurned(pages))

    def action_editor(self) -> None:
        """Edit the draft in an external editor."""
        self.post_message(self.EditorRequested())
