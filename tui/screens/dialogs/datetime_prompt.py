"""A prompt for a time in the future, in words; shows the time that they mean."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from tui.dataclass import dataclass
from tui.screens.dialogs.base import Dialog
from tui.view.parse_datetime import HINT, parse_moment, usual
from tui.view.times import Times


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A time in UNIX seconds, with a note where the prompt asks for one."""

    at: float
    note: str = ""


class MomentPrompt(Dialog[Moment]):
    """A prompt for a time. Dismissed with a time in the future."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "OK", priority=True),
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Previous field", show=False),
    ]

    def __init__(
        self,
        title: str,
        *,
        times: Times,
        clock: Callable[[], float],
        longest_note: int = 0,
    ) -> None:
        """`longest_note` above 0 asks for a note of up to so many characters."""
        super().__init__()
        self._title = title
        self._times = times
        self._clock = clock
        self._longest_note = longest_note
        self._usual = usual(clock(), times.zone)

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Input(placeholder=HINT, id="when")
            if self._longest_note:
                yield Label("Note")
                yield Input(id="note", max_length=self._longest_note)
            yield Static(classes="hint", id="meant", markup=False)
            yield OptionList(
                *(Option(self._line(text)) for text in self._usual), id="usual", markup=False
            )

    def on_mount(self) -> None:
        self.query_one("#when", Input).focus()
        self.query_one(OptionList).highlighted = None
        self._say("")

    def _line(self, text: str) -> Content:
        return Content(f"{text:<14} {self._description(text)}")

    def _description(self, text: str) -> str:
        """Return the time that the words mean, or why they mean none; "" for no words."""
        at = parse_moment(text, self._clock(), self._times.zone)
        if at is None:
            return ""
        when = f"{self._times.local(at):%A}, {self._times.moment(at)}"
        return when if at > self._clock() else f"In the past: {when}"

    @on(Input.Changed, "#when")
    def _changed(self, event: Input.Changed) -> None:
        self._say(event.value)

    def _say(self, text: str) -> None:
        label = self._description(text) or (
            "Enter a time, or pick one:"
            if not text.strip()
            else "Not a time. Type, for example, tomorrow 9 or +2h."
        )
        self.query_one("#meant", Static).update(Content(label))

    def action_accept(self) -> None:
        """Accept the suggested time under the cursor, or the one that was typed."""
        usual = self.query_one(OptionList)
        if usual.has_focus and usual.highlighted is not None:
            self._take(self._usual[usual.highlighted])
        else:
            self._take(self.query_one("#when", Input).value)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._take(self._usual[event.option_index])

    def _take(self, text: str) -> None:
        at = parse_moment(text, self._clock(), self._times.zone)
        if at is None or at <= self._clock():
            self.query_one("#when", Input).focus()
            return
        note = self.query_one("#note", Input).value.strip() if self._longest_note else ""
        self.dismiss(Moment(at=at, note=note))
