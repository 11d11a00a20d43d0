"""Collects garbage when the program rests: closed dialogs are full of cycles. Knows of no screens.

Python looks through the newest objects whenever there are 10,000 of them, through those that survived it more seldom, and
through all of them never in a day. What a dialog was stayed for hours, and what was made meanwhile came to lie
between. Young objects are looked through in some milliseconds, all of them in some tens: the latter waits for a longer rest.

What is there when the first screen is shown is left out, since nearly all of it stays: modules, classes, rules. Some of it
does not, such as the first state once the server has forgotten the queue: now and then it is looked through, too.
"""

from __future__ import annotations

import gc
import time
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable
from contextvars import Context
from typing import Any, Final

from tui import freed_memory

THRESHOLDS: Final = (10_000, 5, 400)
"""For Python's own collections, which go on: a flood of keys and messages has no rests."""
REST_SECONDS, LONG_REST_SECONDS = 0.25, 2.0
REST_SHARE: Final = 0.004
"""The share of a rest that the loop's thread may use: a key or a message takes more."""
YOUNG_COLLECTIONS: Final = 2
"""Collections of young objects, in rests or Python's own, after which all objects are looked through."""
ALL_COLLECTIONS: Final = 5
"""Collections of all objects of which one looks through those that were left out, too."""
MOST_OF_PYTHON: Final = 10_000
"""Objects that Python itself may have left out when it starts: it is some hundreds, or none."""


class Collector:
    """Looks through young objects in the first rest after Python did so, and now and then through all."""

    def __init__(self, used: Callable[[], float] = time.thread_time) -> None:
        """`used` returns the CPU of the loop's thread, in seconds."""
        self._used = used
        self._loop: AbstractEventLoop | None = None
        self._is_due = False
        self._is_shared = False
        self._collections = 0

    def begin(self, loop: AbstractEventLoop | None = None) -> None:
        """Leave what is there now out of all collections, since it stays, and collect from now on."""
        self._loop = loop or get_running_loop()
        # A hosted session has its objects from a parent, which left them out: looking at them would copy all.
        self._is_shared = gc.get_freeze_count() > MOST_OF_PYTHON
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
            # Not in the context of what Python interrupted: that of a dialog would keep it until the rest.
            self._loop.call_soon_threadsafe(
                self._wait, REST_SECONDS, self._collect_young, context=Context()
            )

    def _wait(self, seconds: float, collect: Callable[[], None]) -> None:
        if self._loop is not None:
            self._loop.call_later(seconds, self._look, seconds, collect, self._used())

    def _look(self, seconds: float, collect: Callable[[], None], before: float) -> None:
        if self._used() - before > seconds * REST_SHARE:
            self._wait(seconds, collect)
        else:
            collect()

    def _collect_young(self) -> None:
        gc.collect(1)
        if gc.get_count()[2] < YOUNG_COLLECTIONS:
            self._is_due = False
        else:
            self._wait(LONG_REST_SECONDS, self._collect_all)

    def _collect_all(self) -> None:
        self._collections += 1
        if self._collections % ALL_COLLECTIONS or self._is_shared:
            gc.collect()
        else:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        freed_memory.release()
        self._is_due = False
