"""Decides what an exception that Textual caught means: the program goes on, or it ends. Knows no accounts.

A frame that cannot be drawn is drawn again, a dialog that cannot be made is closed; where neither helps,
the app ends. Reports and logs are `bugs` and `crash_log`.
"""

import time
import traceback
from typing import Any, Final

from textual._context import active_message_pump
from textual.app import App
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

FRAMES_SECONDS: Final = 5.0
MOST_FAILED_FRAMES: Final = 3
"""So many frames that cannot be drawn, in so many seconds, are the end: the screen would stand still."""
_DRAWING: Final = frozenset({"_compositor_refresh", "_refresh_layout", "_display"})
"""Textual's functions that draw."""


class Failures:
    """What failed in a running app, as far as it matters to what fails next."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._frames: list[float] = []
        self._dialogs: list[ModalScreen[Any]] = []
        """Broken ones below others: whoever closes those should not be left with a dead dialog."""

    def can_go_on(self, error: Exception) -> bool:
        """Whether the app can be used after it; to be asked once for each error."""
        if is_of_frame(error):
            now = time.monotonic()
            self._frames = [at for at in self._frames if now - at < FRAMES_SECONDS]
            self._frames.append(now)
            return len(self._frames) < MOST_FAILED_FRAMES
        screen = broken_screen()
        return screen is None or isinstance(screen, ModalScreen)

    def close_dialog(self) -> None:
        """Close the dialog that broke, if it was one: now, or as soon as nothing lies above it."""
        dialog = broken_screen()
        if not isinstance(dialog, ModalScreen):
            return
        if not self._dialogs:
            self._app.screen_change_signal.subscribe(self._app, self._close_uppermost)
        self._dialogs.append(dialog)
        self._app.call_later(self._close_uppermost)

    def _close_uppermost(self, _: object = None) -> None:
        """The signal comes before the screen changes and after, and for dialogs that were closed otherwise."""
        self._dialogs = [each for each in self._dialogs if each in self._app.screen_stack]
        if self._app.screen in self._dialogs:
            self._app.screen.dismiss(None)
        if not self._dialogs:
            self._app.screen_change_signal.unsubscribe(self._app)


def broken_screen() -> Screen[Any] | None:
    """The screen that cannot be made, since it or something on it failed to be."""
    node = active_message_pump.get(None)
    if not isinstance(node, Widget) or node._is_mounted or not node.is_attached:
        return None
    return node if isinstance(node, Screen) else node.screen


def is_of_frame(error: BaseException) -> bool:
    """Whether an error came while a frame was drawn."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code.co_name in _DRAWING for frame, _ in frames)
