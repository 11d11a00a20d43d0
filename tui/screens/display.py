"""Puts what the store knows around the conversation: title, sidebar, people, typing, connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.timer import Timer

from tui.api.model import ChannelId
from tui.narrow import Narrow
from tui.screens.panes import Panes
from tui.view import overview, titles
from tui.view.overview import OverviewName
from tui.view.people import people
from tui.view.sidebar import sidebar

if TYPE_CHECKING:
    from tui.screens.layout import MainLayout
    from tui.screens.session import Session
    from tui.store import Changes
    from tui.sync.status import Status


class Display:
    """The parts of the main screen that only show; `narrow` is what is open, or about to be."""

    def __init__(
        self, screen: MainLayout, session: Callable[[], Session], clock: Callable[[], float]
    ) -> None:
        self._screen = screen
        self._session = session
        self._clock = clock
        self.narrow: Narrow | OverviewName | None = None
        self.panes = Panes()
        self._expanded: frozenset[ChannelId] = frozenset()
        self._wanted = ""
        self._retry_at: float | None = None
        self._is_connecting = True
        self._countdown: Timer | None = None

    def follow(self, changes: Changes) -> None:
        """Show what changed."""
        if changes.replaced or changes.typing:
            self.show_typing()
        listed = changes.conversations or changes.channels or changes.topics or changes.parts
        if changes.replaced or listed or changes.users or changes.people:
            self.show_sidebar()
        if changes.replaced or changes.users or changes.people or changes.channels:
            self.show_people()
            self.show_title()

    def open(self, narrow: Narrow | OverviewName) -> None:
        """Something else is open."""
        self.narrow = narrow
        if self.panes.close_sides():
            self.lay_out()
            self._screen.reading.focus()
        self.show_title()
        self.show_sidebar()
        self.show_people()
        self.show_typing()

    def show_title(self) -> None:
        """Where one is."""
        store = self._session().store
        if isinstance(self.narrow, str):
            self._screen.title_bar.show(overview.title(store, self.narrow))
        elif self.narrow is not None:
            self._screen.title_bar.show(titles.title(store, self.narrow))

    def show_sidebar(self) -> None:
        """The conversations."""
        store = self._session().store
        rows = sidebar(
            store,
            opened=self.narrow,
            expanded=self._expanded,
            drafts=len(store.drafts.local) + len(store.drafts.only_on_server()),
            now=self._clock(),
            wanted=self._wanted,
        )
        self._screen.side.set_empty("Nothing has that name." if self._wanted else "")
        self._screen.side.update(rows)

    def filter(self, wanted: str) -> None:
        """Show the conversations with these words in their names only; "" shows all."""
        self._wanted = wanted.strip()
        self.show_sidebar()
        first = next((row.key for row in self._screen.side.items if row.selectable), None)
        self._screen.side.select(first if self._wanted else None)

    def toggle_topics(self, channel_id: ChannelId) -> None:
        """Show all topics of a channel, or a few."""
        self._expanded ^= {channel_id}
        self.show_sidebar()

    def show_people(self) -> None:
        """Who is here, if there is room to say."""
        if self.panes.shows_people:
            narrow = None if isinstance(self.narrow, str) else self.narrow
            rows = people(self._session().store, narrow, self._clock())
            self._screen.people_list.update(rows)

    def show_typing(self) -> None:
        """Who writes."""
        words = ""
        if self.narrow is not None and not isinstance(self.narrow, str):
            words = titles.typists(self._session().store, self.narrow)
        self._screen.status_line.show(typing=words)

    # The connection

    def follow_status(self, status: Status) -> None:
        """How the connection is from now on."""
        from tui.sync.status import Live, Retrying

        self._is_connecting = not isinstance(status, Live)
        told = isinstance(status, Retrying) and not status.is_quiet
        self._retry_at = self._clock() + status.seconds if told else None  # type: ignore[union-attr]  # told: it is Retrying
        self._show_connection()

    def _show_connection(self) -> None:
        bar = self._screen.title_bar
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None
        if self._retry_at is not None:
            left = max(0, round(self._retry_at - self._clock()))
            words = f"offline: retrying in {left} s" if left else "offline: retrying…"
            bar.show_connection(words, "trouble")
            self._countdown = self._screen.set_timer(1.0, self._show_connection)
        elif self._is_connecting:
            bar.show_connection("connecting…", "busy")
        else:
            bar.show_connection("", "quiet")

    # Size

    def lay_out(self) -> None:
        """Show, hide and size the panes."""
        panes = self.panes
        side = self._screen.side_pane
        folk = self._screen.folk_pane
        side.styles.width, folk.styles.width = panes.sidebar_width, panes.people_width
        side.display, folk.display = panes.shows_sidebar, panes.shows_people
        self._screen.middle.display = panes.shows_middle
