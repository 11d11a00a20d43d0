"""A list with keys for actions on its lines; stays open while they run.

Knows no store: the caller gives the lines, and the actions of each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, Static

from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.screens.dialogs.actions import ActionLine, DialogAction, action_of_key
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice, Search
from tui.widgets.choice_list import ChoiceList, Part
from tui.widgets.content_lines import cells
from tui.widgets.line_input import LineInput
from tui.widgets.row_styles import look_of_theme

WIDEST: Final = 30
"""Maximum width of the first column, in cells."""
WIDEST_DETAIL: Final = 20
"""Maximum width of the columns between the first and the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingRow:
    """A line; texts are sanitized. `faint` lines are deactivated or archived."""

    key: Hashable
    label: str
    detail: str | tuple[str, ...] = ""
    """Several details stand in columns."""
    faint: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The texts beside the label."""
        return (self.detail,) if isinstance(self.detail, str) else self.detail


async def _nothing_to_load() -> None:
    return


class ListDialog(Dialog[bool]):
    """Lines with a cursor, a filter (`/`), and actions on the line under the cursor.

    Dismissed with True if an action led to another place. What is cut off in the line under the cursor is shown in full below.
    """

    CSS = f"""{Dialog.CSS}
    ListDialog > .card {{ width: 100; height: 90%; max-height: 40; }}
    ListDialog Input {{ margin-bottom: 1; }}
    ListDialog #rows {{ height: 1fr; max-height: 100%; margin: 0; }}
    ListDialog #about {{ height: 2; margin-top: 1; color: $text-muted; }}
    ListDialog #trouble {{ height: auto; color: $text-error; display: none; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter"),
        Binding("down", "to_rows", "Go to the lines", show=False),
    ]

    def __init__(
        self,
        title: str,
        *,
        rows: Callable[[], Sequence[ListingRow]],
        actions: Callable[[Hashable | None], Sequence[DialogAction]],
        load: Callable[[], Awaitable[None]] = _nothing_to_load,
        nothing: str = "There is nothing yet.",
    ) -> None:
        """`actions` gets the key of the line under the cursor; Enter runs the action of key `enter`.

        An action that returns True closes the dialog. `load` asks the server for what `rows` shows, when the
        dialog opens and after each action.
        """
        super().__init__()
        self._title = title
        self._rows = rows
        self._actions = actions
        self._load = load
        self._nothing = nothing
        self._search: Search[ListingRow] = Search(())
        """All lines."""
        self._shown: Sequence[ListingRow] = ()
        """Those that the filter leaves."""
        self._widths: list[int] = []
        """Of the columns before the last, which is as wide as it needs to be."""
        self._wanted: deque[tuple[DialogAction, Hashable | None]] = deque()
        """The actions that wait for the running one, and the lines that they are for."""
        self._under_way: tuple[DialogAction, Hashable | None] | None = None
        self._is_busy = False
        """Whether an action runs, or its effect is being loaded."""
        self._before_new: frozenset[Hashable] | None = None
        """The keys of the lines before one was created; None once it is there, or another key was pressed."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield LineInput(placeholder="/ to filter", id="wanted")
            yield ChoiceList(id="rows", can_focus=True)
            yield Static(id="about", markup=False)
            yield Static(id="trouble", markup=False)
            yield ActionLine()

    def on_mount(self) -> None:
        self.query_one(ChoiceList).focus()
        self.show_rows()
        self.load()

    @property
    def key(self) -> Hashable | None:
        """The key of the line under the cursor; None without a line."""
        row = self._row
        return None if row is None else row.key

    @property
    def _row(self) -> ListingRow | None:
        at = self.query_one(ChoiceList).cursor
        return self._shown[at] if at is not None and at < len(self._shown) else None

    def show_rows(self) -> None:
        """Refresh the lines. The cursor stays on its line or near."""
        if not self.is_open:  # changes may arrive before the dialog is composed, or after it closes
            return
        rows = self._rows()
        self._search = Search(
            [Choice(value=row, label=row.label, detail=" ".join(row.columns)) for row in rows]
        )
        columns = max((len(row.columns) for row in rows), default=0)
        texts = [(row.label, *row.columns) for row in rows]
        self._widths = [
            min(
                WIDEST_DETAIL if at else WIDEST,
                max(cells(text[at]) for text in texts if at < len(text)),
            )
            for at in range(columns)
        ]
        self._show_matches(best_first=False)

    def _show_matches(self, *, best_first: bool) -> None:
        """Show the lines that match the filter. The cursor goes to the first, or to the line that the user
        created, or stays on its line or near.
        """
        listed = self.query_one(ChoiceList)
        key, at = self.key, listed.cursor or 0
        query = self.query_one("#wanted", Input).value.strip()
        rows = [each.value for each in self._search.find(query, most=len(self._search))]
        if self._before_new is not None:
            created = {row.key for row in rows} - self._before_new
            if len(created) == 1:
                (key,), self._before_new = created, None
        index = 0
        if rows and not best_first:
            index = next((i for i, row in enumerate(rows) if row.key == key), at)
        self._shown = rows
        listed.show(len(rows), self._line, at=min(index, len(rows) - 1))
        self._fit()

    def _line(self, at: int) -> Sequence[Part]:
        """Return the label and the columns beside it, or that there are none."""
        look = look_of_theme(self.app.theme_variables, "surface")
        if not self._shown:
            return [("No matches." if len(self._search) else self._nothing, look.muted)]
        row = self._shown[at]
        label, *others = (
            Content(text).truncate(width, ellipsis=True, pad=True).plain
            for text, width in zip((row.label, *row.columns), self._widths, strict=False)
        )
        rest = "  ".join([*others, row.columns[-1]])
        return [(label, look.muted if row.faint else Style()), (f"  {rest}", look.muted)]

    def _cut(self, row: ListingRow, width: int) -> str:
        """Return the texts that are cut off in a line of this width; "" where none is."""
        *others, last = (row.label, *row.columns)
        cut = [text for text, most in zip(others, self._widths, strict=False) if cells(text) > most]
        begin = sum(each + 2 for each in self._widths[: len(others)])
        if begin + cells(last) > width:
            cut.append(last)
        return "  ".join(cut)

    def on_resize(self) -> None:
        """Make room for what is cut off."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if self.is_open:
            width = self.query_one(ChoiceList).scrollable_content_region.width
            self.query_one("#about").display = any(self._cut(row, width) for row in self._shown)
            self._show_actions()

    @on(ChoiceList.Moved)
    def _show_actions(self) -> None:
        row, width = self._row, self.query_one(ChoiceList).scrollable_content_region.width
        self.query_one(ActionLine).show(self._actions(None if row is None else row.key))
        about = Content("" if row is None else self._cut(row, width))
        self.query_one("#about", Static).update(about, layout=False)  # its height is fixed

    @on(Input.Changed, "#wanted")
    def _filtered(self, event: Input.Changed) -> None:
        self._show_matches(best_first=bool(event.value.strip()))

    def action_filter(self) -> None:
        """Focus the filter."""
        self.query_one("#wanted", Input).focus()

    @on(Input.Submitted, "#wanted")
    def action_to_rows(self) -> None:
        """Move from the filter to the lines."""
        self.query_one(ChoiceList).focus()

    def action_cancel(self) -> None:
        """Leave the filter first, then the dialog."""
        field = self.query_one("#wanted", Input)
        if field.has_focus or field.value:
            field.value = ""
            self.query_one(ChoiceList).focus()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Run the action of a key, unless the filter has the focus."""
        self._before_new = None
        if self.query_one("#wanted", Input).has_focus:
            return
        action = action_of_key(self._actions(self.key), event.key)
        if action is not None:
            event.stop()
            self._begin(action)

    @on(ChoiceList.Chosen)
    def _opened(self) -> None:
        action = action_of_key(self._actions(self.key), "enter")
        if action is not None:
            self._begin(action)

    @on(ActionLine.Chosen)
    def _clicked(self, event: ActionLine.Chosen) -> None:
        self._begin(event.action)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask the server again; a running action goes on."""
        try:
            await self._load()
        except TuiError as error:
            self._tell(str(error))
        self.show_rows()

    def _tell(self, sentence: str) -> None:
        if self.is_open:
            trouble = self.query_one("#trouble", Static)
            trouble.update(Content(sanitize_line(sentence)))
            trouble.display = bool(sentence)

    def _begin(self, action: DialogAction) -> None:
        """Run an action after those that are waiting: far from the server, keys are quicker than answers."""
        call = action, self.key
        if (call == self._under_way or call in self._wanted) and not action.repeats:
            return  # an impatient second key press
        self._wanted.append(call)
        if not self._is_busy:
            self._is_busy = True
            self._do_wanted()

    @work(group="actions")
    async def _do_wanted(self) -> None:
        try:
            while self._wanted:
                self._under_way = self._wanted.popleft()
                action = self._offered(*self._under_way)
                if action is not None and await self._done(action):
                    self._wanted.clear()
                    self.dismiss(True)
                    return
        finally:
            self._under_way, self._is_busy = None, False

    def _offered(self, action: DialogAction, key: Hashable | None) -> DialogAction | None:
        """Return the action as it is now; None if an earlier one removed its line, or disabled it."""
        is_there = key is None or any(row.key == key for row in self._rows())
        return (
            next((now for now in self._actions(key) if now == action), None) if is_there else None
        )

    async def _done(self, action: DialogAction) -> bool:
        """Run one action; return True if it closes the dialog. An error is shown, and waiting actions are
        dropped.
        """
        self._tell("")
        if action.key == "n":
            self._before_new = frozenset(row.key for row in self._rows())
        try:
            if await action.run():
                return True
            self._under_way = None  # from here on, pressing its key again is not a repeated press
            await self._load()
        except TuiError as error:
            self._wanted.clear()
            self._tell(str(error))
        self.show_rows()
        return False
