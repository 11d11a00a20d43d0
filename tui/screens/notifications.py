"""Notifies the terminal and the desktop of messages in accounts that the user does not look at.

Which messages are worth it is decided in `tui.view.notifications`. Opens nothing, draws nothing.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from functools import partial

from tui.config import Settings
from tui.host import host_of
from tui.screens import alerts
from tui.screens.context import ChatContext
from tui.store import Changes
from tui.view.notifications import Notice, is_quiet, notices


class NotificationController:
    """Hears of messages that arrive."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context

    def store_changed(self, changes: Changes) -> None:
        """Notify of new messages."""
        if not self._context.home.looks(self._context):
            self._tell(changes)

    def _tell(self, changes: Changes) -> None:
        settings, times = self._context.settings, self._context.times
        now = datetime.fromtimestamp(self._context.clock(), times.zone)
        if settings.notify == "none" or is_quiet(settings.quiet_hours, now.time()):
            return
        notifications = notices(
            self._context.session.store,
            changes.arrived,
            level=settings.notify_for,
            with_content=settings.notify_content,
        )
        name = self._context.home.label(self._context)
        if name:
            notifications = [
                replace(each, title=f"{each.title} · {name}") for each in notifications
            ]
        if self._context.app.app_focus:  # the user looks at another account in this terminal
            for notice in notifications:
                self._context.app.notify(notice.body, title=notice.title, markup=False, timeout=6)
            return
        if notifications and settings.notify in ("bell", "both"):
            self._write("\a")
        if settings.notify in ("desktop", "both"):
            for notice in notifications:
                self._notify_desktop(notice)

    def _write(self, sequence: str) -> None:
        alerts.write(self._context.app, sequence)

    def _notify_desktop(self, notice: Notice) -> None:
        by = self._context.settings.notify_by
        if not host_of(self._context.app).can("programs") and by == "notify-send":
            by = Settings().notify_by  # the terminal is on another machine, and can notify
        match by:
            case "osc9":
                self._write(alerts.through(alerts.osc9(notice), os.environ))
            case "osc99":
                self._write(alerts.through(alerts.osc99(notice), os.environ))
            case "osc777":
                self._write(alerts.through(alerts.osc777(notice), os.environ))
            case "notify-send":
                self._context.run(partial(self._run, alerts.notify_send(notice)))

    async def _run(self, arguments: list[str]) -> None:
        """Start `notify-send` and let it run; ring the bell where it is missing."""
        try:
            process = await host_of(self._context.app).start(*arguments)
        except OSError:
            self._write("\a")
        else:
            await process.wait()
