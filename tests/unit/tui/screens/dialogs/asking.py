"""An app with only a dialog, and the dialog's answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tui.screens.dialogs.base import Dialog


class DialogApp(App[None]):
    """Shows one dialog; `answers` are the values it was dismissed with."""

    def __init__(self, dialog: Dialog[Any]) -> None:
        super().__init__()
        self._dialog = dialog
        self.answers: list[Any] = []

    def on_mount(self) -> None:
        """Open the dialog at once."""
        self.push_screen(self._dialog, self.answers.append)


@asynccontextmanager
async def asking(
    dialog: Dialog[Any], *, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[DialogApp, Pilot[None]]]:
    """Run the app, and yield it with its pilot."""
    app = DialogApp(dialog)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot
