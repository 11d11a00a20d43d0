"""Reports unexpected exceptions, so that the rest of the program goes on. No Textual.

`report` goes through `logging`; `crash_log.CrashLog` listens there, writes the log and shows a notice. Also
the one place that starts asyncio tasks, so that none of them can fail unseen.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any, Final, TypeVar

T = TypeVar("T")

PERSISTENT: Final = 3
"""After so many failures in a row the user is advised to restart."""
HEALTHY_SECONDS: Final = 300.0
"""Seconds after which running work counts as recovered: its next failure is a first one."""
LONGEST_PAUSE: Final = 60.0

_log = logging.getLogger(__name__)


def report(error: BaseException, doing: str, *, persists: bool = False) -> None:
    """Report a bug. `doing` is the beginning of a sentence, such as "Sending messages".

    `persists`: it happened before and will happen again, so the notice advises a restart.
    """
    extra = {"doing": doing, "persists": persists}
    _log.error("%s failed", doing, exc_info=error, extra=extra)


def start(work: Coroutine[Any, Any, None], doing: str) -> asyncio.Task[None]:
    """Start a task that nothing awaits; its failure is reported."""

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            report(error, doing)

    task = asyncio.ensure_future(work)
    task.add_done_callback(ended)
    return task


def awaited(work: Awaitable[T]) -> asyncio.Future[T]:
    """Start a task whose result or failure the caller awaits, or drops together with the task."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return task


def awaited_apart(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """As `awaited`, but without the context of who asks: it would be kept with what the work leaves open."""
    task = asyncio.get_running_loop().create_task(work, context=Context())
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return task


async def keep_going(
    run: Callable[[], Coroutine[Any, Any, None]],
    doing: str,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Run work until it ends by itself or is canceled; restart it after a failure.

    The pause in between doubles from 1 second to `LONGEST_PAUSE`.
    """
    failures = 0
    while True:
        began = time.monotonic()
        try:
            await run()
        except Exception as error:  # noqa: BLE001  # any failure: the other tasks go on
            if time.monotonic() - began > HEALTHY_SECONDS:
                failures = 0
            failures += 1
            report(error, doing, persists=failures >= PERSISTENT)
        else:
            return
        await sleep(min(2.0 ** (failures - 1), LONGEST_PAUSE))
