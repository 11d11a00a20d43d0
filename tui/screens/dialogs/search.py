"""The search prompt: completes operators while typing; earlier searches before that."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.dialogs.base import Dialog
from tui.view.completions import Completion
from tui.widgets.columns import column
from tui.widgets.completion_list import completion_line
from tui.widgets.line_input import LineInput
from tui.widgets.row_styles import look_of_theme


class SearchPrompt(Dialog[str]):
    """Dismissed with the search. Tab accepts a proposal; Enter too, once one was selected with the arrows."""

    CSS = f"""{Dialog.CSS}
    SearchPrompt > .card {{ width: 76; }}
    SearchPrompt #trouble {{ color: $text-error; height: auto; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,ctrl+n", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("tab", "take", "Complete", priority=True),
        Binding("enter", "search", "Search", priority=True),
    ]

    def __init__(
        self,
        propose: Callable[[str], Sequence[Completion]],
        trouble: Callable[[str], str],
        *,
        earlier: Sequence[str] = (),
    ) -> None:
        """`earlier` are whole searches, likeliest first; `trouble` returns the error of a search, "" for a
        valid one.
        """
        super().__init__()
        self._propose = propose
        self._trouble = trouble
        self._earlier = [
            Completion(label=text, detail="", text=text, replaces=0) for text in earlier
        ]
        self._offered: Sequence[Completion] = ()

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static("Search", classes="title")
            yield LineInput(placeholder="words, or sender: channel: topic: is: has:", id="wanted")
            yield OptionList(id="matches", markup=False)
            yield Static(id="trouble")

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._offer("")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self.query_one("#trouble", Static).update(Content(""))
        self._offer(event.value[: event.input.cursor_position] if event.value else "")

    def _offer(self, before: str) -> None:
        proposed = self._propose(before)
        self._offered = proposed if before else [*self._earlier, *proposed]
        option_list = self.query_one(OptionList)
        option_list.clear_options()
        muted = look_of_theme(self.app.theme_variables, "surface").muted
        width = column(each.label for each in self._offered if each.detail)
        option_list.add_options(
            Option(completion_line(each, width, muted)) for each in self._offered
        )
        option_list.highlighted = None
        option_list.display = bool(self._offered)

    def action_move(self, lines: int) -> None:
        """Select a proposal; the text field keeps the focus."""
        option_list = self.query_one(OptionList)
        if self._offered:
            at = option_list.highlighted
            option_list.highlighted = 0 if at is None else (at + lines) % len(self._offered)

    def action_take(self) -> None:
        """Accept the selected proposal, or else the first."""
        if self._offered:
            self._take(self._offered[self.query_one(OptionList).highlighted or 0])

    def _take(self, completion: Completion) -> None:
        field = self.query_one(Input)
        cursor = field.cursor_position
        start = cursor - completion.replaces
        field.value = field.value[:start] + completion.text + field.value[cursor:].lstrip()
        field.cursor_position = start + len(completion.text)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._take(self._offered[event.option_index])

    def action_search(self) -> None:
        """Search for the typed text; a selected proposal is accepted first."""
        if self.query_one(OptionList).highlighted is not None:
            self.action_take()
            return
        query = self.query_one(Input).value
        trouble = self._trouble(query)
        self.query_one("#trouble", Static).update(Content(trouble))
        if not trouble:
            self.dismiss(query)
