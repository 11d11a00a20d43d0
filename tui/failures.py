"""Decides after an exception that Textual caught whether the program goes on. Knows no accounts.

A frame that cannot be drawn is drawn again, a dialog that cannot be made is closed; where neither helps, the
app ends. Reports and logs are `bugs` and `crash_log`.
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
"""So many failed frames, in so many seconds, end the program: the screen would stand still."""
_DRAWING: Final = frozenset({"_compositor_refresh", "_refresh_layout", "_display"})
"""Textual's functions that draw."""


class Failures:
    """The recent failures of a running app, as far as they matter for the next."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._frames: list[float] = []
        self._dialogs: list[ModalScreen[Any]] = []
        """Broken dialogs below others: closing those must not lead back to a dead dialog."""

    def can_go_on(self, error: Exception) -> bool:
        """Whether the app can be used after the error; to be called once for each error."""
        if is_of_frame(error):
            now = time.monotonic()
            self._frames = [at for at in self._frames if now - at < FRAMES_SECONDS]
            self._frames.append(now)
            return len(self._frames) < MOST_FAILED_FRAMES
        screen = broken_screen()
        return screen is None or isinstance(screen, ModalScreen)

    def close_dialog(self) -> None:
        """Close the dialog that broke, if it was one: now, or as soon as no other is above it."""
        dialog = broken_screen()
        if not isinstance(dialog, ModalScreen):
            return
        if not self._dialogs:
            self._app.screen_change_signal.subscribe(self._app, self._close_uppermost)
        self._dialogs.append(dialog)
        self._app.call_later(self._close_uppermost)

    def _close_uppermost(self, _: object = None) -> None:
        """Close broken dialogs that came to the top, and stop once none is left; called at screen changes."""
        self._dialogs = [each for each in self._dialogs if each in self._app.screen_stack]
        if self._app.screen in self._dialogs:
            self._app.screen.dismiss(None)
        if not self._dialogs:
            self._app.screen_change_signal.unsubscribe(self._app)


def broken_screen() -> Screen[Any] | None:
    """Return the screen that failed to be made, or has a widget that failed; None if there is none."""
    node = active_message_pump.get(None)
    if not isinstance(node, Widget) or node._is_mounted or not node.is_attached:
        return None
    return node if isinstance(node, Screen) else node.screen


def is_of_frame(error: BaseException) -> bool:
    """Whether the error was raised while drawing a frame."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code.co_name in _DRAWING for frame, _ in frames)
