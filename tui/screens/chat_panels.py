"""Fills the panels around the conversation from the store: title, sidebar, people, typing, connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Protocol

from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.timer import Timer
from textual.widget import Widget

from tui.api.model import ChannelId
from tui.config import Settings
from tui.keys import keyboard_of
from tui.narrow import ChannelNarrow, Narrow, Search, TopicNarrow
from tui.screens.pane_sizes import PaneSizes
from tui.screens.session import Session
from tui.store import Changes
from tui.sync.status import Status
from tui.view import overview, titles
from tui.view.overview import OverviewName
from tui.view.people import people, recounted
from tui.view.sidebar import kept_in_sight, sidebar
from tui.view.sidebar_cache import SidebarCache, concerns_rows
from tui.view.sidebar_rows import SidebarRow
from tui.view.unread_counts import UnreadCounts
from tui.widgets.account_lines import AccountLines
from tui.widgets.row_lists import PeopleList, Sidebar
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar


class ChatLayout(Protocol):
    """The widgets and panes that are filled here, and the operations on them."""

    @property
    def settings(self) -> Settings:
        """The user's settings on this machine."""

    side_pane: Vertical
    people_pane: Vertical
    middle: Vertical
    organization: AccountLines
    pinned: Sidebar
    side: Sidebar
    title_bar: TitleBar
    status_line: StatusLine
    people_list: PeopleList

    @property
    def is_ready(self) -> bool:
        """Whether the store holds a snapshot yet."""

    @property
    def screen_size(self) -> Size:
        """The size of the screen, in cells."""

    @property
    def reading(self) -> Widget:
        """The messages, or the overview that is open in their place."""

    def lay_out(self) -> None:
        """Show, hide and size the panes, and fill those that appeared."""

    def keep_setting(self, name: str, value: str | int) -> None:
        """Apply a setting and keep it."""

    def widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        """Return the widget in a cell of the screen. Raises NoWidget."""

    def select_in_sidebar(self, key: Hashable) -> None:
        """Put the cursor on a row of the sidebar."""


