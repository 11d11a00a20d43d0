"""Presence: tells the server that the user is here, and learns who else is. No Textual."""

import asyncio

from tui.api.routes import presence as routes
from tui.errors import ApiError
from tui.store import Changes
from tui.sync.machine import Environment, Sync
from tui.sync.status import Status

IDLE_SECONDS = 300.0
"""Seconds without a key or a click after which the user counts as idle."""


class PresencePings:
    """Sends presence pings as often as the server wants. Call `touch` at every input."""

    def __init__(self, sync: Sync, environment: Environment | None = None) -> None:
        self._sync = sync
        self._environment = environment or Environment()
        self._touched = self._environment.clock()
        self._is_new = True
        self._is_known = asyncio.Event()
        sync.listen(self)

    def store_changed(self, changes: Changes) -> None:
        """Start pinging once there is a snapshot; called by the sync machine."""
        if changes.replaced:
            self._is_known.set()

    def status_changed(self, status: Status) -> None:
        """Ignored; called by the sync machine."""

    def touch(self) -> None:
        """Note that the user pressed a key or the mouse."""
        self._touched = self._environment.clock()
        self._is_new = True

    async def run(self) -> None:
        """Ping until canceled, first as soon as there is a snapshot."""
        if self._sync.store_if_any is None:
            await self._is_known.wait()
        while True:
            await self.ping()
            limits = self._sync.store.realm.limits
            await self._environment.sleep(float(limits.presence_ping_interval_seconds))

    async def ping(self) -> None:
        """Send one ping and take its answer; a failure is left to the event stream to report."""
        store = self._sync.store
        active = self._environment.clock() - self._touched < IDLE_SECONDS
        is_new, self._is_new = self._is_new, False
        try:
            news = await routes.update(
                self._sync.connection,
                status="active" if active else "idle",
                new_user_input=is_new,
                last_update_id=store.presences.last_update_id,
                ping_only=store.realm.settings.presence_disabled,
            )
        except ApiError:
            self._is_new = self._is_new or is_new
            return
        self._sync.take_presences(news)
