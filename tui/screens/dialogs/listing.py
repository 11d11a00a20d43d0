"""Many things in lines, and keys for what can be done with them; stays open while it is done.

Knows no store: who opens it says what the lines are, what can be done, and does it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.screens.dialogs.acts import Act, ActLine, act_of_key
from tui.screens.dialogs.chooser import Choice, search
from tui.screens.dialogs.frame import Dialog
from tui.widgets.content_lines import cells
from tui.widgets.look import look_of_theme

WIDEST = 30
"""Cells of the first column at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingRow:
    """A line; texts are sanitised. What is over (deactivated, archived) is drawn faint."""

    key: Hashable
    label: str
    detail: str = ""
    faint: bool = False


async def _nothing_to_load() -> None:
    return


class Listing(Dialog[None]):
    """Lines with a cursor, a filter (`/`), and what can be done with the line under the cursor."""

    CSS = f"""{Dialog.CSS}
    Listing > .card {{ width: 100; height: 90%; max-height: 40; }}
    Listing Input {{ margin-bottom: 1; }}
    Listing #rows {{ height: 1fr; max-height: 100%; margin: 0; }}
    Listing #rows > .option-list--option-disabled {{ color: $text-muted; }}
    Listing #trouble {{ height: auto; color: $text-error; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter"),
        Binding("down", "to_rows", "Lines", show=False),
    ]

    def __init__(
        self,
        title: str,
        *,
        rows: Callable[[], Sequence[ListingRow]],
        acts: Callable[[Hashable | None], Sequence[Act]],
        do: Callable[[str, Hashable | None], Awaitable[bool | None]],
        load: Callable[[], Awaitable[None]] = _nothing_to_load,
        nothing: str = "There is nothing yet.",
    ) -> None:
        """`acts` and `do` get the key of the line under the cursor; Enter is the act of key `enter`.

        A `do` that answers True closes the listing. `load` asks the server for what `rows` shows,
        when the listing opens and after each act.
        """
        super().__init__()
        self._title = title
        self._rows = rows
        self._acts = acts
        self._do = do
        self._load = load
        self._nothing = nothing
        self._shown: list[ListingRow] = []
        self._is_acting = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content(self._title), classes="title")
            yield Input(placeholder="/ to filter", id="wanted")
            yield OptionList(id="rows", markup=False)
            yield Static(id="trouble", markup=False)
            yield ActLine()

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.show_rows()
        self.load()

    @property
    def key(self) -> Hashable | None:
        """Of the line under the cursor."""
        at = self.query_one(OptionList).highlighted
        return self._shown[at].key if at is not None and at < len(self._shown) else None

    def show_rows(self) -> None:
        """Ask for the lines again; the cursor stays on its line, or near."""
        if not self.query("#rows"):  # news may come before there is anything, or after
            return
        listed = self.query_one(OptionList)
        key, at = self.key, listed.highlighted or 0
        rows = self._rows()
        wanted = self.query_one("#wanted", Input).value.strip()
        if wanted:
            choices = [Choice(value=row, label=row.label, detail=row.detail) for row in rows]
            rows = [choice.value for choice in search(choices, wanted)]
        self._shown = list(rows)
        width = min(WIDEST, max((cells(row.label) for row in rows), default=0))
        listed.clear_options()
        nothing = [Option(Content(self._nothing), disabled=True)]
        listed.add_options([Option(self._line(row, width)) for row in rows] or nothing)
        if rows:
            found = next((i for i, row in enumerate(rows) if row.key == key), at)
            listed.highlighted = min(found, len(rows) - 1)
        self._show_acts()

    def _line(self, row: ListingRow, width: int) -> Content:
        look = look_of_theme(self.app.theme_variables, "surface")
        label = Content(row.label).truncate(width, ellipsis=True, pad=True)
        styled = label.stylize(look.muted) if row.faint else label
        return Content.assemble(styled, ("  " + row.detail, look.muted))

    @on(OptionList.OptionHighlighted)
    def _show_acts(self) -> None:
        self.query_one(ActLine).show(self._acts(self.key))

    @on(Input.Changed, "#wanted")
    def _filtered(self) -> None:
        self.show_rows()

    def action_filter(self) -> None:
        """Type to see fewer lines."""
        self.query_one("#wanted", Input).focus()

    @on(Input.Submitted, "#wanted")
    def action_to_rows(self) -> None:
        """From the filter to the lines."""
        self.query_one(OptionList).focus()

    def action_cancel(self) -> None:
        """Esc leaves the filter first."""
        wanted = self.query_one("#wanted", Input)
        if wanted.has_focus or wanted.value:
            wanted.value = ""
            self.query_one(OptionList).focus()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """A key of one of the acts, unless a filter is typed."""
        if self.query_one("#wanted", Input).has_focus:
            return
        act = act_of_key(self._acts(self.key), event.key)
        if act is not None:
            event.stop()
            self._begin(act)

    @on(OptionList.OptionSelected)
    def _opened(self) -> None:
        act = act_of_key(self._acts(self.key), "enter")
        if act is not None:
            self._begin(act)

    @on(ActLine.Chosen)
    def _clicked(self, event: ActLine.Chosen) -> None:
        self._begin(event.act)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Ask the server anew; what is being done goes on."""
        try:
            await self._load()
        except TuiError as error:
            self.query_one("#trouble", Static).update(Content(sanitise_line(str(error))))
        self.show_rows()

    def _begin(self, act: str) -> None:
        # While one is on its way the lines are not yet what it makes of them.
        if not self._is_acting:
            self._is_acting = True
            self._act(act)

    @work(group="acts")
    async def _act(self, act: str) -> None:
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(""))
        try:
            if await self._do(act, self.key):
                self.dismiss(None)
                return
            await self._load()
        except TuiError as error:
            trouble.update(Content(sanitise_line(str(error))))
        finally:
            self._is_acting = False
        self.show_rows()
