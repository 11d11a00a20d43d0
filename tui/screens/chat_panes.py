"""The panes of a chat and their widgets: lists left, messages in the middle, people right. No logic.

Their contents come from `chat_panels.py`; which of them are shown is decided in `pane_sizes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.widget import Widget
from textual.widgets import Static
from textual.widgets._toast import ToastRack

from tui import keys
from tui.config import Settings
from tui.screens.chat_panels import ChatPanels
from tui.screens.session import Session
from tui.screens.sidebar_border import SidebarBorder
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.account_lines import AccountLines
from tui.widgets.composer_place import ComposerPlace
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar
from tui.widgets.unread_line import UnreadLine

if TYPE_CHECKING:
    # Imported when they are first shown.
    from textual.widgets import Input

    from tui.widgets.completion_list import CompletionList
    from tui.widgets.composer import Composer
    from tui.widgets.overview_list import OverviewList
    from tui.widgets.preview import Preview
    from tui.widgets.side_filter import SideFilter


class ShownAccount(Protocol):
    """The account whose chat the panes show."""

    settings: Settings
    clock: Callable[[], float]

    @property
    def session(self) -> Session:
        """The account's connection and store."""

    @property
    def is_ready(self) -> bool:
        """Whether the store holds a snapshot yet."""

    def keep_setting(self, name: str, value: str | int) -> None:
        """Apply a setting and keep it."""


