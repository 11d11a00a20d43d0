"""The terminal's title while Chinwag runs, restored at the end. Knows no account."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.app import App

from tui.screens import alerts
from tui.screens.workers import start_worker


class TerminalTitle:
    """The terminal's title: one for the application, however many accounts it has."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._shown: str | None = None

    def show(self, text: str) -> None:
        """Set the title."""
        if text == self._shown:
            return
        if self._shown is None:
            alerts.write(self._app, alerts.SAVE_TITLE)
            start_worker(self._app, self._restore, group="title")
        self._shown = text
        alerts.write_with_frame(self._app, alerts.title(text))

    async def _restore(self) -> None:
        """Restore the original title when the program ends."""
        try:
            await asyncio.Event().wait()
        finally:
            alerts.write(self._app, alerts.RESTORE_TITLE)
