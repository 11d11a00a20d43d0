"""An account's screen: passes messages of widgets and keys on to the controllers.

Rows are made in `tui.view`, conversations in `conversation.py`; actions are `account_controller.py`'s, the
widgets are `chat_panes.py`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from tui import keys
from tui.api.model import ChannelId, UserId
from tui.config import Settings
from tui.content.pasted import fit
from tui.errors import TuiError
from tui.host import host_of
from tui.narrow import DmNarrow, TopicNarrow
from tui.screens import alerts, layout_requests
from tui.screens.account_controller import AccountController
from tui.screens.accounts.host import AccountHost
from tui.screens.messages import following
from tui.screens.navigation.next_unread import go_to_next_unread
from tui.screens.news import StatusChanged, StoreChanged
from tui.screens.pause import Pause
from tui.screens.session import OpenSession
from tui.screens.workers import CancelWorkersMixin
from tui.view.messages import is_feed
from tui.view.row_actions import actions_of
from tui.view.rows import EchoRow, MessageRow
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.account_lines import AccountLines
from tui.widgets.hint_line import HintLine
from tui.widgets.message_list import MessageList
from tui.widgets.row_lists import ConversationList
from tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    # Imported after the first frame.
    from textual.widgets import TextArea

    from tui.widgets.completion_list import CompletionList
    from tui.widgets.composer import Composer

TALL = 30
"""From this many rows on, the composer may be taller than its text."""
NEED_STORE = frozenset(
    {
        "jump", "next_unread", "back", "forward", "new_message", "search", "open_view",
        "write", "writing", "place", "organization", "go_to_sent",
    }
)  # fmt: skip
PAUSE_SECONDS = 0.5
"""Seconds without a key after which the draft is saved."""
MOST_UNSAVED_SECONDS = 5.0
"""Seconds of typing after which it is saved without a pause."""


class AccountScreen(CancelWorkersMixin, Screen[str]):
    """An account's conversations, for keys and the mouse.

    Dismissed with a sentence when the account is signed out.
    """

    AUTO_FOCUS = ""

    CSS = """
    AccountScreen { background: $background; }
    AccountScreen #side, AccountScreen #people-pane { background: $panel; }
    AccountScreen #middle { width: 1fr; background: $background; }
    AccountScreen .heading { height: 1; padding: 0 1; color: $text-muted; background: $panel; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    AccountScreen .-in-list > #people_heading { color: $primary; text-style: bold reverse; }
    AccountScreen Composer, AccountScreen ComposerPlace, AccountScreen Preview { max-width: 100%; }
    AccountScreen Composer:focus { background: $primary 12%; }
    AccountScreen Composer:focus:ansi { background: $background; }
    AccountScreen.tall Composer { padding: 1 1 1 2; }
    AccountScreen.tall ComposerPlace { height: 3; padding: 1 1 1 2; }
    AccountScreen.tall Preview { margin-top: 1; }
    AccountScreen.tall Preview #preview_body { max-height: 12; }
    AccountScreen.tall #organization.several { margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.CONVERSATION)]
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """As Textual's; the widgets that lose and get the focus are painted anew, and nothing else."""

    def __init__(
        self,
        open_session: OpenSession,
        settings: Settings,
        *,
        zone: tzinfo | None = None,
        clock: Callable[[], float] = time.time,
        start: str | None = None,
        home: AccountHost | None = None,
    ) -> None:
        """The parameters are those of `AccountController`."""
        super().__init__()
        self.account = AccountController(
            self, open_session, settings, zone=zone, clock=clock, start=start, home=home
        )
        self.panes = self.account.panes
        self._follow_height(self.app.size)  # before it and its widgets get their styles
        self._pause = Pause(
            self, PAUSE_SECONDS, self.account.composing.keep, most=MOST_UNSAVED_SECONDS
        )
        self._is_resizing = False
        self._theme = self.app.theme
        self._offered: AbstractSet[str] = frozenset()
        self._topics_wanted: set[ChannelId] = set()
        """Channels whose topics are being fetched for completion."""

    def compose(self) -> ComposeResult:
        yield self.panes
        yield HintLine()

    def on_mount(self) -> None:
        """Draw the first frame before the network starts."""
        self.account.begin()

    def on_resize(self, event: events.Resize) -> None:
        """Show or hide panes for the size of the terminal."""
        self._follow_height(event.size)
        self.panes.resized(event.size)

    def _follow_height(self, size: Size) -> None:
        self.set_class(size.height >= TALL, "tall")

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Skip restyling where the theme is unchanged: Textual would restyle all widgets twice more."""
        event.refresh_styles = self._theme != self.app.theme
        self._theme = self.app.theme

    def on_screen_suspend(self) -> None:
        """Draw nothing: a dialog in front draws what shows through, and Textual would draw both again."""
        self._repaint_required = False

    def _screen_resized(self, size: Size) -> None:
        """As Textual's, once for each size: its own layout tells the screen a second time, and each container that
        learns its size asks for another. Drawn once its lists have taken their new sizes.
        """
        if size == self._compositor.size:
            return
        scrollbars = layout_requests.scrollbars(self)
        self._is_resizing = True
        try:
            super()._screen_resized(size)
        finally:
            self._is_resizing = False
        layout_requests.drop(self, scrollbars)
        if self.is_current and not self.app._batch_count:
            self._repaint_required = False  # all of it is on its way
            self._dirty_widgets.add(self)
            self._update_timer.resume()

    def _compositor_refresh(self) -> None:
        if not self._is_resizing:
            super()._compositor_refresh()
            if self.app.screen is not self:
                self._repaint_required = False  # Textual has all of it drawn at the next change

    def _forward_event(self, event: events.Event) -> None:
        """Take mouse events at the sidebar's border for its width; pass all others on."""
        if not self.panes.border.takes(event):
            super()._forward_event(event)

    @property
    def is_opening(self) -> bool:
        """Whether keys wait for the first snapshot from the disk or the server."""
        return self.account.is_opening

    # Session events

    # Not decorated: handlers of an event or a letter are found by name at once (`tui.dispatch`).

    def on_store_changed(self, event: StoreChanged) -> None:
        """Show the changes."""
        self.account.show_changes(event)

    @on(StatusChanged)
    def _status_changed(self, event: StatusChanged) -> None:
        self.account.show_status(event.status)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that need the store before there is a snapshot."""
        if action in NEED_STORE and not self.account.is_ready:
            return None
        return super().check_action(action, parameters)

    # Messages of widgets

    @on(MessageList.NearTop, "#messages")
    def _near_top(self) -> None:
        self.account.run(self.account.open_narrow.load_older, group="older")

    @on(MessageList.NearBottom, "#messages")
    def _near_bottom(self) -> None:
        self.account.run(self.account.open_narrow.load_newer, group="newer")

    @on(MessageList.NewestRequested, "#messages")
    def _newest_requested(self, event: MessageList.NewestRequested) -> None:
        if not event.loaded:
            self.account.run(self.account.open_narrow.go_to_newest, group="open")

    @on(StatusLine.NewestRequested)
    def _newest_clicked(self) -> None:
        self.panes.messages.action_newest()

    @on(MessageList.TailChanged, "#messages")
    def _tail_changed(self, event: MessageList.TailChanged) -> None:
        more = f"↓ {event.below} new · End" if event.below else ""
        self.panes.status_line.show(below=more)

    @on(MessageList.Viewed, "#messages")
    def _viewed(self, event: MessageList.Viewed) -> None:
        following.see(self.account, event.keys)

    @on(MessageList.Selected, "#messages")
    def _row_selected(self) -> None:
        actions = actions_of(self.panes.messages.selected)
        if actions != self._offered:
            self._offered = actions
            self.refresh_bindings()  # another kind of message, other hints
        self.account.seen.resume()
        narrow = self.account.open_narrow.narrow
        if narrow is not None and is_feed(narrow) and not self.panes.composer_place.text.strip():
            self.account.composing.write_to(self.account.open_narrow.suggested())

    @on(MessageList.Selected)
    def _cursor_moved(self, event: MessageList.Selected) -> None:
        """Put the terminal's cursor where a screen reader reads."""
        place = event.message_list.cursor_place if self.account.settings.screen_reader else None
        if place is not None:
            self.app.cursor_position = place
            alerts.write(self.app, alerts.SHOW_CURSOR)

    @on(ConversationList.Asked)
    def _asked(self, event: ConversationList.Asked) -> None:
        row = self.panes.messages.selected
        if self.account.is_ready and isinstance(row, MessageRow | EchoRow):
            self.account.run(partial(self.account.message_actions.run, event.act, row))

    @on(MessageList.Activated, "#messages")
    def _activated(self) -> None:
        self.panes.messages.action_act("open")

    @on(MessageList.Clicked, "#messages")
    def _clicked(self, event: MessageList.Clicked) -> None:
        row = next((r for r in self.panes.messages.items if r.key == event.key), None)
        if row is not None:
            self.account.run(partial(self.account.message_actions.click, row, event.meta))

    @on(MessageList.Activated, "Sidebar")
    @on(MessageList.Clicked, "Sidebar")
    def _sidebar_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        row = next((r for r in self.panes.sidebar_rows if r.key == event.key), None)
        if row is not None:
            self._follow_sidebar(row)

    def _follow_sidebar(self, row: SidebarRow) -> None:
        if row.kind == "more" and row.channel_id is not None:
            self.panes.panels.toggle_topics(row.channel_id)
            self.account.run(partial(self.account.topic_lists.load, row.channel_id))
        elif row.section is not None:
            self.panes.panels.toggle_section(row)
        elif isinstance(row.target, str):
            self.action_open_view(row.target)
        elif row.target is not None:
            self.account.go(row.target)

    @on(AccountLines.Chosen)
    async def _account_chosen(self, event: AccountLines.Chosen) -> None:
        if event.at is None:
            await self.run_action("app.accounts")
        else:
            self.account.home.show_account(event.at)

    @on(MessageList.Activated, "#people")
    @on(MessageList.Clicked, "#people")
    def _person_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        if isinstance(event.key, int):
            self.account.go(
                DmNarrow(frozenset({UserId(event.key), self.account.session.store.self_id}))
            )

    @on(MessageList.Activated, "#overview")
    @on(MessageList.Clicked, "#overview")
    def _overview_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        if isinstance(event.key, TopicNarrow | DmNarrow):
            self.account.go(event.key)

    # Composing

    @on(StatusLine.DoingChosen)
    def _stop_file(self) -> None:
        if self.account.is_ready and self.account.compose_actions.attachments.is_busy:
            self.account.run(self.account.compose_actions.attachments.cancel)

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        """Send what was written."""
        if self.account.is_ready:
            self.account.run(partial(self.account.sending.send, event.text))
        else:
            self.panes.composer.settle(event.text, sent=False)

    def on_composer_pasted(self, event: Composer.Pasted) -> None:
        """Offer to attach the pasted text as a file, or to shorten it; the composer has it already."""
        if self.account.is_ready:
            self.account.run(
                partial(
                    self.account.compose_actions.paste.look_at, event.text, left_out=event.left_out
                )
            )

    def on_composer_pasted_much(self, event: Composer.PastedMuch) -> None:
        """Ask how to insert a large paste."""
        if self.account.is_ready:
            self.account.run(partial(self.account.compose_actions.paste.ask, event.text))
        else:
            self.panes.composer.put_aside(event.text)

    def on_composer_image_wanted(self) -> None:
        """Offer to attach the image in the clipboard."""
        if self.account.is_ready:
            self.account.run(self.account.compose_actions.paste.image)

    def on_composer_left(self) -> None:
        """Save the draft, and go back to the messages."""
        if self.account.is_ready and not self.account.composing.cancel_edit():
            self.account.composing.keep()
        self.panes.reading.focus()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Propose completions for the draft, and save it at the next pause."""
        if not self.account.is_ready or event.text_area.id != "composer":
            return
        self._pause.restart()
        self.account.composing.count()  # also of what is put in before the composer has the focus
        if self.focused is self.panes.composer:
            if self.account.composing.typed():
                self.account.run(self.account.composing.notify_typing, group="typing")
            self.account.autocomplete.propose()
            if self.account.autocomplete.wants_emoji:
                self.account.run(self.account.emoji.load, group="emoji")
            if (
                wanted := self.account.autocomplete.wants_topics
            ) and wanted not in self._topics_wanted:
                self._topics_wanted.add(wanted)
                self.account.run(partial(self._propose_topics, wanted))
        self.account.compose_actions.preview.follow()

    async def _propose_topics(self, channel_id: ChannelId) -> None:
        """Fetch the topics of the channel that is being completed, then propose them."""
        try:
            await self.account.topic_lists.load_quietly(channel_id)
        finally:
            self._topics_wanted.discard(channel_id)
        if (
            self.panes.composer.has_focus
            and channel_id in self.account.session.store.topics.complete
        ):
            self.account.autocomplete.propose()

    def on_composer_completion_key(self, event: Composer.CompletionKey) -> None:
        """Pass a key on to the list of completions."""
        self.account.autocomplete.key(event.what)

    def on_completion_list_chosen(self, event: CompletionList.Chosen) -> None:
        """Insert the chosen completion."""
        self.account.autocomplete.take(event.completion)

    @on(events.DescendantBlur)
    def _blurred(self, event: events.DescendantBlur) -> None:
        if event.widget is self.panes.composer_place.shown and self.account.is_ready:
            self.account.composing.follow_draft()  # it came while the user was about to write
        if "autocomplete" in vars(self.account) and not self.panes.composer.has_focus:
            self.account.autocomplete.close()

    def on_composer_editor_requested(self) -> None:
        """Edit the draft in an external editor."""
        if self.account.is_ready:
            self.account.composing.keep()  # safe, whatever becomes of the editor or this program
        text, trouble, host = self.panes.composer.text, "", host_of(self.app)
        if not host.can("editor"):
            self.account.toast(host.refused["editor"])
            return
        from tui.screens.compose.editor import edit_outside  # no start waits for it

        try:
            with self.app.suspend():
                try:
                    text = fit(edit_outside(text, host))[0]
                except TuiError as error:
                    trouble = str(
                        error
                    )  # out of this block, Textual would not take the terminal back
        except SuspendNotSupported:
            trouble = "Chinwag cannot start an editor in this terminal."
        if trouble:
            self.account.toast(trouble)
        if text != self.panes.composer.text:
            self.panes.composer.replace_all(text)
            self.panes.composer.move_cursor(self.panes.composer.document.end)

    # The terminal

    def on_key(self) -> None:
        """Note that the user is active."""
        if self.account.has_session:
            self.account.session.presence.touch()

    # Actions of `keys.CONVERSATION`

    def action_jump(self) -> None:
        self.account.run(self.account.navigator.jump)

    def action_search(self) -> None:
        self.account.run(self.account.search.ask)

    def action_new_message(self) -> None:
        self.account.run(self.account.navigator.new_message)

    def action_place(self, act: str) -> None:
        """Run the action of `ConversationActions` with this name."""
        self.account.run(partial(self.account.place_actions.run, act))

    def action_open_view(self, view: str) -> None:
        self.account.run(partial(self.account.navigator.open_view, view))

    def action_writing(self, act: str) -> None:
        """Run the action of `ComposeActions` with this name."""
        self.account.run(partial(self.account.compose_actions.run, act))

    def action_organization(self, page: str = "") -> None:
        """Open a page of the organization by name; "" shows the list of pages."""
        work = (
            partial(self.account.administration.open, page)
            if page
            else self.account.administration.ask
        )
        self.account.run(work)

    def action_next_unread(self, direct: bool = False) -> None:
        go_to_next_unread(self.account, direct=direct)

    def action_filter_sidebar(self) -> None:
        self.panes.filter_sidebar()
        if self.account.is_ready:
            self.account.run(self.account.topic_lists.load_more, group="topics")

    def action_show_all(self) -> None:
        self.panes.show_all()

    def action_unread_row(self, direction: int) -> None:
        self.panes.select_unread_row(direction)

    def action_toggle_sidebar(self) -> None:
        self.panes.toggle_sidebar()

    def action_widen_sidebar(self, columns: int) -> None:
        self.panes.widen_sidebar(columns)

    def action_toggle_people(self) -> None:
        self.panes.toggle_people()

    def action_focus_pane(self, direction: int) -> None:
        self.panes.focus_pane(direction)

    def action_go_to_sent(self) -> None:
        self.account.sending.go()

    def action_back(self) -> None:
        self.account.go_back()

    def action_forward(self) -> None:
        self.account.go_forward()

    def action_retry_connection(self) -> None:
        if self.account.has_session:
            self.account.session.sync.retry_now(by_key=True)
            self.panes.panels.show_retry()

    def action_write(self) -> None:
        self.set_focus(self.panes.composer)  # at once: the next keys are meant for it

    def action_help(self) -> None:
        from tui.screens.dialogs.help import Help  # imported while the program is idle

        self.app.push_screen(Help(keys.keymap(self.account.settings)))
