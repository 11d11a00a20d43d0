"""A page that shows what is known at once, asks the server, and follows its events. Draws nothing."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from tui.screens.context import AccountContext
from tui.screens.page import Page

T = TypeVar("T")


class CurrentPage(Page, Generic[T]):
    """It shows what the server said last: by an event, or because it was asked."""

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._known = self._shown = self.known()

    @abstractmethod
    def known(self) -> T:
        """What the events told: a value that can be compared and does not change."""

    @abstractmethod
    async def ask(self) -> T:
        """The same from the server. Raises ApiError."""

    @property
    def current(self) -> T:
        """What to show now."""
        current = self.known()
        if current != self._known:
            self._known = self._shown = current
        return self._shown

    async def load(self) -> None:
        self._shown = await self.ask()
