"""The interface of an open account for the controllers. No controller is imported here.

A controller names the narrower of the two protocols: then it works wherever an account is open.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from typing import TYPE_CHECKING, Protocol, TypeVar

from textual.app import App
from textual.widget import Widget
from textual.worker import Worker

from tui.api.model import MessageId
from tui.narrow import Narrow
from tui.screens.accounts.host import AccountHost, HostedAccount
from tui.screens.compose.controller import ComposeController
from tui.screens.conversation import OpenConversation
from tui.screens.emoji import EmojiList
from tui.screens.navigation.back_forward import NavigationHistory
from tui.screens.navigation.undo import UndoStack
from tui.screens.read_tracker import ReadTracker
from tui.screens.session import Session
from tui.screens.topic_lists import TopicLists
from tui.screens.workers import Work
from tui.store import Changes
from tui.view.overview import OverviewName
from tui.view.times import Times
from tui.widgets.content_inline import Reader

if TYPE_CHECKING:
    # Imported with the first dialog.
    from tui.screens.dialogs.base import Dialog

T = TypeVar("T")


class AccountContext(Protocol):
    """An open account, for controllers that ask the user and tell the server."""

    times: Times
    clock: Callable[[], float]
    composing: ComposeController
    undoing: UndoStack
    emoji: EmojiList
    followers: list[Callable[[Changes], None]]
    """Called with every change while a dialog or page other than the conversation shows data."""

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def session(self) -> Session:
        """The account's connection and store."""

    @property
    def current_narrow(self) -> Narrow | None:
        """The narrow that is open, or lies below an overview."""

    @property
    def reader(self) -> Reader:
        """The user as a reader of messages: whose mentions are highlighted."""

    def today(self) -> date:
        """The date in the user's time zone."""

    async def ask(self, dialog: Dialog[T]) -> T | None:
        """Show a dialog; return its result, None for Esc."""

    def toast(self, sentence: str) -> None:
        """Show a sentence in a toast."""

    def go(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        """Open a narrow, at a message if one is given; or an overview."""

    def run(self, work: Work, *, group: str = "actions") -> Worker[None]:
        """Run `work` in the background; a TuiError is shown. Of a group other than "actions" only the last
        goes on.
        """

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard."""

    def open_url(self, url: str) -> None:
        """Open an address in the browser."""

    def hold_type_ahead(self, text: str) -> AbstractContextManager[None]:
        """Hold type-ahead keys back while the block fetches what they are meant for."""


class ChatContext(AccountContext, HostedAccount, Protocol):
    """An open account with the conversation that is on its screen."""

    home: AccountHost
    open_narrow: OpenConversation
    seen: ReadTracker
    history: NavigationHistory[Narrow | OverviewName]
    topic_lists: TopicLists

    @property
    def focused(self) -> Widget | None:
        """The widget that has the focus."""

    @property
    def open_overview(self) -> OverviewName | None:
        """The overview that is open in place of the messages; None without one."""
