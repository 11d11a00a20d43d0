"""Runs a program on an event loop that looks for input when nothing else is due. Knows of no screens.

asyncio asks the system for input at each turn of its loop, also while callbacks wait. A key is several turns, each a
call of the system that finds nothing.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from selectors import DefaultSelector, SelectorKey
from typing import Any, Final, TypeVar

T = TypeVar("T")

MOST_TURNS: Final = 8
"""Turns of the loop, all with something to do, after which input is looked for anyway."""


class PatientSelector(DefaultSelector):
    """Finds nothing, without looking, where a loop that has other things to do asks again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._turns = 0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """As usual if there is time to wait, or nothing was looked for in many turns."""
        if timeout == 0 and self._turns < MOST_TURNS:
            self._turns += 1
            return []
        self._turns = 0
        return super().select(timeout)


def run(program: Coroutine[Any, Any, T]) -> T:
    """Run a program as `asyncio.run` does."""
    if sys.platform == "win32":
        return asyncio.run(program)
    with asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(program)


def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(PatientSelector())
