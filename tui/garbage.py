"""Collects garbage when the program rests: closed dialogs are full of cycles. Knows of no screens.

Python looks through the newest objects when there are 10,000 of them, through those that survived that far more seldom,
and through all of them never in a day. A dialog is open meanwhile: what it was stays until its generation is looked through, and new objects
come to lie between. All objects are looked through in some milliseconds, when nothing else is to be done.
"""

from __future__ import annotations

import gc
import time
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable
from typing import Any, Final

REST_SECONDS: Final = 0.25
REST_CPU_SECONDS: Final = 0.001
"""Time that the loop's thread may use of a rest: a key or a message takes more."""


class Collector:
    """Looks through all objects in the first rest after Python looked through new ones."""

    def __init__(self, used: Callable[[], float] = time.thread_time) -> None:
        """`used` returns the CPU of the loop's thread, in seconds."""
        self._used = used
        self._loop: AbstractEventLoop | None = None
        self._is_due = False

    def begin(self, loop: AbstractEventLoop | None = None) -> None:
        """Leave what is there now out of all collections, since it stays, and collect from now on."""
        self._loop = loop or get_running_loop()
        gc.freeze()
        gc.enable()
        gc.callbacks.append(self._collected)

    def end(self) -> None:
        """Leave collecting to Python."""
        if self._loop is not None:
            self._loop = None
            gc.callbacks.remove(self._collected)

    def _collected(self, phase: str, info: dict[str, Any]) -> None:
        """Called by Python, in any thread."""
        if phase == "stop" and info["generation"] < 2 and not self._is_due and self._loop:
            self._is_due = True
            self._loop.call_soon_threadsafe(self._wait)

    def _wait(self) -> None:
        if self._loop is not None:
            self._loop.call_later(REST_SECONDS, self._collect_if_resting, self._used())

    def _collect_if_resting(self, before: float) -> None:
        if self._used() - before > REST_CPU_SECONDS:
            self._wait()
        else:
            self._is_due = False
            gc.collect()
