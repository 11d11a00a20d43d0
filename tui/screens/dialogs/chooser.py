"""Choosing one of many by typing parts of its name: places, emoji, links, channels."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import ClassVar, Final, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice, Search, bare
from tui.view import fuzzy
from tui.widgets.columns import GAP, blanks, widest
from tui.widgets.row_styles import RowStyles, look_of_theme

T = TypeVar("T")

WIDEST_CARD: Final = 110
"""Cells of a card whose lines are too long for that of other dialogs."""
_TEXT_WIDTH: Final = 64 - 7
"""Cells of a line in that: without the card's margins, the list's, and the scrollbar."""


class Chooser(Dialog[T], Generic[T]):
    """Dismissed with the value of the choice.

    Names, keys and details stand in columns. Where details are too long for their column, the one
    of the line under the cursor is told in full below.
    """

    CSS = f"""{Dialog.CSS}
    Chooser > .card.long {{ width: 95vw; max-width: {WIDEST_CARD}; max-height: 100%; }}
    Chooser OptionList {{ max-height: 100%; }}
    Chooser #about {{ height: 2; margin-top: 1; color: $text-muted; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose", priority=True),
        Binding("down,ctrl+n,ctrl+j", "move(1)", "Next", show=False, priority=True),
        Binding("up,ctrl+k", "move(-1)", "Previous", show=False, priority=True),
        Binding("pagedown", "move(10)", "Page down", show=False, priority=True),
        Binding("pageup", "move(-10)", "Page up", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[T]],
        *,
        hint: str,
        nothing: str = "No matches.",
        made_of: Callable[[str], T | None] | None = None,
        made: str = "new",
        at: int = 0,
    ) -> None:
        """`made_of` answers a value for text that is no choice's name, which is then offered as `made`.

        The cursor begins on line `at`.
        """
        super().__init__()
        self._title = title
        self._choices = sorted(choices, key=lambda choice: -choice.weight)
        self._index = Search(self._choices)
        self._hint = hint
        self._nothing = nothing
        self._made_of = made_of
        self._made = made
        self._at = at
        self._matches: list[Choice[T]] = []
        self._rows: list[Choice[T] | None] = []
        """What each line stands for; None for headings."""
        name, key = _columns(choices)
        self._has_long = any(_size(choice, name, key) > _TEXT_WIDTH for choice in choices)

    def compose(self) -> ComposeResult:
        with Vertical(classes="card long" if self._has_long else "card"):
            yield Static(Content(self._title), classes="title")
            yield Input(placeholder=self._hint, id="wanted")
            yield OptionList(id="matches", markup=False)
            if self._has_long:
                yield Static(id="about", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._search("")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._search(event.value.strip())

    def offer(self, choices: Sequence[Choice[T]]) -> None:
        """There are others now; what was typed stays, and the cursor on its line."""
        self._choices = sorted(choices, key=lambda choice: -choice.weight)
        self._index = Search(self._choices)
        if not self.is_open:
            return
        shown = self.query_one(OptionList)
        at = shown.highlighted
        row = self._row(at) if at else None
        self._search(self.query_one(Input).value.strip())
        same = (i for i, each in enumerate(self._rows) if each and row and each.label == row.label)
        shown.highlighted = next(same, shown.highlighted)

    def _search(self, wanted: str) -> None:
        self._matches = self._index.find(wanted)
        if wanted and self._made_of is not None and not self._is_known(wanted):
            new_value = self._made_of(wanted)
            if new_value is not None:
                self._matches.append(
                    Choice(value=new_value, label=sanitize_line(wanted), detail=self._made)
                )
        name, key = _columns(self._matches)
        look = look_of_theme(self.app.theme_variables, "surface")
        options: list[Option] = []
        self._rows = []
        for before, choice in pairwise([None, *self._matches]):
            assert choice is not None
            if choice.heading and not wanted and (not before or before.heading != choice.heading):
                options.append(Option(Content.styled(choice.heading, look.accent), disabled=True))
                self._rows.append(None)
            options.append(Option(self._line(choice, wanted, name, key)))
            self._rows.append(choice)
        shown = self.query_one(OptionList)
        shown.clear_options()
        shown.add_options(options or [Option(Content(self._nothing), disabled=True)])
        first = 0 if wanted else min(self._at, len(self._matches) - 1)
        shown.highlighted = self._choosable[first] if self._matches else None
        self._fit()
        if not self._matches:
            self._tell("")

    def on_resize(self) -> None:
        """As many lines as there is room for, and no more than there are."""
        self._fit()

    def _fit(self) -> None:
        shown = self.query_one(OptionList)
        room = self.app.size.height * (50 if self._has_long else 60) // 100
        shown.styles.height = max(1, min(shown.option_count, room))

    @property
    def _choosable(self) -> list[int]:
        """The lines that are no headings."""
        return [at for at, row in enumerate(self._rows) if row is not None]

    def _row(self, at: int | None) -> Choice[T] | None:
        return self._rows[at] if at is not None and at < len(self._rows) else None

    def _is_known(self, wanted: str) -> bool:
        folded = wanted.casefold()
        return any(choice.folded == folded for choice in self._choices)

    def _line(self, choice: Choice[T], wanted: str, name: int, key: int) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        label = Content(choice.label)
        for at in fuzzy.spots(bare(wanted), choice.label) if wanted else ():
            label = label.stylize(Style(bold=True, underline=True), at, at + 1)
        indent = Content("  " if choice.heading and not wanted else "")
        parts: list[Content | tuple[str, Style]] = [indent, swatch(choice, look), label]
        if choice.about:
            parts.append((blanks(choice.label, name), look.muted))
        if key:
            parts.append((choice.keys + blanks(choice.keys, key), look.accent))
        return Content.assemble(*parts, (choice.detail, look.muted))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        # Where the cursor is by now: since the event was sent, there may be fewer lines.
        row = self._row(self.query_one(OptionList).highlighted)
        self._tell(row.detail if row is not None else "")

    def _tell(self, detail: str) -> None:
        for about in self.query("#about").results(Static):
            about.update(Content(detail), layout=False)  # its height is that of its rule

    def action_move(self, lines: int) -> None:
        """Move the cursor; the text field keeps the focus."""
        shown = self.query_one(OptionList)
        if lines_there := self._choosable:
            at = bisect_left(lines_there, shown.highlighted or 0) + lines
            shown.highlighted = lines_there[max(0, min(at, len(lines_there) - 1))]
            if shown.highlighted == lines_there[0]:
                shown.scroll_home(animate=False)  # with the heading above it

    def action_choose(self) -> None:
        """Take the line under the cursor."""
        row = self._row(self.query_one(OptionList).highlighted)
        if row is not None:
            self.dismiss(row.value)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        row = self._row(event.option_index)
        if row is not None:
            self.dismiss(row.value)


def _columns(choices: Sequence[Choice[T]]) -> tuple[int, int]:
    """The cells of the column of names and of that of keys."""
    named = (each.sizes[0] for each in choices if each.keys or each.detail)
    return widest(named), widest(each.sizes[1] for each in choices)


def _size(choice: Choice[T], name: int, key: int) -> int:
    """The cells of a line."""
    label, keys, detail = choice.sizes
    return max(label, name) + max(keys, key) + detail + 2 * GAP


def swatch(choice: Choice[T], look: RowStyles) -> Content:
    """A square of the choice's color, if it has one."""
    return Content.styled("■ ", look.channel(choice.color)) if choice.color else Content("")
