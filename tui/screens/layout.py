"""The main screen's parts and their places: panes that come and go with the size. No chat logic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets._toast import ToastRack

from tui.config import Settings
from tui.screens.chat_panels import ChatPanels
from tui.screens.session import Session
from tui.screens.sidebar_border import SidebarBorder
from tui.view.sidebar import SidebarRow
from tui.widgets.account_lines import AccountLines
from tui.widgets.completion_list import CompletionList
from tui.widgets.composer import Composer
from tui.widgets.hint_line import HintLine
from tui.widgets.overview_list import OverviewList
from tui.widgets.preview import Preview
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar
from tui.widgets.side_filter import SideFilter
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar
from tui.widgets.unread_line import UnreadLine

TALL = 30
"""Rows from which the composer may take more than it needs."""


class MainLayout(Screen[str]):
    """Conversations left, messages and composer in the middle, people right."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        super().__init__()
        self.settings = settings
        self.clock = clock
        self._session: Session | None = None
        # The parts are there from the start, whether they are on screen yet, still, or not.
        self.side_pane = Vertical(id="side")
        self.folk_pane = Vertical(id="folk")
        self.middle = Vertical(id="middle")
        self.organization = AccountLines(id="organization")
        self.pinned = Sidebar(id="pinned")  # the sections that do not scroll
        self.side = Sidebar(id="sidebar")
        self.unread_line = UnreadLine(id="unread_line")
        self.side_filter = SideFilter(id="side_filter")
        self.title_bar = TitleBar(id="title")
        self.messages = ConversationList(id="messages")
        self.overview = OverviewList(id="overview")
        self.preview = Preview(id="preview")
        self.status_line = StatusLine(id="status")
        self.completion_list = CompletionList(id="completions")
        self.composer = Composer(id="composer")
        self.people_list = PeopleList(id="people")
        self.display_parts = ChatPanels(self, lambda: self.session, clock)
        self.sidebar_border = SidebarBorder(self, self.display_parts.panes)

    @property
    def reading(self) -> ConversationList | OverviewList:
        """The messages, or the overview that is open in their place."""
        return self.messages if self.messages.display else self.overview

    @property
    def session(self) -> Session:
        """The open account; asked for only after it was opened."""
        assert self._session is not None
        return self._session

    @property
    def is_ready(self) -> bool:
        """Whether anything is known yet."""
        return self._session is not None and self.session.has_store

    def compose(self) -> ComposeResult:
        with Horizontal(id="panes"):
            with self.side_pane:
                yield self.organization
                yield self.side_filter
                yield self.pinned
                yield self.side
                yield self.unread_line
            with self.middle:
                yield self.title_bar
                yield self.messages
                yield self.overview
                yield self.preview
                yield self.status_line
                yield self.completion_list
                yield self.composer
            with self.folk_pane:
                yield Static(Content("People"), classes="heading", id="people_heading")
                yield self.people_list
        yield HintLine()

    def action_toggle_sidebar(self) -> None:
        panes = self.display_parts.panes
        panes.sidebar_wish = not panes.shows_sidebar
        self.lay_out()
        self.call_after_refresh(self.side.reveal_opened)
        (self.side if panes.shows_sidebar else self.reading).focus()

    def _forward_event(self, event: events.Event) -> None:
        """The mouse at the border of the list of conversations is for its width, and nothing else."""
        if not self.sidebar_border.takes(event):
            super()._forward_event(event)

    def action_widen_sidebar(self, columns: int) -> None:
        """Give the list of conversations more columns, or fewer, from now on."""
        wide = self.display_parts.panes.widen_sidebar(columns)
        self.lay_out()
        self.keep_setting("sidebar_width", wide)

    def keep_setting(self, name: str, value: str | int) -> None:
        """Apply a setting and keep it."""
        raise NotImplementedError

    @property
    def sidebar_rows(self) -> Sequence[SidebarRow]:
        """All rows of the list of conversations, those that do not scroll first."""
        return [*self.pinned.items, *self.side.items]

    def select_in_sidebar(self, key: Hashable) -> None:
        """Put the cursor on a row of the list of conversations, wherever it stands now."""
        for each in (self.pinned, self.side):
            if each.select(key):
                each.focus()

    def action_unread_row(self, direction: int) -> None:
        """Put the cursor on the next unread conversation below (+1) or above (-1)."""
        rows = self.sidebar_rows
        here = self.pinned.selected if self.focused is self.pinned else self.side.selected
        at = next((i for i, row in enumerate(rows) if row is here), -1)
        onward = rows[at + 1 :] if direction > 0 else rows[: max(at, 0)][::-1]
        found = next((row for row in onward if row.is_unread), None)
        if found is not None:
            self.select_in_sidebar(found.key)

    @on(Sidebar.Passed)
    def _passed(self, event: Sidebar.Passed) -> None:
        down = event.message_list is self.pinned and event.direction > 0
        up = event.message_list is self.side and event.direction < 0
        rows = self.side.items[:1] if down else self.pinned.items[-1:] if up else ()
        if rows:
            self.select_in_sidebar(rows[0].key)

    @on(Sidebar.Scrolled, "#sidebar")
    def _scrolled(self) -> None:
        line = self.unread_line
        fits = self.side.hidden_lines <= line.display
        above, below = self.side.unread_beyond(-1), self.side.unread_beyond(1)
        line.display = not fits and any(row.is_unread for row in self.side.items)
        line.show(above, below)

    @on(UnreadLine.Chosen)
    def _unread_chosen(self, event: UnreadLine.Chosen) -> None:
        rows = self.side.unread_beyond(event.direction)
        if rows:
            self.select_in_sidebar(rows[0].key)

    def action_filter_sidebar(self) -> None:
        """Type to see fewer conversations."""
        self.side_filter.display = True
        self.side_filter.focus()

    def action_show_all(self) -> None:
        """All conversations again; without a filter, back to what is read."""
        if not self.side_filter.display:
            if self.display_parts.panes.close_sides():
                self.lay_out()
            self.reading.focus()
            return
        self.side_filter.display = False
        self.side_filter.value = ""
        self.side.focus()

    @on(Input.Changed, "#side_filter")
    def _filtered(self, event: Input.Changed) -> None:
        if self.is_ready:
            self.display_parts.filter(event.value)

    @on(SideFilter.Left)
    def _filter_left(self, event: SideFilter.Left) -> None:
        if event.keeps:
            self.side.focus()
        else:
            self.action_show_all()

    @on(Composer.PreviewTurned)
    def _preview_turned(self, event: Composer.PreviewTurned) -> None:
        self.preview.turn(event.pages)

    def action_toggle_people(self) -> None:
        panes = self.display_parts.panes
        panes.people_wish = not panes.shows_people
        if panes.linear:
            panes.sidebar_wish = False
        self.lay_out()
        if panes.linear:
            (self.people_list if panes.shows_people else self.reading).focus()
        elif not panes.shows_people and isinstance(self.focused, PeopleList):
            self.reading.focus()

    def action_focus_pane(self, direction: int) -> None:
        panes = self.display_parts.panes
        hidden: dict[Widget, bool] = {
            self.side: not panes.shows_sidebar,
            self.reading: not panes.shows_middle,
            self.composer: not panes.shows_middle,
            self.people_list: not panes.shows_people,
        }
        panes_in_order = (self.side, self.reading, self.composer, self.people_list)
        shown = [pane for pane in panes_in_order if not hidden.get(pane)]
        focused = self.side if self.focused is self.pinned else self.focused
        at = shown.index(focused) if focused in shown else 0
        shown[(at + direction) % len(shown)].focus()

    # Size

    def on_mount(self) -> None:
        """Follow the composer, whose height changes with what is written."""
        self.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def _laid_out(self, _screen: Screen[Any]) -> None:
        """Notifications stay above where one types."""
        top = self.composer.region.y if self.composer.display else 0
        below = self.size.height - top if 0 < top < self.size.height else 1
        for rack in self.query(ToastRack):
            if rack.styles.margin.bottom != below:
                rack.styles.margin = (0, 0, below, 0)

    def on_resize(self, event: events.Resize) -> None:
        """Panes come and go with the size of the terminal."""
        self.set_class(event.size.height >= TALL, "tall")
        if self.display_parts.panes.resize(event.size.width):
            self.lay_out()
        if self.is_ready:
            self.display_parts.split_sidebar()

    def lay_out(self) -> None:
        self.display_parts.lay_out()
        if self.is_ready:
            self.display_parts.show_people()
