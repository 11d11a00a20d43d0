"""What the server said last: by an event, or because it was asked. Draws nothing."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Current(Generic[T]):
    """A listing shows at once what is known, asks, and follows the events from there."""

    def __init__(self, known: Callable[[], T], ask: Callable[[], Awaitable[T]]) -> None:
        """`known` is what the events told; its values can be compared and do not change."""
        self._known = known
        self._ask = ask
        self._told = self._shown = known()

    def __call__(self) -> T:
        """What to show now."""
        told = self._known()
        if told != self._told:
            self._told = self._shown = told
        return self._shown

    async def load(self) -> None:
        """Ask. Raises ApiError."""
        self._shown = await self._ask()
