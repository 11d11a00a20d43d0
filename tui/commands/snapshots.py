"""Saves the last known state to the disk while an account is open, fresh enough to start from."""

import asyncio
import logging
from pathlib import Path

from tui import freed_memory
from tui.cache import snapshots
from tui.errors import ApiError
from tui.narrow import Narrow
from tui.store import Changes
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live, Status

FIRST_SECONDS = 5.0
SAVE_SECONDS = 120.0
MOST_UNREAD = 6
"""Unread conversations that are fetched to be there offline, beside those that were open."""
FETCHED = 50

_log = logging.getLogger(__name__)


class SnapshotWriter:
    """Saves now and then, and at the end. A failed write only means an older state at the next start."""

    def __init__(
        self,
        sync: Sync,
        path: Path,
        *,
        environment: Environment | None = None,
    ) -> None:
        self._sync = sync
        self._path = path
        self._environment = environment or Environment()
        self._places: list[Narrow] = []
        if sync.store_if_any is not None:
            self._places += sync.store_if_any.messages.windows
        self._replaced = asyncio.Event()
        self._is_changed = False
        sync.listen(self)

    def opened(self, narrow: Narrow) -> None:
        """Note that the narrow is open: it is saved before all others."""
        if narrow in self._places:
            self._places.remove(narrow)
        self._places.insert(0, narrow)
        del self._places[snapshots.MOST_WINDOWS :]

    def store_changed(self, changes: Changes) -> None:
        """Note that the state has changed; called by the sync machine."""
        self._is_changed = True
        if changes.replaced:
            self._replaced.set()

    def status_changed(self, status: Status) -> None:
        """Ignored: changes say all that matters here."""

    async def run(self) -> None:
        """Fetch what was cached before, then save now and then until canceled."""
        snapshots.sweep(self._path)
        pause = FIRST_SECONDS
        while True:
            await self._replaced.wait()
            await self._environment.sleep(pause)
            pause = SAVE_SECONDS
            await self.refill()
            if self._is_changed:
                self._is_changed = False
                # Kept by no name here: it takes megabytes, and the pause is long.
                await asyncio.to_thread(
                    self._write, snapshots.capture(self._sync.store, self._wanted())
                )
                await asyncio.to_thread(freed_memory.release)

    def save(self) -> None:
        """Save the current state, if the server has confirmed it."""
        if self._is_changed and self._replaced.is_set():
            self._is_changed = False
            self._write(snapshots.capture(self._sync.store, self._wanted()))

    def _write(self, kept: snapshots.Capture) -> None:
        try:
            snapshots.write(self._path, kept)
        except OSError as error:
            _log.warning("the last known state could not be kept: %s", error)

    def _wanted(self) -> list[Narrow]:
        """Return the narrows to keep for offline use: recently open ones, latest first, then unread ones."""
        store = self._sync.store
        unread = [p for p in store.unreads.conversations() if not store.is_muted(p)]
        return [*dict.fromkeys([*self._places, *unread[:MOST_UNREAD]])]

    async def refill(self) -> None:
        """Fetch the other narrows to keep: a new snapshot begins with the open window alone."""
        for narrow in self._wanted()[: snapshots.MOST_WINDOWS]:
            if not isinstance(self._sync.status, Live):
                return
            window = self._sync.store.messages.windows.get(narrow)
            if window is not None and window.at(None) is not None:
                continue
            try:
                await self._sync.history.around(narrow, "newest", count=FETCHED)
            except ApiError as error:
                _log.info("%s is not there offline: %s", narrow, error)
