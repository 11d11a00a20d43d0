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
from textual.widgets import Static, TextArea

from tui import keys
from tui.api.model import ChannelId, MessageId, UserId
from tui.config import Settings
from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.narrow import AllMessages, ChannelNarrow, DmNarrow, Mentions, Narrow, Starred, TopicNarrow
from tui.screens.composing import Composing
from tui.screens.conversation import OpenConversation
from tui.screens.dialogs.help import Help
from tui.screens.display import Display
from tui.screens.emoji import EmojiList
from tui.screens.navigation import Trail
from tui.screens.seen import Seen
from tui.store import Changes
from tui.view.messages import is_feed
from tui.view.rows import EchoRow, MessageRow
from tui.view.sidebar import SidebarRow, next_unread
from tui.view.times import Times
from tui.widgets.composer import Composer
from tui.widgets.content_inline import Reader
from tui.widgets.hint_line import HintLine
from tui.widgets.message_list import MessageList
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from tui.screens.session import OpenSession, Session
    from tui.sync.status import Status

PANES = ("#sidebar", "#messages", "#composer", "#people")
PAUSE_SECONDS = 0.5
"""Without a key for so long, what is written goes to the disk."""

TALL = 30
"""Rows from which the composer may take more than it needs."""


class MainScreen(Screen[str]):
    """An account's conversations. Dismissed with a sentence when it is signed out."""

    CSS = """
    MainScreen { background: $background; }
    MainScreen #side, MainScreen #folk { background: $panel; }
    MainScreen #middle { width: 1fr; background: $background; }
    MainScreen .heading { height: 1; padding: 0 1; color: $text-muted; background: $panel; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    MainScreen #organisation { color: $foreground; }
    MainScreen.tall Composer { padding: 1 1; }
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.CONVERSATION)]

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
        self.times = Times(zone=zone, twelve_hour=settings.clock == "12h")
        self._session: Session | None = None
        self._trail: Trail[Narrow] = Trail()
        self.display_parts = Display(self, lambda: self.session, clock)
        self._pause: Timer | None = None

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
        yield HintLine()

    def on_mount(self) -> None:
        """The first frame comes before the network, and before what needs it is imported."""
        self.open_narrow = OpenConversation(
            self.messages,
            lambda: self.session,
            times=self.times,
            today=self._today,
            trouble=self.tell,
        )
        self.seen = Seen(lambda: self.session, marks_read=self.settings.mark_read)
        self.composing = Composing(
            self.composer, self.status_line, lambda: self.session, trouble=self.tell
        )
        self._lay_out()
        self.messages.set_empty("Connecting…")
        self.messages.focus()
        self.call_after_refresh(self._start_session)

    def _start_session(self) -> None:
        from tui.screens.acts import MessageActs
        from tui.screens.ways import Ways

        self.emoji = EmojiList(lambda: self.session)
        self.acts = MessageActs(self)
        self.ways = Ways(self)
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
        self.display_parts.follow(changes)
        if changes.replaced or changes.users or changes.channels:
            self.composing.refresh()
        if changes.realm_closed:
            self.dismiss("This organisation was closed.")

    @on(StatusChanged)
    def _status_changed(self, event: StatusChanged) -> None:
        from tui.sync.status import Live, SignedOut

        self.display_parts.follow_status(event.status)
        match event.status:
            case SignedOut(sentence):
                self.dismiss(f"Signed out: {sentence}")
            case Live():
                self.open_narrow.rearm()
            case _:
                pass

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
        self.display_parts.open(narrow)
        if isinstance(narrow, ChannelNarrow | TopicNarrow):
            self.begin(self._load_topics(narrow.channel_id))
        await opening
        if self.composing.place is None and self.open_narrow.narrow == narrow:
            self.composing.follow(narrow, self.open_narrow.suggested())

    async def _load_topics(self, channel_id: ChannelId) -> None:
        if channel_id not in self.session.store.topics.complete:
            await self.session.sync.history.topics(channel_id)

    # What widgets ask

    @on(MessageList.NearTop, "#messages")
    def _near_top(self) -> None:
        self.begin(self.open_narrow.load_older(), group="older")

    @on(MessageList.NearBottom, "#messages")
    def _near_bottom(self) -> None:
        self.begin(self.open_narrow.load_newer(), group="newer")

    @on(MessageList.NewestRequested, "#messages")
    def _newest_requested(self, event: MessageList.NewestRequested) -> None:
        if not event.loaded:
            self.begin(self.open_narrow.go_to_newest(), group="open")

    @on(StatusLine.NewestRequested)
    def _newest_clicked(self) -> None:
        self.messages.action_newest()

    @on(MessageList.TailChanged, "#messages")
    def _tail_changed(self, event: MessageList.TailChanged) -> None:
        more = f"↓ {event.below} new · End" if event.below else ""
        self.status_line.show(below=more)

    @on(MessageList.Viewed, "#messages")
    def _viewed(self, event: MessageList.Viewed) -> None:
        self.seen.see(self.open_narrow.narrow, event.keys)
        self.open_narrow.stand()

    @on(MessageList.Selected, "#messages")
    def _row_selected(self) -> None:
        self.seen.resume()
        narrow = self.open_narrow.narrow
        if narrow is not None and is_feed(narrow) and not self.composer.text.strip():
            self.composing.write_to(self.open_narrow.suggested())

    @on(ConversationList.Asked)
    def _asked(self, event: ConversationList.Asked) -> None:
        row = self.messages.selected
        if isinstance(row, MessageRow | EchoRow):
            self.begin(self.acts.act(event.act, row))

    @on(MessageList.Activated, "#messages")
    def _activated(self) -> None:
        self.messages.action_act("open")

    @on(MessageList.Clicked, "#messages")
    def _clicked(self, event: MessageList.Clicked) -> None:
        row = next((r for r in self.messages.items if r.key == event.key), None)
        if row is not None:
            self.begin(self.acts.click(row, event.meta))

    @on(MessageList.Activated, "#sidebar")
    @on(MessageList.Clicked, "#sidebar")
    def _sidebar_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        row = next((r for r in self.side.items if r.key == event.key), None)
        if row is not None:
            self._follow_sidebar(row)

    def _follow_sidebar(self, row: SidebarRow) -> None:
        if row.kind == "more" and row.channel_id is not None:
            self.display_parts.toggle_topics(row.channel_id)
        elif isinstance(row.target, str):
            self.action_open_view(row.target)
        elif row.target is not None:
            self.go(row.target)

    @on(MessageList.Activated, "#people")
    @on(MessageList.Clicked, "#people")
    def _person_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        if isinstance(event.key, int):
            self.go(DmNarrow(frozenset({UserId(event.key), self.session.store.self_id})))

    # Writing

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        self.begin(self._submit(event.text))

    async def _submit(self, text: str) -> None:
        is_new = self.composing.editing is None
        await self.composing.submit(text)
        if is_new and self.composing.place == self.open_narrow.narrow:
            self.messages.action_newest()

    @on(Composer.Left)
    def _left_composer(self) -> None:
        if not self.composing.cancel_edit():
            self.composing.keep()
        self.messages.focus()

    @on(TextArea.Changed, "#composer")
    def _typed(self) -> None:
        if self._session is None or not self.session.has_store:
            return
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_SECONDS, self.composing.keep)
        if self.composer.has_focus:
            self.begin(self.composing.typed(), group="typing")

    # The terminal

    def on_app_focus(self) -> None:
        """The person looks again: what is on screen is read now."""
        self.seen.looks = True
        self.messages.report_viewed()

    def on_app_blur(self) -> None:
        """What comes from now on was not seen."""
        self.seen.looks = False

    def on_key(self) -> None:
        """Somebody is there."""
        if self._session is not None:
            self.session.presence.touch()

    # Actions of `keys.CONVERSATION`

    def action_jump(self) -> None:
        self.begin(self.ways.jump())

    def action_search(self) -> None:
        self.begin(self.ways.search())

    def action_new_message(self) -> None:
        self.begin(self.ways.new_message())

    def action_mark_conversation_read(self) -> None:
        self.begin(self.ways.mark_read())

    def action_open_view(self, view: str) -> None:
        match view:
            case "all":
                self.go(AllMessages())
            case "mentions":
                self.go(Mentions())
            case "starred":
                self.go(Starred())
            case "drafts":
                self.begin(self.ways.drafts())
            case "browse":
                self.begin(self.ways.browse())

    def action_next_unread(self) -> None:
        place = next_unread(self.session.store, self.open_narrow.narrow)
        if place is None:
            self.tell("You have read everything.")
        else:
            self.go(place)

    def action_back(self) -> None:
        place = self._trail.back()
        if place is not None:
            self._open(place)

    def action_forward(self) -> None:
        place = self._trail.forward()
        if place is not None:
            self._open(place)

    def action_write(self) -> None:
        self.composer.focus()

    def action_help(self) -> None:
        self.app.push_screen(Help(self.settings.keys))

    def action_toggle_sidebar(self) -> None:
        panes = self.display_parts.panes
        panes.sidebar_wish = not panes.shows_sidebar
        self._lay_out()
        (self.side if panes.shows_sidebar else self.messages).focus()

    def action_toggle_people(self) -> None:
        panes = self.display_parts.panes
        panes.people_wish = not panes.shows_people
        self._lay_out()
        if not panes.shows_people and isinstance(self.focused, PeopleList):
            self.messages.focus()

    def action_focus_pane(self, direction: int) -> None:
        panes = self.display_parts.panes
        hidden = {"#sidebar": not panes.shows_sidebar, "#people": not panes.shows_people}
        shown = [self.query_one(each) for each in PANES if not hidden.get(each)]
        at = shown.index(self.focused) if self.focused in shown else 0
        shown[(at + direction) % len(shown)].focus()

    # Size

    def on_resize(self, event: events.Resize) -> None:
        """Panes come and go with the size of the terminal."""
        self.set_class(event.size.height >= TALL, "tall")
        if self.display_parts.panes.resize(event.size.width):
            self._lay_out()

    def _lay_out(self) -> None:
        self.display_parts.lay_out()
        if self._session is not None and self.session.has_store:
            self.display_parts.show_people()
