"""The inbox and recent conversations in the middle of the screen: opening, updating, closing."""

from __future__ import annotations

from functools import partial

from tui.api.features import MESSAGES_BY_ID
from tui.api.model import MessageId
from tui.keys import keyboard_of
from tui.narrow import AllMessages
from tui.screens.context import ChatContext
from tui.store import Changes
from tui.view import overview
from tui.view.overview import OverviewName

MOST_PAGES = 3
"""Most pages of the combined feed that are searched for recent conversations."""
MOST_SINGLY = 60
"""Most messages to quote where the server returns them only one by one."""
MOST_CHANNELS = 50
"""Most channels whose topics are fetched, for the same reason."""


class Overviews:
    """The overview that takes the place of the messages while it is open."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self.opened: OverviewName | None = None
        self._asked: set[MessageId] = set()
        """Messages requested since an overview was opened, so that missing ones are not requested again."""

    def open(self, name: OverviewName) -> None:
        """Show an overview, and fetch the messages that it quotes."""
        context = self._context
        self.opened = name
        self._asked.clear()
        context.panes.messages.display, context.panes.overview.display = False, True
        context.panes.overview.set_empty(overview.empty(name, keyboard_of(context.app).key))
        context.composing.write_to(None)
        context.panes.panels.open(name)
        context.panes.status_line.show(below="")
        rows = self._rows(name)
        context.panes.overview.open(rows, at=rows[0].key if rows else None, row=0)
        first = next((row.key for row in rows if row.selectable), None)
        context.panes.overview.select(first)
        context.panes.overview.focus()
        context.run(partial(self._load, name), group="open")

    def close(self) -> None:
        """Show the messages again."""
        if self.opened is not None:
            self.opened = None
            context = self._context
            had_focus = context.panes.overview.has_focus
            context.panes.messages.display, context.panes.overview.display = True, False
            if had_focus:
                context.panes.messages.focus()

    def follow(self, changes: Changes) -> None:
        """Update the open overview from the store."""
        conversations = changes.conversations or changes.counts or changes.channels
        affected = conversations or changes.messages or changes.windows
        if self.opened is not None and (changes.replaced or affected or changes.topics):
            if changes.replaced:
                self._asked.clear()
            rows = self._rows(self.opened)
            self._context.panes.overview.update(rows)
            self._context.panes.panels.show_title()
            if self.opened == "inbox" and any(row.conversation and not row.time for row in rows):
                # An inbox that is open for long quotes what was forgotten meanwhile.
                self._context.run(partial(self._fetch_quoted, "inbox"))

    def _rows(self, name: OverviewName) -> list[overview.OverviewRow]:
        context = self._context
        return overview.rows(context.session.store, name, context.times, context.today())

    async def _load(self, name: OverviewName) -> None:
        await self._fetch_quoted(name)
        if name == "recent":
            await self._look_back()
            await self._list_topics()

    async def _fetch_quoted(self, name: OverviewName) -> None:
        if missing := self._missing(name):
            await self._context.session.sync.history.by_id(missing)

    def _missing(self, name: OverviewName) -> list[MessageId]:
        """Messages that are quoted and not known; the caller asks for them, and nobody again."""
        store = self._context.session.store
        missing = [each for each in overview.wanted(store, name) if each not in self._asked]
        if not MESSAGES_BY_ID.is_in(store.realm.feature_level):
            missing = missing[:MOST_SINGLY]
        self._asked.update(missing)
        return missing

    async def _look_back(self) -> None:
        """Fetch the last pages of the combined feed."""
        history = self._context.session.sync.history
        for _ in range(MOST_PAGES):
            stretch = self._context.session.store.messages.window(AllMessages()).at(None)
            if stretch is None:
                await history.around(AllMessages(), "newest")
            elif stretch.found_oldest or not stretch.ids or self.opened != "recent":
                return
            else:
                await history.older(AllMessages(), stretch.ids[0])

    async def _list_topics(self) -> None:
        """Fetch the newest message of each topic, so that busy topics do not hide quiet ones."""
        context = self._context
        for channel_id in overview.unlisted(context.session.store)[:MOST_CHANNELS]:
            if self.opened != "recent" or len(self._rows("recent")) >= overview.MOST:
                break
            await context.session.sync.history.topics(channel_id)
        await self._fetch_quoted("recent")
