"""Choosing several values by typing parts of their names. Changes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice, Search
from tui.widgets.row_styles import look_of_theme

T = TypeVar("T")


class MultiSelect(Dialog[frozenset[T]], Generic[T]):
    """A list with checkboxes. Dismissed with the chosen values: Enter ticks a line, Ctrl+S or the button
    accepts.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,ctrl+n", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("enter", "tick", "Select", priority=True),
        Binding("ctrl+s", "done", "Done", priority=True),
    ]

    def __init__(
        self, title: str, choices: Sequence[Choice[T]], *, chosen: frozenset[T] = frozenset()
    ) -> None:
        super().__init__()
        self._title = title
        self._ticked = set(chosen)
        # Values that are chosen already come first.
        self._choices = sorted(choices, key=lambda each: (each.value not in chosen, -each.weight))
        self._search = Search(self._choices)
        self._matches: list[Choice[T]] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Input(placeholder="a name", id="wanted")
            yield OptionList(id="matches", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Done", id="done", compact=True)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._show()

    @on(Input.Changed)
    def _show(self) -> None:
        self._matches = self._search.find(
            self.query_one(Input).value.strip(), most=len(self._choices)
        )
        option_list = self.query_one(OptionList)
        option_list.clear_options()
        nothing = [Option(Content("No matches."), disabled=True)]
        option_list.add_options([Option(self._line(each)) for each in self._matches] or nothing)
        option_list.highlighted = 0 if self._matches else None

    def _line(self, choice: Choice[T]) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        mark = ("✓ ", look.accent) if choice.value in self._ticked else ("  ", look.muted)
        return Content.assemble(mark, choice.label, (f"  {choice.detail}", look.muted))

    def action_move(self, lines: int) -> None:
        """Move the cursor; the text field keeps the focus."""
        option_list = self.query_one(OptionList)
        if self._matches:
            option_list.highlighted = max(
                0, min((option_list.highlighted or 0) + lines, len(self._matches) - 1)
            )

    def action_tick(self) -> None:
        """Select or unselect the line under the cursor; on the button accept."""
        if isinstance(self.focused, Button):
            self.action_done()
            return
        at = self.query_one(OptionList).highlighted
        if at is not None and self._matches:
            self._tick(at)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._tick(event.option_index)

    def _tick(self, at: int) -> None:
        choice = self._matches[at]
        self._ticked ^= {choice.value}
        option_list = self.query_one(OptionList)
        option_list.replace_option_prompt_at_index(at, self._line(choice))
        option_list.highlighted = at

    @on(Button.Pressed, "#done")
    def action_done(self) -> None:
        """Accept the chosen values."""
        self.dismiss(frozenset(self._ticked))
