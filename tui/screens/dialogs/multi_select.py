"""Choosing several values by typing parts of their names. Changes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Button, Input, Static

from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice, Search
from tui.widgets.choice_list import ChoiceList, Part
from tui.widgets.line_input import LineInput
from tui.widgets.row_styles import look_of_theme

T = TypeVar("T")

MOST_LINES: Final = 16
"""Lines on screen at once, at most."""


class MultiSelect(Dialog[frozenset[T]], Generic[T]):
    """A list with checkboxes. Dismissed with the chosen values: Enter ticks a line, Ctrl+S or the button
    accepts.

    After a tick, the next letter begins a new search.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,ctrl+n", "move(1)", "Next", show=False, priority=True),
        Binding("up", "move(-1)", "Previous", show=False, priority=True),
        Binding("enter", "tick", "Select", priority=True),
        Binding("ctrl+s", "done", "Done", priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[T]],
        *,
        chosen: frozenset[T] = frozenset(),
        text: str = "",
    ) -> None:
        """`text` was typed already."""
        super().__init__()
        self._title = title
        self._text = text
        self._ticked = set(chosen)
        # Values that are chosen already come first.
        self._choices = sorted(choices, key=lambda each: (each.value not in chosen, -each.weight))
        self._search = Search(self._choices)
        self._matches: list[Choice[T]] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield LineInput(self._text, placeholder="a name", id="wanted", select_on_focus=False)
            yield ChoiceList(id="matches")
            with Horizontal(classes="buttons"):
                yield Button("Done", id="done", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._show()

    @on(Input.Changed)
    def _show(self) -> None:
        query = self.query_one(Input).value.strip()
        self._matches = self._search.find(query, most=len(self._choices))
        self._draw(0)

    def _draw(self, at: int) -> None:
        """Draw the lines, with the cursor on this one."""
        choice_list, count = self.query_one(ChoiceList), len(self._matches)
        choice_list.styles.height = max(1, min(count, MOST_LINES))
        choice_list.show(count, self._line, at=at)

    def _line(self, at: int) -> Sequence[Part]:
        look = look_of_theme(self.app.theme_variables, "surface")
        if not self._matches:
            return [("No matches.", look.muted)]
        choice = self._matches[at]
        mark = ("✓ ", look.accent) if choice.value in self._ticked else ("  ", look.muted)
        return [mark, (choice.label, Style()), (f"  {choice.detail}", look.muted)]

    def action_move(self, lines: int) -> None:
        """Move the cursor; the text field keeps the focus."""
        self.query_one(ChoiceList).action_move(lines)

    def action_tick(self) -> None:
        """Select or unselect the line under the cursor; on the button accept."""
        at = self.query_one(ChoiceList).cursor
        if isinstance(self.focused, Button):
            self.action_done()
        elif at is not None:
            self._tick(at)

    @on(ChoiceList.Chosen)
    def _clicked(self, event: ChoiceList.Chosen) -> None:
        self._tick(event.index)

    def _tick(self, at: int) -> None:
        self._ticked ^= {self._matches[at].value}
        self._draw(at)
        self.query_one(Input).select_all()

    @on(Button.Pressed, "#done")
    def action_done(self) -> None:
        """Accept the chosen values."""
        self.dismiss(frozenset(self._ticked))
