"""An app with the example account, for pictures: fixed clock and time zone, no network, no blinking."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from tests.snapshot import example
from tui import frames, themes
from tui.config import Settings
from tui.narrow import Narrow
from tui.screens.account_screen import AccountScreen
from tui.screens.session import Session
from tui.store import Store
from tui.sync.status import Listener, Live, Status

RunBefore = Callable[[Pilot[Any]], Awaitable[None]]


class ExampleApp(App[None]):
    """Shows the example account as if it were live."""

    def __init__(
        self, folder: Path, *, known: Store | None, theme: str = "chinwag-dark", status: Status
    ) -> None:
        super().__init__()
        frames.draw_what_changed()  # dialogs dim what it drew
        for each in themes.ALL:
            self.register_theme(each)
        self.theme = theme
        self._folder = folder
        self._known = known
        self._status = status

    def on_load(self) -> None:
        # Since Python 3.12, Textual starts tasks at once: widgets of a screen pushed this early would
        # be styled before its rules are read. The real app opens its screens later.
        asyncio.get_running_loop().set_task_factory(None)

    def on_mount(self) -> None:
        self.push_screen(
            AccountScreen(
                self._open,
                Settings(mark_read=False),
                zone=example.ZONE,
                clock=lambda: example.NOW,
                start="",
            )
        )

    def _open(self, listener: Listener) -> Session:
        session = example.session(self._folder, listener, self._known)
        session.sync.status = self._status
        listener.status_changed(self._status)
        return session

    @property
    def main(self) -> AccountScreen:
        """The main screen."""
        screen = self.screen_stack[1]
        assert isinstance(screen, AccountScreen)
        return screen


def at(narrow: Narrow | None, *keys: str) -> RunBefore:
    """Open a narrow and press keys before the picture is taken."""

    async def run(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, ExampleApp)
        app.main.panes.composer.cursor_blink = False
        await pilot.pause()
        if narrow is not None:
            app.main.account.go(narrow)
            await pilot.pause()
        if keys:
            await pilot.press(*keys)
            await pilot.pause()
        for field in app.screen.query(Input):
            field.cursor_blink = False
        await pilot.pause()

    return run


LIVE = Live()
