"""Tells the terminal and the desktop of messages that come while nobody looks; keeps the title.

What is worth telling is decided in `tui.view.notifications`. Opens nothing, draws nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from tui.screens import alerts
from tui.view.notifications import Notice, is_quiet, notices, terminal_title

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen
    from tui.store import Changes
    from tui.sync.status import Status


class Notifying:
    """Listens to the session, beside the screen."""

    def __init__(
        self, screen: AccountScreen, *, write: Callable[[str], None] | None = None
    ) -> None:
        """`write` sends bytes to the terminal, between two frames; tests read them."""
        self._screen = screen
        self._write = write or self._to_terminal
        self._title: str | None = None

    def store_changed(self, changes: Changes) -> None:
        """Messages may have come, and counts be otherwise."""
        session = self._screen.session
        if not session.has_store:
            return
        if changes.replaced or changes.conversations or changes.arrived:
            self._show_title(terminal_title(session.store))
        if changes.arrived and not self._screen.app.app_focus:
            self._tell(changes)

    def status_changed(self, status: Status) -> None:
        """The title bar shows how the connection is."""

    def _tell(self, changes: Changes) -> None:
        settings, times = self._screen.settings, self._screen.times
        now = datetime.fromtimestamp(self._screen.clock(), times.zone)
        if settings.notify == "none" or is_quiet(settings.quiet_hours, now.time()):
            return
        found = notices(
            self._screen.session.store,
            changes.arrived,
            level=settings.notify_for,
            with_content=settings.notify_content,
        )
        if found and settings.notify in ("bell", "both"):
            self._write("\a")
        if settings.notify in ("desktop", "both"):
            for notice in found:
                self._tell_desktop(notice)

    def _tell_desktop(self, notice: Notice) -> None:
        match self._screen.settings.notify_by:
            case "osc9":
                self._write(alerts.through(alerts.osc9(notice), os.environ))
            case "osc777":
                self._write(alerts.through(alerts.osc777(notice), os.environ))
            case "notify-send":
                self._screen.begin(self._run(alerts.notify_send(notice)))

    async def _run(self, arguments: list[str]) -> None:
        """Start the program and let it be; without it there is still the bell."""
        none = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=none, stdout=none, stderr=none
            )
        except OSError:
            self._write("\a")
        else:
            await process.wait()

    def _show_title(self, title: str) -> None:
        if not self._screen.settings.terminal_title or title == self._title:
            return
        if self._title is None:
            self._write(alerts.SAVE_TITLE)
            self._screen.run_worker(self._restore_title(), group="title")
        self._title = title
        self._write(alerts.title(title))

    async def _restore_title(self) -> None:
        """At the end the title is what it was before."""
        try:
            await asyncio.Event().wait()
        finally:
            self._write(alerts.RESTORE_TITLE)

    def _to_terminal(self, sequence: str) -> None:
        driver = self._screen.app._driver  # Textual itself has no other way to write either
        if driver is not None:
            driver.write(sequence)
