"""Waits until an app has nothing to do, where Textual waits until its process has been idle for 20 ms.

A test that presses keys waits so twice for each key. What is left then is answers, and timers that are not due soon.
"""

import asyncio
from typing import Any, Final

import textual.app
import textual.pilot
from textual.constants import MAX_FPS

_TURNS: Final = 3
"""Turns of the event loop in a row in which nothing is ready: each of them has looked for input."""
_MANY_TURNS: Final = 1000
_SOON: Final = 1.1 / MAX_FPS
"""Seconds: a frame that is due is drawn."""


def use() -> None:
    """Wait so in all tests of this process."""
    for module in (textual.app, textual.pilot):
        module.wait_for_idle = _wait_for_idle  # type: ignore[attr-defined]  # imported there


async def _wait_for_idle(_min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Return when nothing is ready on this event loop, nor soon will be by a timer.

    What is never idle is left after `max_sleep` seconds and many turns: a busy machine may take seconds for a few.
    """
    loop: Any = asyncio.get_running_loop()
    latest = loop.time() + max_sleep
    await _nothing_ready(loop, latest)
    soon = loop.time() + _SOON
    while due := [
        timer.when() for timer in loop._scheduled if timer.when() <= soon and not timer.cancelled()
    ]:
        await asyncio.sleep(min(due) - loop.time())
        await _nothing_ready(loop, latest)


async def _nothing_ready(loop: Any, latest: float) -> None:
    idle = turns = 0
    while idle < _TURNS and (turns < _MANY_TURNS or loop.time() < latest):
        await asyncio.sleep(0)
        turns += 1
        idle = 0 if loop._ready else idle + 1
