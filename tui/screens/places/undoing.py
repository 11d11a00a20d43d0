"""What was just done to many messages or a whole place, and how to take it back. No widgets."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

MOST: Final = 20
"""Steps that can be taken back."""


@dataclass(frozen=True, slots=True)
class Step:
    """`words` say what was done, and `back` takes it back."""

    words: str
    back: Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Undoing:
    """The steps, the last one on top."""

    _steps: list[Step] = field(default_factory=list)

    def did(self, words: str, back: Callable[[], Awaitable[object]]) -> None:
        """Something was done that can be taken back."""
        self._steps = [*self._steps[-(MOST - 1) :], Step(words, back)]

    async def undo(self) -> str | None:
        """Take back the last; returns its words, None if there was nothing. Raises ApiError."""
        if not self._steps:
            return None
        step = self._steps.pop()
        await step.back()
        return step.words
