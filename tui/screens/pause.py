"""Does something after a pause in typing. Knows no widgets but the one that waits.

A timer of Textual's is a task, which each key would end and begin anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context

from textual.widget import Widget


class Pause:
    """Calls a function of a widget once nothing has called `restart` for some seconds."""

    def __init__(
        self,
        widget: Widget,
        seconds: float,
        then: Callable[[], object],
        *,
        most: float = float("inf"),
    ) -> None:
        """`most` are the seconds from the first call of `restart` after which it is called without a pause."""
        self._widget = widget
        self._seconds = seconds
        self._most = most
        self._last = 0.0
        self._then = then
        self._due: float | None = None
        """When to call, by the loop's clock; None: not at all."""
        self._waiting: asyncio.TimerHandle | None = None

    def restart(self) -> None:
        """Wait, from now on."""
        now = asyncio.get_running_loop().time()
        if self._due is None:
            self._last = now + self._most
        self._due = min(now + self._seconds, self._last)
        if self._waiting is None:
            self._wait(self._due - now)

    def stop(self) -> None:
        """Do not call after all."""
        self._due = None

    def _wait(self, seconds: float) -> None:
        with self._widget._context():
            context = copy_context()
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(seconds, self._look, context=context)

    def _look(self) -> None:
        self._waiting = None
        if self._due is None or not self._widget.is_running:
            return
        if (left := self._due - asyncio.get_running_loop().time()) > 0:
            self._wait(left)
            return
        self._due = None
        try:
            self._then()
        except Exception as error:  # noqa: BLE001  # any failure, as in a timer of Textual's
            self._widget.app._handle_exception(error)
