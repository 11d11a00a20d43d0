"""Walks through every view, page, dialog and action of the client, and collects the screens.

Dialogs are opened by the actions of `tui.keys` and left by Esc, so new ones are walked without a list.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from textual.screen import ModalScreen, Screen

from tests.e2e.client import AppDriver, folders
from tui import keys
from tui.accounts import Account, write_zuliprc
from tui.app import ChinwagApp
from tui.config import Settings
from tui.screens.dialogs.form import Form
from tui.screens.dialogs.listing import ListDialog
from tui.screens.organization.administration import PAGES
from tui.widgets.choice_list import ChoiceList

VIEWS: Final = ("all", "inbox", "recent", "mentions", "starred", "drafts", "browse")
LEFT_OUT: Final = {
    *("quit", "leader", "go", "view", "accounts", "everywhere"),  # not of this account, or empty
    *("paste_image", "editor"),  # other programs
}
"""Actions by the end of their ID."""


@dataclass(slots=True)
class Walk:
    """The collected texts of screens, by place."""

    player: AppDriver
    seen: dict[str, str] = field(default_factory=dict)
    bugs: list[str] = field(default_factory=list)
    """Bugs that the client reported."""

    async def _look(self, place: str) -> None:
        """Wait until background work is done, and collect the screen."""
        app = self.player.app
        await self.player.pilot.pause()
        strips = app.screen._compositor.render_strips()
        self.seen[place] = "\n".join(strip.text for strip in strips)

    async def _leave(self) -> None:
        """Return to the main screen, by Esc as often as necessary."""
        for _ in range(12):
            if not isinstance(self.player.app.screen, ModalScreen):
                return
            await self.player.press("escape")
        kind = type(self.player.app.screen).__name__
        raise AssertionError(f"{kind} cannot be left")

    async def _settled(self) -> None:
        """Wait until only work that waits for the user is left."""
        await self.player.pilot.pause(0.02)

    async def _into(self, place: str, *, is_deep: bool) -> None:
        """Collect what was opened, and if deep what its actions open; then leave it."""
        await self._settled()
        await self._look(place)
        screen = self.player.app.screen
        if is_deep and isinstance(screen, ListDialog):
            screen.query_one(ChoiceList).focus()
            for action in screen._actions(screen.key):
                if self.player.app.screen is screen:
                    await self.player.press(action.key)
                    await self._settled()
                    await self._back_to(screen, f"{place} > {action.label}")
        await self._leave()

    async def _back_to(self, listing: Screen[object], place: str) -> None:
        """Collect what an action opened, start to fill it in, and leave it."""
        await self._look(place)
        for _ in range(4):
            screen = self.player.app.screen
            if screen is listing or not isinstance(screen, ModalScreen):
                return
            if isinstance(screen, Form):
                await self.player.press("tab", "tab", "enter")
                await self._look(f"{place} > form")
            await self.player.press("escape")

    async def go(self, *, is_deep: bool) -> None:
        """Walk every view and page; if deep also what their actions open, and every action of a message."""
        main = self.player.screen
        for view in VIEWS:
            main.action_open_view(view)
            await self._into(view, is_deep=is_deep)
        main.action_open_view("all")
        await self._settled()
        for row in range(3) if is_deep else ():
            for action in keys.MESSAGE:
                main.panes.messages.focus()
                await self.player.press("end", *["k"] * row)
                await main.panes.messages.run_action(action.action)
                await self._into(action.id, is_deep=True)
        for action in (*keys.CONVERSATION, *keys.APPLICATION):
            if action.id.rpartition(".")[2] not in LEFT_OUT and "account_" not in action.id:
                where = self.player.app if action in keys.APPLICATION else main
                await where.run_action(action.action)
                await self._into(action.id, is_deep=is_deep)
        for page in PAGES:
            main.action_organization(page.name)
            await self._into(page.name, is_deep=is_deep)


@asynccontextmanager
async def walking(url: str, email: str, key: str, folder: Path) -> AsyncIterator[Walk]:
    """Run a user's client on a server that may be malicious."""
    places = folders(folder, email)
    zuliprc = places.config / "test.zuliprc"
    write_zuliprc(zuliprc, Account(site=url, email=email, key=key))
    app = ChinwagApp(folders=places, settings=Settings(), zuliprc=zuliprc, narrow="")
    bugs: list[str] = []

    class Heard(logging.Handler):
        """Handler for everything written to the crash log."""

        def emit(self, record: logging.LogRecord) -> None:
            """Keep the record's traceback."""
            if record.exc_info is not None:
                bugs.append(self.format(record))

    heard, loggers = Heard(logging.ERROR), (logging.getLogger("tui"), logging.getLogger("asyncio"))
    for logger in loggers:
        logger.addHandler(heard)
    try:
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            yield Walk(AppDriver(app, pilot), bugs=bugs)
    finally:
        for logger in loggers:
            logger.removeHandler(heard)