class ChatPanels:
    """The panels that only show state; `narrow` is what is open, or about to be."""

    def __init__(
        self, panes: ChatLayout, session: Callable[[], Session], clock: Callable[[], float]
    ) -> None:
        self._panes = panes
        self._session = session
        self._clock = clock
        self.narrow: Narrow | OverviewName | None = None
        self.sizes = PaneSizes()
        self._expanded: frozenset[ChannelId] = frozenset()
        self._all_direct = False
        self._rows: list[SidebarRow] = []
        self._wanted = ""
        self._retry_at: float | None = None
        self._is_connecting = True
        self._countdown: Timer | None = None
        self._counts = UnreadCounts()
        self._sidebar_cache = SidebarCache()
        self._pinned_height = -1

    @property
    def counts(self) -> UnreadCounts:
        """The unread counts, updated with each change."""
        ready = self._panes.is_ready
        return self._counts.of(self._session().store) if ready else self._counts

    def follow(self, changes: Changes) -> bool:
        """Update the panels that a change concerns; return whether an unread count changed."""
        counted = self._counts.follow(self._session().store, changes)
        self._sidebar_cache.forget(changes, counted)
        if changes.replaced or changes.typing:
            self.show_typing()
        if counted or concerns_rows(changes) or self._lists_topics(changes.topics):
            self.show_sidebar()
        if changes.replaced or changes.users or changes.people or changes.channels:
            self.show_people()
            self.show_title()
            return bool(counted)
        if counted and self.sizes.shows_people:
            shown = self._panes.people_list.items
            rows = recounted(shown, self._session().store, counted)
            if rows is not shown:
                self._panes.people_list.update(rows)
        if isinstance(self.narrow, Search) and self.narrow in changes.windows:
            self.show_title()  # it says how many results were found
        return bool(counted)

    def _lists_topics(self, channel_ids: frozenset[ChannelId]) -> bool:
        """Whether the sidebar shows topics of these channels, which are fetched in batches."""
        narrow = self.narrow
        here = narrow.channel_id if isinstance(narrow, ChannelNarrow | TopicNarrow) else None
        is_shown = here in channel_ids or not self._expanded.isdisjoint(channel_ids)
        return bool(channel_ids) and (is_shown or bool(self._wanted))

    def open(self, narrow: Narrow | OverviewName) -> None:
        """Show that another narrow or overview is open."""
        self.narrow = narrow
        if self.sizes.close_sides():
            self.lay_out()
            self._panes.reading.focus()
        self.show_title()
        self.show_sidebar()
        self.show_people()
        self.show_typing()

    def show_title(self) -> None:
        """Show the title of the open narrow or overview."""
        store = self._session().store
        if isinstance(self.narrow, str):
            self._panes.title_bar.show(overview.title(store, self.narrow))
        elif self.narrow is not None:
            self._panes.title_bar.show(titles.title(store, self.narrow))

    def show_sidebar(self) -> None:
        """Fill the sidebar."""
        store = self._session().store
        self._rows = sidebar(
            store,
            opened=self.narrow,
            expanded=self._expanded,
            drafts=len(store.drafts.local) + len(store.drafts.only_on_server()),
            now=self._clock(),
            query=self._wanted,
            collapsed=self._collapsed(),
            all_direct=self._all_direct,
            counts=self._counts,
            cache=self._sidebar_cache,
        )
        self._panes.side.set_empty("No matches." if self._wanted else "")
        self.split_sidebar()
        if self._wanted and self._panes.side.selected is None:  # its first match was fetched later
            self._select_first()

    def _collapsed(self) -> list[str]:
        """Return the collapsed sections; of folders, those of this organization."""
        of_folders = self._of_folders()
        return [each.removeprefix(of_folders) for each in self._panes.settings.collapsed.split()]

    def _of_folders(self) -> str:
        """Return what stands before a folder's section in the settings, which are those of all organizations."""
        return f"{self._session().sync.connection.base_url.host}/"

    def split_sidebar(self) -> None:
        """Pin as many of the first sections as leave room for the others to scroll."""
        panes = self._panes
        height = panes.screen_size.height - 1 - max(1, panes.organization.outer_size.height)
        is_whole = bool(self._wanted) or self.sizes.one_pane
        kept = 0 if is_whole else kept_in_sight(self._rows, height)
        selected = panes.pinned.selected if panes.pinned.has_focus else None
        pinned = sum(row.height for row in self._rows[:kept])
        if pinned != self._pinned_height:  # setting a style takes longer than to look
            self._pinned_height = pinned
            panes.pinned.styles.height = pinned
            panes.pinned.display = kept > 0
        panes.pinned.update(self._rows[:kept])
        panes.side.update(self._rows[kept:])
        if not kept and selected is not None:
            panes.select_in_sidebar(selected.key)

    def filter(self, query: str) -> None:
        """Show only the conversations whose names contain these words; "" shows all."""
        self._wanted = query.strip()
        self.show_sidebar()
        if self._wanted:
            self._select_first()
        else:
            self._panes.side.select(None)

    def _select_first(self) -> None:
        first = next((row.key for row in self._panes.side.items if row.selectable), None)
        self._panes.side.select(first)

    def toggle_section(self, row: SidebarRow) -> None:
        """Collapse or expand a section, or show all of its rows; the cursor stays there."""
        if row.kind == "more":
            self._all_direct = not self._all_direct
            self.show_sidebar()
            return
        before = self._panes.settings.collapsed.split()
        name = f"{self._of_folders()}{row.section}" if _is_folder(row) else str(row.section)
        after = [each for each in before if each != name] if name in before else [*before, name]
        self._panes.keep_setting("collapsed", " ".join(after))
        self._panes.select_in_sidebar(row.key)

    def toggle_topics(self, channel_id: ChannelId) -> None:
        """Show all topics of a channel, or only a few again."""
        self._expanded ^= {channel_id}
        self.show_sidebar()

    def show_people(self) -> None:
        """Show the people and their presence, if there is room."""
        if self.sizes.shows_people:
            narrow = None if isinstance(self.narrow, str) else self.narrow
            rows = people(self._session().store, narrow, self._clock())
            self._panes.people_list.update(rows)

    def show_typing(self) -> None:
        """Show who is typing."""
        text = ""
        if self.narrow is not None and not isinstance(self.narrow, str):
            text = titles.typists(self._session().store, self.narrow)
        self._panes.status_line.show(typing=text)

    # The connection

    def follow_status(self, status: Status) -> None:
        """Show a changed state of the connection."""
        from tui.sync.status import Live, Retrying

        self._is_connecting = not isinstance(status, Live)
        is_reported = isinstance(status, Retrying) and not status.is_quiet
        self._retry_at = time.monotonic() + status.seconds if is_reported else None  # type: ignore[union-attr]  # reported: it is Retrying
        self._show_connection()

    def show_retry(self) -> None:
        """Show that the next attempt to connect begins now."""
        if self._retry_at is not None:
            self._retry_at = time.monotonic()
            self._show_connection()

    def _show_connection(self) -> None:
        bar = self._panes.title_bar
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None
        if self._retry_at is not None:
            left = max(0, round(self._retry_at - time.monotonic()))
            if left:
                key = keyboard_of(bar.app).key("app.retry")
                text, hint = f"offline: retrying in {left} s", f" · {key} to retry"
            else:
                text, hint = "offline: retrying…", ""
            bar.show_connection(text, "trouble", hint)
            self._countdown = bar.set_timer(1.0, self._show_connection)
        elif self._is_connecting:
            bar.show_connection("connecting…", "busy")
        else:
            bar.show_connection("", "quiet")

    # Size

    def lay_out(self) -> None:
        """Show, hide and size the panes."""
        sizes = self.sizes
        side = self._panes.side_pane
        people = self._panes.people_pane
        side.styles.width, people.styles.width = sizes.sidebar_width, sizes.people_width
        side.display, people.display = sizes.shows_sidebar, sizes.shows_people
        self._panes.middle.display = sizes.shows_middle


def _is_folder(row: SidebarRow) -> bool:
    return (row.section or "").startswith("folder-")
