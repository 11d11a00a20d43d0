"""What a controller may ask of the account that it works for. No controller is imported here.

A controller names the narrower of the two: then it works wherever an account is open.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from datetime import date
from typing import Any, Protocol, TypeAlias, TypeVar

from textual.app import App
from textual.widget import Widget
from textual.worker import Worker

from tui.api.model import MessageId
from tui.narrow import Narrow
from tui.screens.accounts.host import AccountHost, HostedAccount
from tui.screens.compose.controller import ComposeController
from tui.screens.conversation import OpenConversation
from tui.screens.dialogs.base import Dialog
from tui.screens.emoji import EmojiList
from tui.screens.navigation.back_forward import NavigationHistory
from tui.screens.navigation.undo import UndoStack
from tui.screens.read_tracker import ReadTracker
from tui.screens.session import Session
from tui.screens.topic_lists import TopicLists
from tui.store import Changes
from tui.view.overview import OverviewName
from tui.view.times import Times
from tui.widgets.content_inline import Reader

T = TypeVar("T")
Work: TypeAlias = Coroutine[Any, Any, None] | Callable[[], Coroutine[Any, Any, None]]


class AccountContext(Protocol):
    """An open account, for whoever asks the person and tells the server."""

    times: Times
    clock: Callable[[], float]
    composing: ComposeController
    undoing: UndoStack
    emoji: EmojiList
    followers: list[Callable[[Changes], None]]
    """Told of every change, while something else than the conversation shows what is known."""

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def session(self) -> Session:
        """Its connection, and what is known through it."""

    @property
    def current_narrow(self) -> Narrow | None:
        """What is open, or lies below an overview."""

    @property
    def reader(self) -> Reader:
        """Who reads: what marks their own name in texts."""

    def today(self) -> date:
        """The date where the person is."""

    async def ask(self, dialog: Dialog[T]) -> T | None:
        """Show a dialog; what it was dismissed with, None for Esc."""

    def toast(self, sentence: str) -> None:
        """A sentence for the person, gone after a while."""

    def go(self, narrow: Narrow | OverviewName, near: MessageId | None = None) -> None:
        """Open a narrow, at a message if one is given; or an overview."""

    def run(self, work: Work, *, group: str = "actions") -> Worker[None]:
        """Do something in the background; a refusal is told. Of another group only the last goes on."""

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""

    def open_url(self, url: str) -> None:
        """Open an address in the browser."""

    def hold_type_ahead(self, text: str) -> AbstractContextManager[None]:
        """What is fetched in this block opens what the next keys are meant for: they wait for it."""


class ChatContext(AccountContext, HostedAccount, Protocol):
    """An open account with the conversation that is on its screen."""

    home: AccountHost
    open_narrow: OpenConversation
    seen: ReadTracker
    history: NavigationHistory[Narrow | OverviewName]
    topic_lists: TopicLists

    @property
    def focused(self) -> Widget | None:
        """Where keys go."""

    @property
    def open_overview(self) -> OverviewName | None:
        """The overview that is open in place of the messages."""
