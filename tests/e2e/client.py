"""The whole client against a real server, on the test's own event loop: apps that the test operates."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from tests.live import Live, Person, until
from tui.accounts import Account, write_zuliprc
from tui.app import ChinwagApp
from tui.config import Folders, Settings
from tui.content.extracts import plain_text
from tui.narrow import AllMessages, Narrow
from tui.screens.account_screen import AccountScreen
from tui.screens.type_ahead import ENDLESS
from tui.view.rows import EchoRow, MessageRow


def folders(folder: Path, name: str) -> Folders:
    """Return the folders of one machine."""
    base = folder / name
    return Folders(
        config=base / "config", data=base / "data", state=base / "state", cache=base / "cache"
    )


class AppDriver:
    """A running app with its user, and what the screen shows."""

    def __init__(self, app: ChinwagApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> AccountScreen:
        """The main screen, below any open dialog."""
        return next(s for s in self.app.screen_stack if isinstance(s, AccountScreen))

    @property
    def texts(self) -> list[str]:
        """The texts of the conversation's rows, from top to bottom."""
        return [
            plain_text(row.nodes)
            for row in self.screen.panes.messages.items
            if isinstance(row, MessageRow | EchoRow)
        ]

    @property
    def rows(self) -> list[MessageRow]:
        """The messages of the conversation."""
        return [row for row in self.screen.panes.messages.items if isinstance(row, MessageRow)]

    @property
    def is_cut_off(self) -> bool:
        """Whether the title shows that the client is connecting, or when it will retry."""
        return re.search("connecting|offline", self.screen.panes.title_bar.text) is not None

    def count(self, label: str) -> int:
        """Return the unread count beside a name in the sidebar; -1 if it is not there."""
        return next((row.count for row in self.screen.panes.sidebar_rows if row.label == label), -1)

    async def go(self, narrow: Narrow) -> None:
        """Open a narrow, and wait until it is shown."""
        await until(lambda: self.screen.account.open_narrow.narrow is not None)
        self.screen.account.go(narrow)
        await until(lambda: self.screen.account.open_narrow.is_shown(narrow))

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def paste(self, text: str) -> None:
        """Paste into the focused widget, as the terminal does: the next key waits for it."""
        self.app.post_message(events.Paste(text))

    async def sees(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition is true."""
        await until(condition)


async def idle(player: AppDriver) -> None:
    """Wait until all background work is done."""
    workers = player.app.workers
    await until(lambda: all(each.is_finished or each.group in ENDLESS for each in workers))
    await player.pilot.pause()


@asynccontextmanager
async def playing(
    server: Live,
    person: Person,
    folder: Path,
    *,
    settings: Settings | None = None,
    size: tuple[int, int] = (120, 32),
    notifications: bool = False,
) -> AsyncIterator[AppDriver]:
    """Run the app of a signed-in user, showing their conversations."""
    places = folders(folder, person.email)
    zuliprc = places.config / "test.zuliprc"
    write_zuliprc(zuliprc, Account(site=server.url, email=person.email, key=person.key))
    app = ChinwagApp(folders=places, settings=settings or Settings(), zuliprc=zuliprc, narrow="")
    async with app.run_test(size=size, notifications=notifications) as pilot:
        player = AppDriver(app, pilot)
        await until(lambda: isinstance(app.screen, AccountScreen) and app.screen.is_mounted)
        await until(lambda: player.screen.account.open_narrow.is_shown(AllMessages()))
        yield player
