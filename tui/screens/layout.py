"""The main screen's parts and their places: panes that come and go with the size. No chat logic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.config import Settings
from tui.screens.display import Display
from tui.widgets.completion_list import CompletionList
from tui.widgets.composer import Composer
from tui.widgets.hint_line import HintLine
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar
from tui.widgets.status_line import StatusLine
from tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from tui.screens.session import Session

PANES = ("#sidebar", "#messages", "#composer", "#people")

TALL = 30
"""Rows from which the composer may take more than it needs."""


class MainLayout(Screen[str]):
    """Conversations left, messages and composer in the middle, people right."""

    CSS = """
    MainScreen { background: $background; }
    MainScreen #side, MainScreen #folk { background: $panel; }
    MainScreen #middle { width: 1fr; background: $background; }
    MainScreen .heading { height: 1; padding: 0 1; color: $text-muted; background: $panel; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    MainScreen #organisation { color: $foreground; }
    MainScreen.tall Composer { padding: 1 1; }
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        super().__init__()
        self.settings = settings
        self.clock = clock
        self._session: Session | None = None
        self.display_parts = Display(self, lambda: self.session, clock)

    @property
    def session(self) -> Session:
        """The open account; asked for only after it was opened."""
        assert self._session is not None
        return self._session

    @property
    def is_ready(self) -> bool:
        """Whether anything is known yet."""
        return self._session is not None and self.session.has_store

    def compose(self) -> ComposeResult:
        with Horizontal(id="panes"):
            with Vertical(id="side"):
                yield Static(Content("chinwag"), id="organisation", classes="heading")
                yield Sidebar(id="sidebar")
            with Vertical(id="middle"):
                yield TitleBar(id="title")
                yield ConversationList(id="messages")
                yield StatusLine(id="status")
                yield CompletionList(id="completions")
                yield Composer(enter_sends=self.settings.enter_sends, id="composer")
            with Vertical(id="folk"):
                yield Static(Content("People"), classes="heading")
                yield PeopleList(id="people")
        yield HintLine()

    @property
    def messages(self) -> ConversationList:
        return self.query_one("#messages", ConversationList)

    @property
    def composer(self) -> Composer:
        return self.query_one("#composer", Composer)

    @property
    def completion_list(self) -> CompletionList:
        return self.query_one("#completions", CompletionList)

    @property
    def status_line(self) -> StatusLine:
        return self.query_one("#status", StatusLine)

    @property
    def side(self) -> Sidebar:
        return self.query_one("#sidebar", Sidebar)

    def action_toggle_sidebar(self) -> None:
        panes = self.display_parts.panes
        panes.sidebar_wish = not panes.shows_sidebar
        self.lay_out()
        (self.side if panes.shows_sidebar else self.messages).focus()

    def action_toggle_people(self) -> None:
        panes = self.display_parts.panes
        panes.people_wish = not panes.shows_people
        self.lay_out()
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
            self.lay_out()

    def lay_out(self) -> None:
        self.display_parts.lay_out()
        if self.is_ready:
            self.display_parts.show_people()
