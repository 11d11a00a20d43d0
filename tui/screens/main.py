"""The main screen: what its widgets tell and its keys ask is passed on to those who do it.

What a row shows is decided in `tui.view`, what a conversation shows in `conversation.py`; the account
behind the screen is `account.py`'s.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cached_property, partial
from typing import ClassVar

from textual import events, on
from textual.app import SuspendNotSupported
from textual.binding import BindingType
from textual.timer import Timer
from textual.widgets import TextArea

from tui import keys
from tui.api.model import ChannelId, UserId
from tui.content.pasted import fit
from tui.errors import TuiError
from tui.host import host_of
from tui.narrow import DmNarrow, Narrow, TopicNarrow
from tui.screens import alerts, news
from tui.screens.account import AccountScreen
from tui.screens.compose.editor import edit_outside
from tui.screens.dialogs.help import Help
from tui.view.messages import is_feed
from tui.view.row_actions import actions_of
from tui.view.rows import EchoRow, MessageRow
from tui.view.sidebar import SidebarRow
from tui.view.unreads import next_unread
from tui.widgets.account_lines import AccountLines
from tui.widgets.completion_list import CompletionList
from tui.widgets.composer import Composer
from tui.widgets.message_list import MessageList
from tui.widgets.row_lists import ConversationList
from tui.widgets.status_line import StatusLine

NEED_STORE = frozenset(
    {
        "jump", "next_unread", "back", "forward", "new_message", "search", "open_view",
        "write", "writing", "place", "organization", "go_to_sent",
    }
)  # fmt: skip
PAUSE_SECONDS = 0.5
"""Without a key for so long, what is written goes to the disk."""


class MainScreen(AccountScreen):
    """An account's conversations, for somebody with keys and a mouse."""

    CSS = """
    MainScreen { background: $background; }
    MainScreen #side, MainScreen #folk { background: $panel; }
    MainScreen #middle { width: 1fr; background: $background; }
    MainScreen .heading { height: 1; padding: 0 1; color: $text-muted; background: $panel; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    MainScreen .-in-list > #people_heading { color: $primary; text-style: bold reverse; }
    MainScreen Composer, MainScreen Preview { max-width: 100%; }
    MainScreen Composer:focus { background: $primary 12%; }
    MainScreen Composer:focus:ansi { background: $background; }
    MainScreen.tall Composer { padding: 1 1 1 2; }
    MainScreen.tall Preview { margin-top: 1; }
    MainScreen.tall Preview #preview_body { max-height: 12; }
    MainScreen.tall #organization.several { margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.CONVERSATION)]
    _pause: Timer | None = None
    _offered: AbstractSet[str] = frozenset()

    @cached_property
    def _topics_wanted(self) -> set[ChannelId]:
        """Channels whose topics are on their way to be proposed."""
        return set()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Before anything is known, only what needs no knowledge can be done."""
        if action in NEED_STORE and not self.is_ready:
            return None
        return super().check_action(action, parameters)

    # What widgets ask

    @on(MessageList.NearTop, "#messages")
    def _near_top(self) -> None:
        self.run(self.open_narrow.load_older, group="older")

    @on(MessageList.NearBottom, "#messages")
    def _near_bottom(self) -> None:
        self.run(self.open_narrow.load_newer, group="newer")

    @on(MessageList.NewestRequested, "#messages")
    def _newest_requested(self, event: MessageList.NewestRequested) -> None:
        if not event.loaded:
            self.run(self.open_narrow.go_to_newest, group="open")

    @on(StatusLine.NewestRequested)
    def _newest_clicked(self) -> None:
        self.messages.action_newest()

    @on(MessageList.TailChanged, "#messages")
    def _tail_changed(self, event: MessageList.TailChanged) -> None:
        more = f"↓ {event.below} new · End" if event.below else ""
        self.status_line.show(below=more)

    @on(MessageList.Viewed, "#messages")
    def _viewed(self, event: MessageList.Viewed) -> None:
        narrow = self.open_narrow.narrow
        if self.overviews.opened is None and narrow and self.open_narrow.is_shown(narrow):
            self.seen.see(narrow, event.keys)
            self.open_narrow.stand()

    @on(MessageList.Selected, "#messages")
    def _row_selected(self) -> None:
        actions = actions_of(self.messages.selected)
        if actions != self._offered:
            self._offered = actions
            self.refresh_bindings()  # another kind of message, other hints
        self.seen.resume()
        narrow = self.open_narrow.narrow
        if narrow is not None and is_feed(narrow) and not self.composer.text.strip():
            self.composing.write_to(self.open_narrow.suggested())

    @on(MessageList.Selected)
    def _cursor_moved(self, event: MessageList.Selected) -> None:
        """A screen reader reads where the terminal's cursor is."""
        place = event.message_list.cursor_place if self.settings.screen_reader else None
        if place is not None:
            self.app.cursor_position = place
            alerts.write(self.app, alerts.SHOW_CURSOR)

    @on(ConversationList.Asked)
    def _asked(self, event: ConversationList.Asked) -> None:
        row = self.messages.selected
        if self.is_ready and isinstance(row, MessageRow | EchoRow):
            self.run(self.message_actions.run(event.act, row))

    @on(MessageList.Activated, "#messages")
    def _activated(self) -> None:
        self.messages.action_act("open")

    @on(MessageList.Clicked, "#messages")
    def _clicked(self, event: MessageList.Clicked) -> None:
        row = next((r for r in self.messages.items if r.key == event.key), None)
        if row is not None:
            self.run(self.message_actions.click(row, event.meta))

    @on(MessageList.Activated, "Sidebar")
    @on(MessageList.Clicked, "Sidebar")
    def _sidebar_chosen(self, event: MessageList.Activated | MessageList.Clicked) -> None:
        row = next((r for r in self.sidebar_rows if r.key == event.key), None)
        if row is not None:
            self._follow_sidebar(row)

    def _follow_sidebar(self, row: SidebarRow) -> None:
        if row.kind == "more" and row.channel_id is not None:
            self.display_parts.toggle_topics(row.channel_id)
            self.run(self.topic_lists.load(row.channel_id))
        elif row.section is not None:
            self.display_parts.toggle_section(row)
        elif isinstance(row.target, str):
            self.action_open_view(row.target)
        elif row.target is not None:
            self.go(row.target)

    @on(AccountLines.Chosen)
    async def _account_chosen(self, event: AccountLines.Chosen) -> None:
        if event.at is None:
            await self.run_action("app.accounts")
        else:
            self.home.show_account(event.at)

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

    @on(StatusLine.DoingChosen)
    def _stop_file(self) -> None:
        if self.is_ready and self.writing.attaching.is_busy:
            self.run(self.writing.attaching.cancel())

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        if self.is_ready:
            self.run(self._submit(event.text))
        else:
            self.composer.settle(event.text, sent=False)

    async def _submit(self, text: str) -> None:
        place = await self.composing.submit(text)
        if place is None:
            return
        try:
            self.sent.note(place)
            if place == self.open_narrow.narrow:
                self.messages.action_newest()
                if self.composer.has_focus:
                    self.messages.select(None)  # the next arrow begins at what was just said
            await news.drawn(self, self.messages)  # before the disk is waited for
        finally:
            self.composing.keep()
        await self.session.typing.stop()

    @on(Composer.Pasted)
    def _pasted(self, event: Composer.Pasted) -> None:
        """The composer has it already; it may be meant as a file, or have a shorter form."""
        if self.is_ready:
            self.run(self.writing.pasting.look_at(event.text, left_out=event.left_out))

    @on(Composer.PastedMuch)
    def _pasted_much(self, event: Composer.PastedMuch) -> None:
        if self.is_ready:
            self.run(self.writing.pasting.ask(event.text))
        else:
            self.composer.put_aside(event.text)

    @on(Composer.ImageWanted)
    def _image_wanted(self) -> None:
        if self.is_ready:
            self.run(self.writing.pasting.image())

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
            self.run(self.composing.typed, group="typing")
            self.completing.propose()
            if self.completing.wants_emoji:
                self.run(self.emoji.load, group="emoji")
            if (wanted := self.completing.wants_topics) and wanted not in self._topics_wanted:
                self._topics_wanted.add(wanted)
                self.run(partial(self._propose_topics, wanted))

    async def _propose_topics(self, channel_id: ChannelId) -> None:
        """Fetch those of a channel after which one is being typed, and propose what there is."""
        try:
            await self.topic_lists.load_quietly(channel_id)
        finally:
            self._topics_wanted.discard(channel_id)
        if self.composer.has_focus and channel_id in self.session.store.topics.complete:
            self.completing.propose()

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
        if self.is_ready:
            self.composing.keep()  # whatever becomes of the other program, and of this one meanwhile
        text, trouble, host = self.composer.text, "", host_of(self.app)
        if not host.can("editor"):
            self.toast(host.refused["editor"])
            return
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
            self.toast(trouble)
        if text != self.composer.text:
            self.composer.replace_all(text)
            self.composer.move_cursor(self.composer.document.end)

    # The terminal

    def on_key(self) -> None:
        """Somebody is there."""
        if self._session is not None:
            self.session.presence.touch()

    # Actions of `keys.CONVERSATION`

    def action_jump(self) -> None:
        self.run(self.ways.jump())

    def action_search(self) -> None:
        self.run(self.searching.ask())

    def action_new_message(self) -> None:
        self.run(self.ways.new_message())

    def action_place(self, act: str) -> None:
        """What `ConversationActions` does, by its name."""
        self.run(self.place_actions.run(act))

    def action_open_view(self, view: str) -> None:
        self.run(self.ways.open_view(view))

    def action_writing(self, act: str) -> None:
        """What `ComposeActions` does, by its name."""
        self.run(self.writing.run(act))

    def action_organization(self, page: str = "") -> None:
        """A page of the organization by its name; "" asks which."""
        work = partial(self.administration.open, page) if page else self.administration.ask
        self.run(work)

    def action_next_unread(self, direct: bool = False) -> None:
        store = self.session.store
        here = None if self.overviews.opened else self.open_narrow.narrow
        if (isinstance(here, DmNarrow) or not direct) and self._read_on(here):
            return
        place = next_unread(store, here, direct=direct)
        if place is not None:
            self.go(place)
        elif self._is_behind(here):
            self.action_place("first_unread")
        elif direct:
            self.toast("You have read every direct message.")
        elif not self.home.read_on(self):
            self.toast("You have read everything.")

    def _read_on(self, here: Narrow | None) -> bool:
        """Show the next screen of what is open, if something unread ends below this one."""
        if not isinstance(here, TopicNarrow | DmNarrow) or not self.open_narrow.is_shown(here):
            return False
        end = self.messages.read_to
        unread = self.session.store.unread_ids(here)
        below = [each for each in unread if not isinstance(end, int) or each > end]
        if not below or self.seen.is_paused:
            return False
        if self.messages.at_end:  # what is unread is not loaded yet
            self.go(here, min(below))
        else:
            self.messages.action_page(1)
        return True

    def _is_behind(self, here: Narrow | None) -> bool:
        """Whether something is unread in a conversation that is open, and not on screen."""
        if not isinstance(here, TopicNarrow | DmNarrow):
            return False
        first = min(self.session.store.unread_ids(here), default=None)
        return first is not None and not self.messages.shows(first)

    def action_filter_sidebar(self) -> None:
        super().action_filter_sidebar()
        if self.is_ready:
            self.run(self.topic_lists.load_more, group="topics")

    def action_go_to_sent(self) -> None:
        self.sent.go()

    def action_back(self) -> None:
        place = self.trail.back()
        if place is not None:
            self._open(place)

    def action_forward(self) -> None:
        place = self.trail.forward()
        if place is not None:
            self._open(place)

    def action_write(self) -> None:
        self.set_focus(self.composer)  # at once: what is typed next is meant for it

    def action_help(self) -> None:
        self.app.push_screen(Help(keys.keymap(self.settings)))
