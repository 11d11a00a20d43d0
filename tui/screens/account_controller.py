"""Controller of an open account: session, changes of the store, navigation. No widgets but its panes.

It wires the controllers to the session; keys, the mouse and widget messages are `account_screen.py`'s.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import date, datetime, tzinfo
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from textual.app import App
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from tui import bugs
from tui.api.model import MessageId
from tui.config import Settings
from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.narrow import Narrow
from tui.screens import warming
from tui.screens.accounts.host import AccountHost, SingleAccountHost
from tui.screens.chat_panes import ChatPanes
from tui.screens.compose.controller import ComposeController
from tui.screens.compose.sending import SendController
from tui.screens.conversation import OpenConversation
from tui.screens.emoji import EmojiList
from tui.screens.messages import following
from tui.screens.messages.late_pictures import LatePictures
from tui.screens.navigation.back_forward import NavigationHistory, Stop
from tui.screens.navigation.undo import UndoStack
from tui.screens.news import News, StatusChanged, StoreChanged
from tui.screens.overviews import Overviews
from tui.screens.read_tracker import ReadTracker
from tui.screens.session import OpenSession, Session
from tui.screens.toasts import fitting, reading_seconds
from tui.screens.topic_lists import TopicLists
from tui.screens.type_ahead import hold_type_ahead
from tui.screens.workers import Work, start_worker
from tui.store import Changes
from tui.sync.status import Live, Retrying, SignedOut, Status
from tui.view import initial_narrow
from tui.view.overview import OverviewName
from tui.view.times import Times
from tui.widgets.content_inline import Reader

if TYPE_CHECKING:
    # Imported at first use: these bring in the network libraries, which the first frame must not wait for.
    from tui.screens.compose.actions import ComposeActions
    from tui.screens.compose.autocomplete import AutocompleteController
    from tui.screens.dialogs.base import Dialog
    from tui.screens.messages.actions import MessageActions
    from tui.screens.messages.pictures import Gallery
    from tui.screens.navigation.actions import ConversationActions
    from tui.screens.navigation.navigator import Navigator
    from tui.screens.navigation.searching import SearchController
    from tui.screens.organization.administration import Administration

T = TypeVar("T")
TICK_SECONDS = 1.0
FRAME_SECONDS = 0.1
"""Time for drawing the conversation before the composer is made, and the network and its libraries imported."""


class AccountController:
    """The state and actions of an account, for its screen and the controllers (an `AccountContext`)."""

    def __init__(
        self,
        screen: Screen[str],
        open_session: OpenSession,
        settings: Settings,
        *,
        zone: tzinfo | None = None,
        clock: Callable[[], float] = time.time,
        start: str | None = None,
        home: AccountHost | None = None,
    ) -> None:
        """`start` is the first narrow, in the search language; "" is all messages, None the best guess.

        `screen` is dismissed with a sentence when the account is signed out.
        """
        self._screen = screen
        self._open_session = open_session
        self._session: Session | None = None
        self._start = start
        self._zone = zone
        self.settings = settings
        self.clock = clock
        self.home: AccountHost = home or SingleAccountHost()
        self.times = Times(zone=zone, twelve_hour=settings.clock == "12h")
        self.history: NavigationHistory[Narrow | OverviewName] = NavigationHistory()
        self.undoing = UndoStack()
        self.followers: list[Callable[[Changes], None]] = []
        self._news = News(screen)
        self._pictures = LatePictures(lambda: self.gallery)
        self._has_trouble = False
        self._is_leaving = False
        """Whether another narrow is about to be opened by a worker that has not begun yet."""
        self._day = self.today()
        self.panes = panes = ChatPanes(self)
        self.open_narrow = OpenConversation(
            panes.messages,
            lambda: self.session,
            times=self.times,
            today=self.today,
            trouble=self.toast,
        )
        self.seen = ReadTracker(
            lambda: self.session,
            looks=lambda: self.home.looks(self),
            marks_read=settings.mark_read,
        )
        self.composing = ComposeController(
            panes.composer_place, panes.status_line, lambda: self.session,
            trouble=self.toast, hold_seconds=settings.hold_seconds,
        )  # fmt: skip
        self.emoji = EmojiList(lambda: self.session)
        self.topic_lists = TopicLists(lambda: self.session, self.run)
        self.overviews = Overviews(self)
        self.sending = SendController(self)

    @property
    def session(self) -> Session:
        """The account's connection and store. Only after the session was opened."""
        assert self._session is not None
        return self._session

    @property
    def has_session(self) -> bool:
        """Whether the session was opened."""
        return self._session is not None

    @property
    def is_ready(self) -> bool:
        """Whether the store holds a snapshot yet."""
        return self._session is not None and self.session.has_store

    @property
    def app(self) -> App[object]:
        """The application."""
        return self._screen.app

    @property
    def focused(self) -> Widget | None:
        """The widget that has the focus."""
        return self._screen.focused

    def begin(self) -> None:
        """Lay out the panes; the session starts after the first frame, before the network is imported."""
        self.panes.lay_out()
        self.apply(self.settings)
        self.panes.messages.set_empty("Connecting…")
        self.panes.messages.focus()
        self._screen.call_after_refresh(self._start_session)

    def _start_session(self) -> None:
        try:
            self._session = self._open_session(self)
        except TuiError as error:
            self.home.left(self, str(error))
            return
        except Exception as error:  # noqa: BLE001  # a bug: the other accounts, and signing in, still work
            bugs.report(error, "Opening the account")
            self.home.left(self, "This account could not be opened because of a bug.")
            return
        if trouble := sanitize_line(self.session.database.trouble):
            self._screen.notify(trouble, severity="warning", markup=False, timeout=60)
        if self.session.has_store:
            self.store_changed(Changes(replaced=True))
        self._screen.call_after_refresh(self._run_session)

    def _run_session(self) -> None:
        start_worker(self._screen, partial(self.session.run, self._drawn), group="session")
        self._screen.set_interval(TICK_SECONDS, self._tick)
        warm_up = partial(warming.warm_up, self.app)
        self._screen.set_timer(warming.AFTER, partial(self.run, warm_up, group="warming"))

    async def _drawn(self) -> None:
        """Connect to the network, now that the cached state is drawn, and enable the actions."""
        if self.is_ready:
            await asyncio.sleep(FRAME_SECONDS)
        self.session.sync.listen(self.compose_actions)

    @property
    def is_opening(self) -> bool:
        """Whether the first snapshot is still loading from the disk or the server; keys wait for it."""
        return not self.is_ready and not self._has_trouble

    @cached_property
    def message_actions(self) -> MessageActions:
        """The actions on messages; like those below, imported at first use."""
        from tui.screens.messages.actions import MessageActions

        return MessageActions(
            self,
            self.compose_actions,
            lambda: self.gallery,
            destination=lambda: self.navigator.destination("Forward to"),
        )

    @cached_property
    def navigator(self) -> Navigator:
        """Navigation to other conversations and views."""
        from tui.screens.navigation.navigator import Navigator

        return Navigator(
            self,
            show_scheduled=lambda: self.compose_actions.schedule.show(),
        )

    @cached_property
    def place_actions(self) -> ConversationActions:
        """The actions on conversations."""
        from tui.screens.navigation.actions import ConversationActions

        return ConversationActions(self)

    @cached_property
    def search(self) -> SearchController:
        """The search prompts."""
        from tui.screens.navigation.searching import SearchController

        return SearchController(self)

    @cached_property
    def compose_actions(self) -> ComposeActions:
        """The composer's actions beyond sending a line now."""
        from tui.screens.compose.actions import ComposeActions

        return ComposeActions(self)

    @cached_property
    def autocomplete(self) -> AutocompleteController:
        """The completions in the composer."""
        from tui.screens.compose.autocomplete import AutocompleteController

        return AutocompleteController(
            self.panes.composer, lambda: self.panes.completion_list, lambda: self.session, self.emoji,
            self._zone, lambda: self.current_narrow,
        )  # fmt: skip

    @cached_property
    def gallery(self) -> Gallery:
        """The pictures of messages."""
        from tui.screens.messages.pictures import Gallery

        return Gallery(self)

    @cached_property
    def administration(self) -> Administration:
        """The organization's pages."""
        from tui.screens.organization.administration import Administration

        return Administration(self)

    def _tick(self) -> None:
        """Handle what time brings: typing notices, a new day, changes that other windows wrote to the disk."""
        if self.session.typing.is_typing:
            self.run(self.session.typing.tick, group="typing")
        if self._day != self.today():
            self._day = self.today()
            if self.is_ready:
                self.store_changed(Changes(replaced=True))  # what was today is yesterday
        with suppress(TuiError):  # a disk failure is reported when something is to be written
            self.session.look_around()

    def leave(self, sentence: str) -> None:
        """Close the account with a sentence why, also while a dialog is open."""
        self.keep_draft()
        self.home.left(self, sentence)

    def look(self) -> None:
        """Report the messages on screen as read, since the user looks at them again."""
        if self.is_ready:
            self.panes.messages.report_viewed()

    def keep_draft(self) -> None:
        """Save the draft at once, without waiting for a pause in typing."""
        if self.is_ready:
            self.composing.keep()

    def today(self) -> date:
        """The date in the user's time zone."""
        return datetime.fromtimestamp(self.clock(), self._zone).date()

    def toast(self, sentence: str) -> None:
        """Show a sentence in a toast; from an account that is not shown, with its name."""
        name = "" if self.home.is_shown(self) else self.home.label(self)
        whole = sanitize_line(f"{name}: {sentence}" if name else sentence)
        fitted = fitting(whole, *self.app.size)
        self._screen.notify(fitted, markup=False, timeout=reading_seconds(fitted))

    def run(self, work: Work, *, group: str = "actions") -> Worker[None]:
        """Run `work` in the background; show a TuiError as a toast and report a bug.

        Of a group only the last goes on. `work` is called when it begins: it may be canceled before that.
        """
        reporting = partial(self._with_notice, work)
        return start_worker(self._screen, reporting, group=group, exclusive=group != "actions")

    async def ask(self, dialog: Dialog[T]) -> T | None:
        """Show a dialog; return its result, None for Esc."""
        return await self.app.push_screen_wait(dialog)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard."""
        self.app.copy_to_clipboard(text)

    def open_url(self, url: str) -> None:
        """Open an address in the browser."""
        self.app.open_url(url)

    @property
    def current_narrow(self) -> Narrow | None:
        """The narrow that is open, or lies below an overview."""
        return self.open_narrow.narrow

    @property
    def reader(self) -> Reader:
        """The user as a reader of messages: whose mentions are highlighted."""
        return self.panes.messages.reader

    @property
    def open_overview(self) -> OverviewName | None:
        """The overview that is open in place of the messages; None without one."""
        return self.overviews.opened

    def hold_type_ahead(self, text: str) -> AbstractContextManager[None]:
        """Hold type-ahead keys back while the block fetches what they are meant for."""
        return hold_type_ahead(self.panes.composer, text, self.composing.note)

    async def _with_notice(self, work: Work) -> None:
        try:
            await work()
        except TuiError as error:
            self.toast(str(error))

    def dismiss(self, result: str) -> object:
        """Leave the screen, with a sentence why."""
        return self._screen.dismiss(result)

    # Session events

    def store_changed(self, changes: Changes) -> None:
        """Pass changes of the store on to the screen; called by the sync machine."""
        self._news.tell(changes)

    def status_changed(self, status: Status) -> None:
        """Pass a change of the connection on to the screen; called by the sync machine."""
        self._screen.post_message(StatusChanged(status))

    def show_changes(self, event: StoreChanged) -> None:
        """Show the changes of the store on screen."""
        try:
            if event.changes.replaced:
                self._on_snapshot()
            if following.follow(self, event):
                self._reopen_lost()
        finally:
            self._news.taken(event)
        changes = event.changes
        has_counted = self.panes.panels.follow(changes)
        if changes.topics or changes.channels:
            self.topic_lists.follow(self.open_narrow.narrow)
        self.overviews.follow(changes)
        for follow in self.followers:
            follow(changes)
        if changes.replaced or has_counted or changes.parts:
            self.home.followed(self)
        if changes.replaced or changes.users or changes.channels:
            self.composing.refresh()
        if changes.moves or "outbox" in changes.parts:
            self.sending.follow(changes)
        if changes.realm_closed:
            self.leave("This organization was deactivated.")

    def show_status(self, status: Status) -> None:
        """Show the state of the connection."""
        self.panes.panels.follow_status(status)
        self.home.followed(self)
        match status:
            case SignedOut(sentence):
                self.leave(f"Signed out: {sentence}")
            case Retrying(sentence=sentence) if not self.is_ready:
                self._has_trouble = True
                self.panes.messages.set_empty(sanitize_line(sentence))
            case Live():
                self.open_narrow.retry_paging()
                self.topic_lists.follow(self.open_narrow.narrow)
                if self.open_narrow.is_missing or self.open_narrow.is_lost:
                    self._reopen()
            case _:
                pass

    def keep_setting(self, name: str, value: str | int) -> None:
        """Apply a setting in all accounts and keep it."""
        try:
            self.home.change(self, name, value)
        except TuiError as error:
            self.toast(str(error))

    def apply(self, settings: Settings) -> None:
        """Apply changed settings."""
        self.settings = settings
        self.times = Times(zone=self._zone, twelve_hour=settings.clock == "12h")
        self.panes.apply(settings)
        self.seen.marks_read = settings.mark_read
        self.composing.hold(settings.hold_seconds)
        self.open_narrow.times = self.times
        self.open_narrow.is_dense = settings.density == "compact"
        if self.is_ready:
            self.store_changed(Changes(replaced=True))

    def _reopen_lost(self) -> None:
        """Load the open narrow again where its messages were dropped and the server can be asked."""
        if self.open_narrow.is_lost and isinstance(self.session.sync.status, Live):
            self._reopen()

    def _reopen(self) -> None:
        """Load the open narrow again, unless the user has just gone somewhere else."""
        narrow = self.open_narrow.narrow
        if narrow is not None and not self._is_leaving:
            self._open(narrow)

    def _on_snapshot(self) -> None:
        """Show the first snapshot, or a new one."""
        store = self.session.store
        reader = Reader(
            user_id=store.self_id,
            group_ids=frozenset(
                each for each in store.groups.by_id if store.groups.includes(each, store.self_id)
            ),
            zone=self._zone,
            twelve_hour=self.settings.clock == "12h",
        )
        self.panes.messages.set_reader(reader)
        self.panes.messages.set_pictures(self._pictures)
        self._screen.refresh_bindings()  # actions that need the store are possible now, and the hints say so
        if self.open_narrow.narrow is None:
            self.go(*self._first_place())

    def _first_place(self) -> tuple[Narrow, MessageId | None]:
        """Return the narrow to start with: the one asked for, else the last one, else unread messages."""
        store = self.session.store
        if self._start is not None:
            try:
                return initial_narrow.asked_for(store, self._start)
            except TuiError as error:
                self.toast(str(error))
        return initial_narrow.first_place(store, self.session.last_place.read(store)), None

    # Navigation

    def go(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        """Open a narrow, at a message if one is given; or an overview."""
        self.history.go(narrow, near, self.open_narrow.current_message)
        self._open(narrow, near)

    def _open(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        if isinstance(narrow, str):
            self.overviews.open(narrow)
            return
        self.overviews.close()
        self._is_leaving = True
        self.run(partial(self._show, narrow, near), group="open")

    def go_back(self) -> None:
        """Go back in the history of narrows."""
        self._return_to(self.history.back(self.open_narrow.current_message))

    def go_forward(self) -> None:
        """Go forward in the history of narrows."""
        self._return_to(self.history.forward(self.open_narrow.current_message))

    def _return_to(self, stop: Stop[Narrow | OverviewName] | None) -> None:
        if stop is not None:
            self._open(stop[0], stop[1] or self.open_narrow.left_at(stop[0]))

    async def _show(self, narrow: Narrow, near: MessageId | None) -> None:
        self._is_leaving = False
        self.session.opened(narrow)
        opening = self.open_narrow.open(narrow, near)
        self.panes.status_line.show(below="")
        self.composing.follow(narrow, None)
        # In a conversation a draft without a recipient may come meanwhile: it gets none.
        is_feed = self.composing.place is None
        self.panes.panels.open(narrow)
        self.topic_lists.follow(narrow)
        await opening
        if self.panes.composer_place.is_empty:
            self._screen.set_timer(FRAME_SECONDS, self.panes.make_composer)
        if is_feed and self.composing.place is None and self.open_narrow.narrow == narrow:
            self.composing.follow(narrow, self.open_narrow.suggested())
