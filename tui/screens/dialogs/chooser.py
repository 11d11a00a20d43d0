"""Choosing from a list by typing parts of a name: places, emoji, links, channels."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import ClassVar, Final, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, Static

from tui.content.sanitize import sanitize_line
from tui.frames import runs
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import MOST, Choice, Search, bare, columns, size, spaced
from tui.view import fuzzy
from tui.widgets.choice_list import ChoiceList, Part
from tui.widgets.columns import blanks
from tui.widgets.line_input import LineInput
from tui.widgets.row_styles import RowStyles, look_of_theme

T = TypeVar("T")

WIDEST_CARD: Final = 110
"""Cells of a card whose lines are too long for the width of other dialogs."""
SQUARE: Final = "■ "
PLAIN: Final = Style()
MATCHED: Final = Style(bold=True, underline=True)
"""The style of letters that match the query."""
_TEXT_WIDTH: Final = 64 - 7
"""Cells of a line in such a card: without the card's margins, the list's, and the scrollbar."""


class Chooser(Dialog[T], Generic[T]):
    """A list with a search. Dismissed with the value of the choice.

    Names, keys and details stand in columns. A detail that is too long for its column is shown in full below
    while the cursor is on its line.
    """

    CSS = f"""{Dialog.CSS}
    Chooser > .card.long {{ width: 95vw; max-width: {WIDEST_CARD}; max-height: 100%; }}
    Chooser OptionList {{ max-height: 100% !important; }}
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
        choices: Sequence[Choice[T]] | Search[T],
        *,
        hint: str,
        nothing: str = "No matches.",
        made_of: Callable[[str], T | None] | None = None,
        new_detail: str = "new",
        at: int = 0,
        text: str = "",
    ) -> None:
        """`made_of` returns a value for text that is no choice's name, which is then offered as `made`.

        The cursor begins on line `at`. `text` was typed already.
        """
        super().__init__()
        self._title = title
        self._index = choices if isinstance(choices, Search) else Search(choices)
        self._hint = hint
        self._nothing = nothing
        self._made_of = made_of
        self._new_detail = new_detail
        self._at = at
        self._text = text
        self._matches: list[Choice[T]] = []
        self._rows: list[Choice[T] | None] = []
        """The choice of each line; None for headings, and for the sentence that not all are shown."""
        self._widths = (0, 0)
        self._has_long = self._index.is_wider_than(_TEXT_WIDTH)

    def compose(self) -> ComposeResult:
        with Vertical(classes="card long" if self._has_long else "card"):
            yield Static(Content(self._title), classes="title")
            yield LineInput(self._text, placeholder=self._hint, id="wanted", select_on_focus=False)
            yield ChoiceList(id="matches")
            if self._has_long:
                yield Static(id="about", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._search(self._text)

    def on_unmount(self) -> None:
        """Drop thousands of choices: a connection that was opened meanwhile keeps the closed dialog."""
        self._index.rest()
        self._index, self._matches, self._rows = Search(()), [], []

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._search(event.value.strip())

    def offer(
        self,
        choices: Sequence[Choice[T]] | Search[T],
        *,
        made_of: Callable[[str], T | None] | None = None,
    ) -> None:
        """Replace the choices; the query stays, and the cursor stays on its line.

        `made_of` replaces the constructor's.
        """
        before = self._index, self._made_of
        self._made_of = made_of or self._made_of
        self._index = choices if isinstance(choices, Search) else Search(choices)
        if not self.is_open or before == (self._index, self._made_of):
            return
        choice_list = self.query_one(ChoiceList)
        row = self._row(choice_list.cursor) if choice_list.cursor else None
        self._search(self.query_one(Input).value.strip())
        same = (i for i, each in enumerate(self._rows) if each and row and each.label == row.label)
        choice_list.cursor = next(same, choice_list.cursor)

    def _search(self, query: str) -> None:
        best = self._index.find(query, most=MOST + 1)
        self._matches = best[:MOST]
        if query and self._made_of is not None:
            new_value = self._made_of(query)
            if new_value is not None and not self._index.has(query):
                self._matches.append(
                    Choice(value=new_value, label=sanitize_line(query), detail=self._new_detail)
                )
        look = look_of_theme(self.app.theme_variables, "surface")
        self._rows = []
        headings: dict[int, str] = {}
        for before, choice in pairwise([None, *self._matches]):
            assert choice is not None
            if choice.heading and not query and (not before or before.heading != choice.heading):
                headings[len(self._rows)] = choice.heading
                self._rows.append(None)
            self._rows.append(choice)
        notes = dict.fromkeys(headings, look.accent)
        if len(best) > MOST:
            headings[len(self._rows)] = _more(query)
            notes[len(self._rows)] = look.muted
            self._rows.append(None)
        first = 0 if query else min(self._at, len(self._matches) - 1)
        name, key = self._widths = columns(self._matches)
        wanted = spaced(bare(query))

        def draw(at: int) -> Sequence[Part]:
            choice = self._row(at)
            if choice is None:
                return [(headings[at], notes[at]) if headings else (self._nothing, look.muted)]
            return _line(choice, wanted, look, name, key)

        self.query_one(ChoiceList).show(
            len(self._rows),
            draw,
            at=self._choosable[first] if self._matches else None,
            fixed=headings.keys(),
        )
        self._fit()
        if not query:
            self.call_after_refresh(self._prepare)

    def _prepare(self) -> None:
        """Make what a search needs once the list is on screen, so that the first letter does not wait for it."""
        self._index.prepare()

    def on_resize(self) -> None:
        """Show as many lines as fit, at most as many as there are."""
        self._fit()
        self.call_after_refresh(self._moved)

    def _fit(self) -> None:
        room = self.app.size.height * (50 if self._has_long else 60) // 100
        self.query_one(ChoiceList).take_rows(room)

    @property
    def _choosable(self) -> list[int]:
        """The indexes of the lines that are not headings."""
        return [at for at, row in enumerate(self._rows) if row is not None]

    def _row(self, at: int | None) -> Choice[T] | None:
        return self._rows[at] if at is not None and at < len(self._rows) else None

    @on(ChoiceList.Moved)
    def _moved(self) -> None:
        if not self.query(ChoiceList):  # called later, when the dialog may be gone
            return
        choice_list = self.query_one(ChoiceList)
        row = self._row(choice_list.cursor)
        is_cut = row is not None and size(row, *self._widths) > choice_list.size.width
        detail = Content(row.detail if row is not None and is_cut else "")
        for about in self.query("#about").results(Static):
            if about.content != detail:
                about.update(detail, layout=False)  # its height is fixed by its rule

    def action_move(self, lines: int) -> None:
        """Move the cursor; the text field keeps the focus."""
        self.query_one(ChoiceList).action_move(lines)

    def action_choose(self) -> None:
        """Choose the line under the cursor."""
        self._take(self.query_one(ChoiceList).cursor)

    @on(ChoiceList.Chosen)
    def _clicked(self, event: ChoiceList.Chosen) -> None:
        self._take(event.index)

    def _take(self, at: int | None) -> None:
        row = self._row(at)
        if row is not None:
            self.dismiss(row.value)


def _more(query: str) -> str:
    """Return the last line where some choices are not shown."""
    of = "best " if query else ""
    return (
        f"Only the {of}{MOST} are shown. Type {'more of ' if query else ''}a name to find others."
    )


def _line(choice: Choice[T], wanted: str, look: RowStyles, name: int, key: int) -> Sequence[Part]:
    """Return the parts of a line: the name with its matching letters, then keys and detail in columns.

    `wanted` is the query as it is compared, "" without one.
    """
    parts: list[Part] = []
    label = choice.label
    if choice.heading and not wanted:
        parts.append(("  ", PLAIN))
    if choice.color:
        parts.append((SQUARE, look.channel(choice.color)))
    end = 0
    for begin, after in runs(fuzzy.spots(wanted, spaced(label)) if wanted else []):
        parts += [(label[end:begin], PLAIN), (label[begin : begin + after], MATCHED)]
        end = begin + after
    parts.append((label[end:], PLAIN))
    if choice.about:
        parts.append((blanks(label, name), look.muted))
    if key:
        parts.append((choice.keys + blanks(choice.keys, key), look.accent))
    return [*parts, (choice.detail, look.muted)]


def swatch(choice: Choice[T], look: RowStyles) -> Content:
    """Return a square of the choice's color; empty without a color."""
    return Content.styled(SQUARE, look.channel(choice.color)) if choice.color else Content("")
