"""Collects the session's changes into one message per frame, so floods stay readable. Makes no widgets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from tui import dispatch
from tui.store import Changes
from tui.sync.status import Status

FRAME_SECONDS: Final = 1 / 30
"""Between two redraws for changes by others; the first one, and the user's own changes, are not delayed."""


MOST_SECONDS: Final = 0.1
"""Limit for a frame that does not come: a screen behind a dialog draws nothing."""


class StoreChanged(Message, bubble=False):
    """Posted when the store changed."""

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self.changes = changes


class StatusChanged(Message, bubble=False):
    """Posted when the connection's status changed."""

    def __init__(self, status: Status) -> None:
        super().__init__()
        self.status = status


def _deliver_soon(screen: Screen[str], message: Message) -> None:
    """Deliver it in the next turn of the loop.

    Showing a message may mark it as read: hooks and notifications have to get it before.
    """
    asyncio.get_running_loop().call_soon(dispatch.deliver, screen, message)


class News:
    """Collects changes, and posts them to the screen as one `StoreChanged`."""

    def __init__(
        self,
        screen: Screen[str],
        clock: Callable[[], float] = time.monotonic,
        deliver: Callable[[Screen[str], Message], None] = _deliver_soon,
    ) -> None:
        self._screen = screen
        self._clock = clock
        self._deliver = deliver
        self._collected: StoreChanged | None = None
        self._is_posted = False
        self._due = 0.0

    def tell(self, changes: Changes) -> None:
        """Add changes, and post the event when it is due; none for what is shown already."""
        if not changes.can_be_seen:
            return
        if self._collected is not None:
            self._collected.changes = self._collected.changes.merge(changes)
            if _is_own(changes):
                self._post()
            return
        self._collected = StoreChanged(changes)
        wait = self._due - self._clock()
        if wait > 0 and not _is_own(changes):
            self._screen.set_timer(wait, self._post)
        elif changes.arrived and not _is_own(changes):
            self._is_posted = True
            self._deliver(self._screen, self._collected)  # nothing of the user's is under way
        else:
            self._post()

    def taken(self, event: StoreChanged) -> None:
        """End an event that the screen has shown: later changes go into another event.

        Changes that showing it makes still join this one.
        """
        if event is self._collected:
            self._collected, self._is_posted = None, False
            self._due = self._clock() + FRAME_SECONDS

    def _post(self) -> None:
        if self._collected is not None and not self._is_posted:
            self._is_posted = True
            self._screen.post_message(self._collected)


async def drawn(widget: Widget) -> None:
    """Wait until the widget has drawn the changes posted to its screen."""
    done = asyncio.Event()

    def shown() -> None:  # the screen has handled the changes; the widget asks for its frame
        widget.call_after_refresh(done.set)

    widget.screen.call_later(shown)
    with suppress(TimeoutError):
        async with asyncio.timeout(MOST_SECONDS):
            await done.wait()


def _is_own(changes: Changes) -> bool:
    """Whether the user waits for the change: their own message, or a new snapshot."""
    return changes.replaced or "outbox" in changes.parts or bool(changes.echoes)
