"""A page that shows cached data at once, asks the server, and follows events. Draws nothing."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from tui.screens.context import AccountContext
from tui.screens.page import Page

T = TypeVar("T")


class CurrentPage(Page, Generic[T]):
    """Shows the latest value: of an event, or of the server's answer."""

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._known = self._shown = self.known()

    @abstractmethod
    def known(self) -> T:
        """Return the value in the store, which is comparable and immutable."""

    @abstractmethod
    async def ask(self) -> T:
        """Fetch the value from the server. Raises ApiError."""

    @property
    def current(self) -> T:
        """Return the latest value."""
        current = self.known()
        if current != self._known:
            self._known = self._shown = current
        return self._shown

    async def load(self) -> None:
        self._shown = await self.ask()
