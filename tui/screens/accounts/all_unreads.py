"""Unread conversations of all accounts, in one list; Enter opens one. No store, no commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static

from tui.narrow import Conversation
from tui.screens.dialogs.base import Dialog
from tui.view.accounts import AccountName, UnreadRow
from tui.widgets.message_list import MessageList
from tui.widgets.overview_list import draw_overview_row
from tui.widgets.row_lists import Looks


class UnreadList(MessageList[UnreadRow]):
    """The rows of the inbox, each with its organization."""

    DEFAULT_CSS = """
    UnreadList { background: $surface; color: $foreground; height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__(self._draw_row, empty="You have read everything, everywhere.")
        self._looks = Looks("surface")

    def _draw_row(self, row: UnreadRow, width: int, selected: bool) -> list[Strip]:
        self._looks.follow(self.app.theme_variables)
        look = self._looks.of(selected=selected)
        return draw_overview_row(row.row, width, look, selected=selected)


class Everywhere(Dialog[tuple[AccountName, Conversation]]):
    """The list of unread conversations. Dismissed with the chosen conversation and its account."""

    CSS = f"""{Dialog.CSS}
    Everywhere > .card {{ width: 90; height: 80%; }}
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Open", priority=True)]

    def __init__(self, rows: Sequence[UnreadRow]) -> None:
        super().__init__()
        self._rows = rows
        self._list = UnreadList()

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            yield Static(Content("Unread everywhere"), classes="title")
            yield self._list

    def on_mount(self) -> None:
        self._list.open(self._rows, at=self._rows[0].key if self._rows else None, row=0)
        self._list.select(next((row.key for row in self._rows if row.selectable), None))
        self._list.focus()

    def update(self, rows: Sequence[UnreadRow]) -> None:
        """Show changed rows."""
        self._rows = rows
        if self.is_open:
            self._list.update(rows)

    def action_open(self) -> None:
        """Open the conversation under the cursor."""
        self._list.action_activate()

    @on(MessageList.Activated)
    @on(MessageList.Clicked)
    def _chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        row = next((row for row in self._rows if row.key == event.key), None)
        if row is not None and row.account is not None and row.conversation is not None:
            self.dismiss((row.account, row.conversation))
