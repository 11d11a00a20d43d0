"""Undo of bulk actions: what was done to many messages or a whole narrow. No widgets."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Final

from tui.dataclass import dataclass

MOST: Final = 20
"""Steps that can be undone."""


@dataclass(frozen=True, slots=True)
class Step:
    """`text` says what was done, and `back` undoes it."""

    text: str
    back: Callable[[], Awaitable[object]]


@dataclass(slots=True)
class UndoStack:
    """The steps that can be undone, the last one on top."""

    _steps: list[Step] = field(default_factory=list)
    _open: set[asyncio.Event] = field(default_factory=set)
    """Requests that are not answered yet."""

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Wrap a request that may become a step: what is shown at once can be undone at once."""
        answered = asyncio.Event()
        self._open.add(answered)
        try:
            yield
        finally:
            self._open.discard(answered)
            answered.set()

    def did(self, text: str, back: Callable[[], Awaitable[object]]) -> None:
        """Add a step that can be undone."""
        self._steps = [*self._steps[-(MOST - 1) :], Step(text, back)]

    async def undo(self) -> str | None:
        """Undo the last step, after pending requests are answered; return its text, None if there is none.

        Raises ApiError.
        """
        for answered in tuple(self._open):
            await answered.wait()
        if not self._steps:
            return None
        step = self._steps.pop()
        await step.back()
        return step.text
