"""What was just done to many messages or a whole place, and how to take it back. No widgets."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Final

from tui.dataclass import dataclass

MOST: Final = 20
"""Steps that can be taken back."""


@dataclass(frozen=True, slots=True)
class Step:
    """`text` says what was done, and `back` undoes it."""

    text: str
    back: Callable[[], Awaitable[object]]


@dataclass(slots=True)
class UndoStack:
    """The steps, the last one on top."""

    _steps: list[Step] = field(default_factory=list)
    _open: set[asyncio.Event] = field(default_factory=set)
    """What was begun and is not answered yet."""

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Around something that may become a step: what is shown at once can be undone at once."""
        answered = asyncio.Event()
        self._open.add(answered)
        try:
            yield
        finally:
            self._open.discard(answered)
            answered.set()

    def did(self, text: str, back: Callable[[], Awaitable[object]]) -> None:
        """Something was done that can be taken back."""
        self._steps = [*self._steps[-(MOST - 1) :], Step(text, back)]

    async def undo(self) -> str | None:
        """Undo the last step, after the answers to what was begun; returns its words, None if there is none.

        Raises ApiError.
        """
        for answered in tuple(self._open):
            await answered.wait()
        if not self._steps:
            return None
        step = self._steps.pop()
        await step.back()
        return step.text
