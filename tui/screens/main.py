"""The main screen: conversations left, messages and composer in the middle, people right.

It wires: widgets tell it what the person wants, controllers do it, the session tells what changed.
What a row shows is decided in `tui.view`, what a conversation shows in `conversation.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from datetime import date, datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from textual import events, on
from textual.app import SuspendNotSupported
from textual.binding import BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from tui import keys
from tui.api.model import ChannelId, MessageId, UserId
from tui.config import Settings
from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow
from tui.screens.completing import Completing
from tui.screens.composing import Composing
from tui.screens.conversation import OpenConversation
from tui.screens.dialogs.help import Help
from tui.screens.editor import edit_outside
from tui.screens.emoji import EmojiList
from tui.screens.layout import MainLayout
from tui.screens.navigation import Trail
from tui.screens.overviews import Overviews
from tui.screens.seen import Seen
from tui.store import Changes
from tui.view import beginning
from tui.view.messages import is_feed
from tui.view.overview import OverviewName
from tui.view.rows import EchoRow, MessageRow
from tui.view.sidebar import SidebarRow, next_unread
from tui.view.times import Times
from tui.widgets.completion_list import CompletionList
from tui.widgets.composer import Composer
from tui.widgets.content_inline import Reader
from tui.widgets.message_list import MessageList
from tui.widgets.row_lists import ConversationList
from tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from tui.screens.session import OpenSession
    from tui.sync.status import Status

NEED_STORE = frozenset(
    {
        "jump", "next_unread", "back", "forward", "new_message", "search", "open_view",
        "write", "writing", "place",
    }
)  # fmt: skip
TICK_SECONDS = 1.0
Work: TypeAlias = Coroutine[Any, Any, None] | Callable[[], Coroutine[Any, Any, None]]
PAUSE_SECONDS = 0.5
"""Without a key for so long, what is written goes to the disk."""


class MainScreen(MainLayout):
    """An account's conversations. Dismissed with a sentence when it is signed out."""

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
        """`start` is what to open with, in the search language; "" is everything, None what fits."""
        super().__init__(settings, clock)
        self._open_session = open_session
        self._start = start
        self._zone = zone
        self.times = Times(zone=zone, twelve_hour=settings.clock == "12h")
        self._trail: Trail[Narrow | OverviewName] = Trail()
        self._pause: Timer | None = None

    def on_mount(self) -> None:
        """The first frame comes before the network, and before what needs it is imported."""
        self.open_narrow = OpenConversation(
            self.messages,
            lambda: self.session,
            times=self.times,
            today=self.today,
            trouble=self.tell,
        )
        self.seen = Seen(lambda: self.session, marks_read=self.settings.mark_read)
        self.composing = Composing(
            self.composer, self.status_line, lambda: self.session,
            trouble=self.tell, hold_seconds=self.settings.hold_seconds,
        )  # fmt: skip
        self.emoji = EmojiList(lambda: self.session)
        self.completing = Completing(
            self.composer, self.completion_list, lambda: self.session, self.emoji
        )
        self.overviews = Overviews(self)
        self.lay_out()
        self.messages.set_empty("Connecting…")
        self.messages.focus()
        self.call_after_refresh(self._start_session)

    def _start_session(self) -> None:
        from tui.screens.acts import MessageActs
        from tui.screens.places import PlaceActs
        from tui.screens.searching import Searching
        from tui.screens.ways import Ways
        from tui.screens.writing import Writing

        self.acts = MessageActs(self)
        self.ways = Ways(self)
        self.place_acts = PlaceActs(self)
        self.searching = Searching(self)
        self.writing = Writing(self)
        try:
            self._session = self._open_session(self)
        except TuiError as error:
            self.dismiss(str(error))
            return
        self.session.sync.listen(self.writing.notifying)
        self.run_worker(self.session.run(), group="session", exit_on_error=True)
        self.set_interval(TICK_SECONDS, self._tick)
        if self.session.has_store:
            self.store_changed(Changes(replaced=True))

    def _tick(self) -> None:
        """Who stopped typing long enough is not typing any more."""
        if self.session.typing.is_typing:
            self.begin(self.session.typing.tick, group="typing")

    def leave(self, sentence: str) -> None:
        """Close the account, with a sentence why, whatever is being asked just now."""
        self.keep_draft()
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss(sentence)

    def keep_draft(self) -> None:
        """Put what is being written on disk, without waiting for a pause."""
        if self.is_ready:
            self.composing.keep()

    def today(self) -> date:
        """The date where the person is."""
        return datetime.fromtimestamp(self.clock(), self._zone).date()

    def tell(self, sentence: str) -> None:
        """A sentence for the person, gone after a while."""
        self.notify(sanitise_line(sentence), markup=False, timeout=6)

    def begin(self, work: Work, *, group: str = "acts") -> None:
        """Do something in the background; a refusal is told, everything else is a bug.

        Of a group only the last goes on; it is callable, since it may be over before it begins.
        """
        told = partial(self._told, work)
        self.run_worker(told, group=group, exclusive=group != "acts")  # type: ignore[arg-type]  # Textual's type knows no `Any` coroutine

    async def _told(self, work: Work) -> None:
        try:
            await (work() if callable(work) else work)
        except TuiError as error:
            self.tell(str(error))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Before anything is known, only what needs no knowledge can be done."""
        if action in NEED_STORE and not self.is_ready:
            return None
        return super().check_action(action, parameters)

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
        self.overviews.follow(changes)
        if changes.replaced or changes.users or changes.channels:
            self.composing.refresh()
        if changes.realm_closed:
            self.leave("This organisation was closed.")

    @on(StatusChanged)
    def _status_changed(self, event: StatusChanged) -> None:
        from tui.sync.status import Live, Retrying, SignedOut

        self.display_parts.follow_status(event.status)
        match event.status:
            case SignedOut(sentence):
                self.leave(f"Signed out: {sentence}")
            case Retrying(sentence=sentence) if not self.is_ready:
                self.messages.set_empty(sanitise_line(sentence))
            case Live():
                self.open_narrow.rearm()
                if self.open_narrow.is_missing and self.open_narrow.narrow is not None:
                    self._open(self.open_narrow.narrow)
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
        """Where the person asked to begin, else where they were, else what is unread."""
        store = self.session.store
        if self._start is not None:
            try:
                return beginning.asked_for(store, self._start)
            except TuiError as error:
                self.tell(str(error))
        return beginning.first_place(store, self.session.last_place.read(store))

    # Going places

    def go(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        """Open a narrow, at a message if one is given; or an overview."""
        self._trail.go(narrow)
        self._open(narrow, near)

    def _open(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        if isinstance(narrow, str):
            self.overviews.open(narrow)
            return
        self.overviews.close()
        self.begin(partial(self._show, narrow, near), group="open")

    async def _show(self, narrow: Narrow, near: MessageId | None) -> None:
        self.session.opened(narrow)
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
        self.begin(self.open_narrow.load_older, group="older")

    @on(MessageList.NearBottom, "#messages")
    def _near_bottom(self) -> None:
        self.begin(self.open_narrow.load_newer, group="newer")

    @on(MessageList.NewestRequested, "#messages")
    def _newest_requested(self, event: MessageList.NewestRequested) -> None:
        if not event.loaded:
            self.begin(self.open_narrow.go_to_newest, group="open")

    @on(StatusLine.NewestRequested)
    def _newest_clicked(self) -> None:
        self.messages.action_newest()

    @on(MessageList.TailChanged, "#messages")
    def _tail_changed(self, event: MessageList.TailChanged) -> None:
        more = f"↓ {event.below} new · End" if event.below else ""
        self.status_line.show(below=more)

    @on(MessageList.Viewed, "#messages")
    def _viewed(self, event: MessageList.Viewed) -> None:
        if self.overviews.opened is None:
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
        if self.is_ready and isinstance(row, MessageRow | EchoRow):
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

    @on(MessageList.Activated, "#overview")
    @on(MessageList.Clicked, "#overview")
    def _overview_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        if isinstance(event.key, TopicNarrow | DmNarrow):
            self.go(event.key)

    # Writing

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        if self.is_ready:
            self.begin(self._submit(event.text))

    async def _submit(self, text: str) -> None:
        is_new = self.composing.editing is None
        await self.composing.submit(text)
        if is_new and self.composing.place == self.open_narrow.narrow:
            self.messages.action_newest()

    def on_paste(self, event: events.Paste) -> None:
        """The composer has it already; a path may be meant as a file."""
        if self.is_ready and self.composer.has_focus:
            self.begin(self.writing.attaching.offer(event.text))

    @on(Composer.Left)
    def _left_composer(self) -> None:
        if self.is_ready and not self.composing.cancel_edit():
            self.composing.keep()
        self.reading.focus()

    @on(TextArea.Changed, "#composer")
    def _typed(self) -> None:
        if not self.is_ready:
            return
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_SECONDS, self.composing.keep)
        if self.composer.has_focus:
            self.begin(self.composing.typed, group="typing")
            self.completing.propose()
            if self.completing.wants_emoji:
                self.begin(self.emoji.load, group="emoji")

    @on(Composer.CompletionKey)
    def _completion_key(self, event: Composer.CompletionKey) -> None:
        self.completing.key(event.what)

    @on(CompletionList.Chosen)
    def _completion_chosen(self, event: CompletionList.Chosen) -> None:
        self.completing.take(event.completion)

    @on(events.DescendantBlur)
    def _blurred(self) -> None:
        if self.is_ready and not self.composer.has_focus:
            self.completing.close()

    @on(Composer.EditorRequested)
    def _edit_outside(self) -> None:
        try:
            with self.app.suspend():
                text = edit_outside(self.composer.text)
        except SuspendNotSupported:
            self.tell("This terminal cannot be lent to another program.")
        except TuiError as error:
            self.tell(str(error))
        else:
            self.composer.load_text(text)
            self.composer.move_cursor(self.composer.document.end)

    # The terminal

    def on_app_focus(self) -> None:
        """The person looks again: what is on screen is read now."""
        self.seen.looks = True
        if self.is_ready:
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
        self.begin(self.searching.ask())

    def action_new_message(self) -> None:
        self.begin(self.ways.new_message())

    def action_place(self, act: str) -> None:
        """What `PlaceActs` does, by its name."""
        self.begin(self.place_acts.act(act))

    def action_open_view(self, view: str) -> None:
        self.begin(self.ways.open_view(view))

    def action_writing(self, act: str) -> None:
        """What `Writing` does, by its name."""
        self.begin(self.writing.act(act))

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