class ChatPanes(Horizontal):
    """The widgets of an account's chat. Some are mounted when they are first needed: a start waits for all
    others, shown or not.
    """

    def __init__(self, account: ShownAccount) -> None:
        super().__init__(id="panes")
        self._account = account
        self.side_pane = Vertical(id="side")
        self.people_pane = Vertical(id="people-pane")
        self.middle = Vertical(id="middle")
        self.organization = AccountLines(id="organization")
        self.pinned = Sidebar(id="pinned")  # the sections that do not scroll
        self.side = Sidebar(id="sidebar")
        self.unread_line = UnreadLine(id="unread_line")
        self.title_bar = TitleBar(id="title")
        self.messages = ConversationList(id="messages")
        self.status_line = StatusLine(id="status")
        self.composer_place = ComposerPlace(self._prepare)
        self.people_list = PeopleList(id="people")
        self._is_filtering = False
        self.panels = ChatPanels(self, lambda: account.session, account.clock)
        self.sizes = self.panels.sizes
        self.border = SidebarBorder(self, self.sizes)

    @cached_property
    def side_filter(self) -> SideFilter:
        """The filter of the sidebar; like those below, mounted at first use."""
        from tui.widgets.side_filter import SideFilter

        field = SideFilter(id="side_filter")
        self.side_pane.mount(field, after=self.organization)
        return field

    @cached_property
    def overview(self) -> OverviewList:
        """The inbox or the recent conversations, in place of the messages."""
        from tui.widgets.overview_list import OverviewList

        listed = OverviewList(id="overview")
        self.middle.mount(listed, after=self.messages)
        return listed

    @cached_property
    def preview(self) -> Preview:
        """The preview of the draft."""
        from tui.widgets.preview import Preview

        preview = Preview(id="preview")
        self.middle.mount(preview, before=self.status_line)
        return preview

    @cached_property
    def completion_list(self) -> CompletionList:
        """The completions above the composer."""
        from tui.widgets.completion_list import CompletionList

        listed = CompletionList(id="completions")
        self.middle.mount(listed, before=self.composer)
        return listed

    @property
    def composer(self) -> Composer:
        """What the user writes in; mounted after the first frame."""
        return self.composer_place.composer

    def make_composer(self) -> None:
        """Make the composer, unless it is there."""
        if self.composer_place.is_empty and self.is_attached:
            _ = self.composer

    def _prepare(self, composer: Composer) -> None:
        settings = self.settings
        composer.use_keys(keys.keymap(settings))
        composer.cursor_blink = not (settings.reduced_motion or settings.screen_reader)
        composer.most_lines = settings.paste_lines

    @property
    def settings(self) -> Settings:
        """The user's settings on this machine."""
        return self._account.settings

    @property
    def is_ready(self) -> bool:
        """Whether the store holds a snapshot yet."""
        return self._account.is_ready

    @property
    def screen_size(self) -> Size:
        """The size of the screen, in cells."""
        return self.app.size

    @property
    def reading(self) -> ConversationList | OverviewList:
        """The messages, or the overview that is open in their place."""
        return self.messages if self.messages.display else self.overview

    @property
    def sidebar_rows(self) -> Sequence[SidebarRow]:
        """All rows of the sidebar, the pinned ones first."""
        return [*self.pinned.items, *self.side.items]

    def compose(self) -> ComposeResult:
        with self.side_pane:
            yield self.organization
            yield self.pinned
            yield self.side
            yield self.unread_line
        with self.middle:
            yield self.title_bar
            yield self.messages
            yield self.status_line
            yield self.composer_place
        with self.people_pane:
            yield Static(Content("People"), classes="heading", id="people_heading")
            yield self.people_list

    def on_mount(self) -> None:
        """Follow the composer, whose height changes with its text."""
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._laid_out())

    def apply(self, settings: Settings) -> None:
        """Apply changed settings."""
        if not self.composer_place.is_empty:
            self._prepare(self.composer)
        self.messages.set_fold(settings.fold_lines)
        self.sizes.linear = settings.screen_reader
        self.sizes.sidebar_width_wish = settings.sidebar_width
        self.lay_out()

    # Size

    def resized(self, size: Size) -> None:
        """Show or hide panes for the size of the terminal."""
        if self.sizes.resize(size.width):
            self.lay_out()
        if self.is_ready:
            self.panels.split_sidebar()

    def lay_out(self) -> None:
        """Show, hide and size the panes, and fill those that appeared."""
        self.panels.lay_out()
        if self.is_ready:
            self.panels.show_people()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the conversation when a key such as that for writing leads there from a list in its place."""
        if event.widget in (self.composer_place.shown, self.reading) and self.sizes.close_sides():
            self.lay_out()

    def widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        """Return the widget in a cell of the screen. Raises NoWidget."""
        return self.screen.get_widget_at(x, y)

    def _laid_out(self) -> None:
        """Keep toasts above the composer."""
        composer = self.composer_place.shown
        top = composer.region.y if composer.display else 0
        height = self.screen_size.height
        below = height - top if 0 < top < height else 1
        for rack in self.screen.query(ToastRack):
            if rack.styles.margin.bottom != below:
                rack.styles.margin = (0, 0, below, 0)

    # The sidebar

    def keep_setting(self, name: str, value: str | int) -> None:
        """Apply a setting and keep it."""
        self._account.keep_setting(name, value)

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar."""
        self.sizes.sidebar_wish = not self.sizes.shows_sidebar
        self.lay_out()
        self.call_after_refresh(self.side.reveal_opened)
        (self.side if self.sizes.shows_sidebar else self.reading).focus()

    def widen_sidebar(self, columns: int) -> None:
        """Make the sidebar wider or narrower, and save its width."""
        wide = self.sizes.widen_sidebar(columns)
        self.lay_out()
        self.keep_setting("sidebar_width", wide)

    def select_in_sidebar(self, key: Hashable) -> None:
        """Put the cursor on a row of the sidebar, in either of its parts."""
        for each in (self.pinned, self.side):
            if each.select(key):
                self.screen.set_focus(each)  # at once: in one frame with the cursor

    def select_unread_row(self, direction: int) -> None:
        """Put the cursor on the next unread conversation below (+1) or above (-1)."""
        rows = self.sidebar_rows
        here = self.pinned.selected if self.pinned.has_focus else self.side.selected
        at = next((i for i, row in enumerate(rows) if row is here), -1)
        onward = rows[at + 1 :] if direction > 0 else rows[: max(at, 0)][::-1]
        unread_row = next((row for row in onward if row.is_unread), None)
        if unread_row is not None:
            self.select_in_sidebar(unread_row.key)

    @on(Sidebar.Passed)
    def _passed(self, event: Sidebar.Passed) -> None:
        down = event.message_list is self.pinned and event.direction > 0
        up = event.message_list is self.side and event.direction < 0
        rows = self.side.items[:1] if down else self.pinned.items[-1:] if up else ()
        if rows:
            self.select_in_sidebar(rows[0].key)

    @on(Sidebar.Scrolled, "#sidebar")
    def _scrolled(self, event: Sidebar.Scrolled) -> None:
        event.stop()
        line = self.unread_line
        fits = self.side.hidden_lines <= line.display
        above, below = self.side.unread_beyond(-1), self.side.unread_beyond(1)
        line.display = not fits and self.side.has_unread
        line.show(above, below)

    @on(UnreadLine.Chosen)
    def _unread_chosen(self, event: UnreadLine.Chosen) -> None:
        row = self.side.nearest_unread_beyond(event.direction)
        if row is not None:
            self.select_in_sidebar(row.key)

    def filter_sidebar(self) -> None:
        """Open the filter of the sidebar."""
        self._is_filtering = True
        self.side_filter.display = True
        self.side_filter.focus()

    def show_all(self) -> None:
        """Clear the sidebar's filter; without one, go back to the messages."""
        if not self._is_filtering or self.people_list.has_focus:
            if self.sizes.close_sides():
                self.lay_out()
            self.reading.focus()
            return
        self._is_filtering = False
        self.side_filter.display = False
        self.side_filter.value = ""
        self.side.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter the sidebar; its filter is the only field here."""
        if self.is_ready:
            self.panels.filter(event.value)

    def on_side_filter_left(self, event: SideFilter.Left) -> None:
        """Leave the sidebar's filter."""
        if event.keeps:
            self.side.focus()
        else:
            self.show_all()

    # The other panes

    def on_composer_preview_turned(self, event: Composer.PreviewTurned) -> None:
        """Scroll the preview."""
        self.preview.turn(event.pages)

    def toggle_people(self) -> None:
        """Show or hide the list of people."""
        sizes = self.sizes
        sizes.people_wish = not sizes.shows_people
        if sizes.one_pane:
            sizes.sidebar_wish = False
        self.lay_out()
        if sizes.one_pane:
            (self.people_list if sizes.shows_people else self.reading).focus()
        elif not sizes.shows_people and isinstance(self.screen.focused, PeopleList):
            self.reading.focus()

    def focus_pane(self, direction: int) -> None:
        """Focus the next pane that is shown (+1), or the previous (-1)."""
        sizes = self.sizes
        hidden: dict[Widget, bool] = {
            self.side: not sizes.shows_sidebar,
            self.reading: not sizes.shows_middle,
            self.composer: not sizes.shows_middle,
            self.people_list: not sizes.shows_people,
        }
        panes_in_order = (self.side, self.reading, self.composer, self.people_list)
        panes = [pane for pane in panes_in_order if not hidden.get(pane)]
        focused = self.side if self.pinned.has_focus else self.screen.focused
        at = panes.index(focused) if focused in panes else 0
        panes[(at + direction) % len(panes)].focus()
