"""Decides when a screen draws what changed: soon, and at most once in a frame's time. Knows of no screens.

Textual wakes a widget that changed, which tells its screen, which wakes a timer, which sleeps afterwards to keep
its distance to the next frame. Here a list asks for the frame itself, and nothing runs after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from functools import cached_property
from typing import Any, Final

from textual.geometry import Region
from textual.message_pump import MessagePump
from textual.screen import UPDATE_PERIOD, Screen
from textual.widget import Widget

FEWEST_TURNS: Final = 3
"""Turns of the loop before a frame: other widgets learn of a change one or two turns later."""
MOST_TURNS: Final = 12
"""Turns after which it is drawn although more changes are queued."""


class FrameTimer:
    """Draws a screen after `resume`; takes the place of the timer that Textual keeps for it."""

    def __init__(self, screen: Screen[Any]) -> None:
        self.screen = screen
        self._scheduled: asyncio.Handle | None = None
        self._turns = 0
        self._earliest = 0.0
        """When the next frame may be drawn, by the loop's clock."""
        self._reports: list[Callable[[], None]] = []
        with screen._context():
            self._context = copy_context()

    def resume(self) -> None:
        """Draw what changed, soon."""
        if self._scheduled is None:
            loop = asyncio.get_running_loop()
            self._turns = 0
            if (wait := self._earliest - loop.time()) > 0:
                self._scheduled = loop.call_later(wait, self._turn, context=self._context)
            else:
                self._scheduled = loop.call_soon(self._turn, context=self._context)

    def pause(self) -> None:
        """Draw nothing: all that changed has been drawn."""
        if self._scheduled is not None and not self._reports:
            self._scheduled.cancel()
            self._scheduled = None

    def report(self, report: Callable[[], None]) -> None:
        """Call this after the next frame, or soon if nothing is to be drawn."""
        self._reports.append(report)
        self.resume()

    def _turn(self) -> None:
        self._turns += 1
        if self._turns < FEWEST_TURNS or (
            self.screen.message_queue_size and self._turns < MOST_TURNS
        ):
            loop = asyncio.get_running_loop()
            self._scheduled = loop.call_soon(self._turn, context=self._context)
            return
        self._scheduled = None
        app = self.screen.app
        if app._exit:
            return
        try:
            self._draw()
        except Exception as error:  # noqa: BLE001  # any failure of drawing, as in Textual's timer
            app._handle_exception(error)

    def _draw(self) -> None:
        self._earliest = asyncio.get_running_loop().time() + UPDATE_PERIOD
        self.screen._on_timer_update()
        reports, self._reports = self._reports, []
        for report in reports:
            report()


def draw_without_waking() -> None:
    """Draw screens by this timer from now on, in every app of this process."""
    timer = cached_property(FrameTimer)
    timer.__set_name__(Screen, "_update_timer")
    Screen._update_timer = timer  # type: ignore[assignment, method-assign]  # Textual has no hook for it


def draw(widget: Widget, *regions: Region) -> bool:
    """Draw these parts of a widget with the next frame; False, and nothing done, where Textual has to decide."""
    timer = _timer_of(widget)
    if timer is None or not widget.display or timer.screen.app._batch_count:
        return False
    widget._layout_cache.clear()  # with what it rendered last
    widget._set_dirty(*regions)
    timer.screen._dirty_widgets.add(widget)
    timer.resume()
    return True


def report_drawn(widget: Widget, report: Callable[[], None]) -> None:
    """Call `report` after the next frame of the widget's screen."""
    if (timer := _timer_of(widget)) is not None:
        timer.report(report)
    else:
        widget.call_after_refresh(report)


def _timer_of(widget: Widget) -> FrameTimer | None:
    """Return the timer of the widget's screen, if both are shown."""
    if not widget._is_mounted or widget._closing:
        return None
    node: MessagePump | None = widget
    while node is not None and not isinstance(node, Screen):
        node = node._parent
    if node is None or not node.is_attached or not node.is_current or node not in node._compositor:
        return None
    timer: object = node._update_timer
    return timer if isinstance(timer, FrameTimer) else None
