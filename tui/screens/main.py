"""The main screen: conversations left, messages and composer in the middle, people right.

It wires: widgets tell it what the person wants, controllers do it, the session tells what changed.
What a row shows is decided in `tui.view`, what a conversation shows in `conversation.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from tui import keys
from tui.api.model import ChannelId, MessageId
from tui.config import Settings
from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.narrow import AllMessages, ChannelNarrow, Narrow, TopicNarrow
from tui.screens.composing import Composing
from tui.screens.conversation import OpenConversation
from tui.screens.navigation import Trail
from tui.screens.panes import Panes
from tui.store import Changes
from tui.view import sidebar, titles
from tui.view.people import people
from tui.view.times import Times
from tui.widgets.composer import Composer
from tui.widgets.content_inline import Reader
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from tui.screens.session import OpenSession, Session
    from tui.sync.status import Status

TALL = 30
"""Rows from which the composer may take more than it needs."""


class MainScreen(Screen[str]):
    """An account's conversations. Dismissed with a sentence when it is signed out."""

    CSS = """
    MainScreen { background: $background; }
    MainScreen #side, MainScreen #folk { background: $panel; }
    MainScreen #middle { width: 1fr; background: $background; }
    MainScreen .heading { height: 1; padding: 0 1; color: $text-muted; background: $panel; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    MainScreen .gone { display: none; }
    MainScreen #organisation { color: $foreground; }
    MainScreen Footer { background: $panel; }
    MainScreen.tall Composer { padding: 1 1; }
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.CONVERSATION)]
    FOCUS_ORDER: ClassVar[tuple[str, ...]] = ("#sidebar", "#messages", "#composer", "#people")

    class StoreChanged(Message):
        """What is known is otherwise now."""

        def __init__(self, changes: Changes) -> None:
            super().__init__()
            self.changes = changes

    class StatusChanged(Message):
        """The connection is otherwise now."""

        def __init__(self, status: Status) -> None:
            super().__init__()
            self.status = status

    def __init__(
        self,
        open_session: OpenSession,
        settings: Settings,
        *,
        zone: tzinfo | None = None,
        clock: Callable[[], float] = time.time,
        start: str | None = None,
    ) -> None:
        """`start` is a search or narrow to open with, in the search language."""
        super().__init__()
        self._open_session = open_session
        self.settings = settings
        self.clock = clock
        self._start = start
        self._zone = zone
        self._session: Session | None = None
        self._trail: Trail[Narrow] = Trail()
        self._panes = Panes()
        self._expanded: frozenset[ChannelId] = frozenset()
        self._retry_at: float | None = None
        self._countdown: Timer | None = None

    # The parts

    def compose(self) -> ComposeResult:
        with Horizontal(id="panes"):
            with Vertical(id="side"):
                yield Static(Content("chinwag"), id="organisation", classes="heading")
                yield Sidebar(id="sidebar")
            with Vertical(id="middle"):
                yield TitleBar(id="title")
                yield ConversationList(id="messages")
                yield StatusLine(id="status")
                yield Composer(enter_sends=self.settings.enter_sends, id="composer")
            with Vertical(id="folk"):
                yield Static(Content("People"), classes="heading")
                yield PeopleList(id="people")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The first frame comes before the network, and before what needs it is imported."""
        times = Times(zone=self._zone, twelve_hour=self.settings.clock == "12h")
        self.open_narrow = OpenConversation(
            self.messages, lambda: self.session, times=times, today=self._today, trouble=self.tell
        )
        self.composing = Composing(
            self.composer, self.status_line, lambda: self.session, trouble=self.tell
        )
        self._lay_out()
        self.messages.set_empty("Connecting…")
        self.messages.focus()
        self.call_after_refresh(self._start_session)

    def _start_session(self) -> None:
        try:
            self._session = self._open_session(self)
        except TuiError as error:
            self.dismiss(str(error))
            return
        self.run_worker(self.session.run(), group="session", exit_on_error=True)
        if self.session.has_store:
            self.store_changed(Changes(replaced=True))

    @property
    def session(self) -> Session:
        """The open account; asked for only after it was opened."""
        assert self._session is not None
        return self._session

    @property
    def messages(self) -> ConversationList:
        return self.query_one("#messages", ConversationList)

    @property
    def composer(self) -> Composer:
        return self.query_one("#composer", Composer)

    @property
    def status_line(self) -> StatusLine:
        return self.query_one("#status", StatusLine)

    @property
    def side(self) -> Sidebar:
        return self.query_one("#sidebar", Sidebar)

    def _today(self) -> date:
        return datetime.fromtimestamp(self.clock(), self._zone).date()

    def tell(self, sentence: str) -> None:
        """A sentence for the person, gone after a while."""
        self.notify(sanitise_line(sentence), markup=False, timeout=6)

    def begin(self, work: Coroutine[Any, Any, None], *, group: str = "acts") -> None:
        """Do something in the background; a refusal is told, everything else is a bug."""
        self.run_worker(self._told(work), group=group, exclusive=group != "acts")

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except TuiError as error:
            self.tell(str(error))

    # What the session tells

    def store_changed(self, changes: Changes) -> None:
        """For the sync machine."""
        self.post_message(self.StoreChanged(changes))

    def status_changed(self, status: Status) -> None:
        """For the sync machine."""
        self.post_message(self.StatusChanged(status))

    @on(StoreChanged)
    def _store_changed(self, event: StoreChanged) -> None:
        changes = event.changes
        if changes.replaced:
            self._welcome()
        if self.open_narrow.needs_refresh(changes):
            if changes.arrived and not self.app.app_focus:
                self.open_narrow.note_arrival_unseen(changes)
            self.open_narrow.refresh(changes.echoes)
        if changes.replaced or changes.typing:
            self._show_typing()
        listed = changes.conversations or changes.channels or changes.topics or changes.parts
        if changes.replaced or listed or changes.users or changes.people:
            self._show_sidebar()
        if changes.replaced or changes.users or changes.people or changes.channels:
            self._show_people()
            self._show_title()
            self.composing.refresh()
        if changes.realm_closed:
            self.dismiss("This organisation was closed.")

    @on(StatusChanged)
    def _status_changed(self, event: StatusChanged) -> None:
        from tui.sync.status import Live, Retrying, SignedOut

        status = event.status
        self._retry_at = None
        match status:
            case SignedOut(sentence):
                self.dismiss(f"Signed out: {sentence}")
            case Retrying() if not status.is_quiet:
                self._retry_at = self.clock() + status.seconds
                self._show_connection()
            case Live():
                self._show_connection()
                self.open_narrow.rearm()
            case _:
                self._show_connection()

    def _show_connection(self) -> None:
        from tui.sync.status import Connecting, Retrying

        bar = self.query_one(TitleBar)
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None
        if self._retry_at is not None:
            left = max(0, round(self._retry_at - self.clock()))
            bar.show_connection(
                f"offline: retrying in {left} s" if left else "offline: retrying…", "trouble"
            )
            self._countdown = self.set_timer(1.0, self._show_connection)
        elif isinstance(self.session.sync.status, Connecting | Retrying):
            bar.show_connection("connecting…", "busy")
        else:
            bar.show_connection("", "quiet")

    def _welcome(self) -> None:
        """The first answer, or everything anew."""
        store = self.session.store
        reader = Reader(
            user_id=store.self_id,
            group_ids=frozenset(
                each for each in store.groups.by_id if store.groups.includes(each, store.self_id)
            ),
            zone=self._zone,
            twelve_hour=self.settings.clock == "12h",
        )
        self.messages.set_reader(reader)
        name = sanitise_line(store.realm.settings.name) or "chinwag"
        self.query_one("#organisation", Static).update(Content(name))
        if self.open_narrow.narrow is None:
            self.go(self._first_narrow())

    def _first_narrow(self) -> Narrow:
        """Where to begin: where something waits, else everything."""
        return AllMessages()

    # Going places

    def go(self, narrow: Narrow, near: MessageId | None = None) -> None:
        """Open a narrow, at a message if one is given."""
        self._trail.go(narrow)
        self._open(narrow, near)

    def _open(self, narrow: Narrow, near: MessageId | None = None) -> None:
        self.begin(self._show(narrow, near), group="open")

    async def _show(self, narrow: Narrow, near: MessageId | None) -> None:
        opening = self.open_narrow.open(narrow, near)
        self.status_line.show(below="")
        self.composing.follow(narrow, None)
        self._show_title(narrow)
        self._show_sidebar(narrow)
        self._show_people(narrow)
        self._show_typing(narrow)
        if isinstance(narrow, ChannelNarrow | TopicNarrow):
            self.begin(self._load_topics(narrow.channel_id))
        await opening
        if self.composing.place is None and self.open_narrow.narrow == narrow:
            self.composing.follow(narrow, self.open_narrow.suggested())

    async def _load_topics(self, channel_id: ChannelId) -> None:
        if channel_id not in self.session.store.topics.complete:
            await self.session.sync.history.topics(channel_id)

    # What is shown

    def _show_title(self, narrow: Narrow | None = None) -> None:
        shown = narrow or self.open_narrow.narrow
        if shown is not None:
            self.query_one(TitleBar).show(titles.title(self.session.store, shown))

    def _show_sidebar(self, narrow: Narrow | None = None) -> None:
        rows = sidebar.sidebar(
            self.session.store,
            opened=narrow or self.open_narrow.narrow,
            expanded=self._expanded,
            drafts=0,
            now=self.clock(),
        )
        self.side.update(rows)

    def _show_people(self, narrow: Narrow | None = None) -> None:
        if self._panes.shows_people:
            shown = narrow or self.open_narrow.narrow
            rows = people(self.session.store, shown, self.clock())
            self.query_one(PeopleList).update(rows)

    def _show_typing(self, narrow: Narrow | None = None) -> None:
        shown = narrow or self.open_narrow.narrow
        if shown is not None:
            self.status_line.show(typing=titles.typists(self.session.store, shown))

    # Size

    def on_resize(self, event: events.Resize) -> None:
        """Panes come and go with the size of the terminal."""
        self.set_class(event.size.height >= TALL, "tall")
        if self._panes.resize(event.size.width):
            self._lay_out()

    def _lay_out(self) -> None:
        panes = self._panes
        side, folk = self.query_one("#side"), self.query_one("#folk")
        side.styles.width, folk.styles.width = panes.sidebar_width, panes.people_width
        side.set_class(not panes.shows_sidebar, "gone")
        folk.set_class(not panes.shows_people, "gone")
        if self._session is not None and self.session.has_store:
            self._show_people()
