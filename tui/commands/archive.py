"""Saves the messages of an open account to the archive on disk, to be readable offline."""

import asyncio

from tui.api.model import Message, MessageId
from tui.cache.archive import Archive
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.store import Changes
from tui.sync.machine import Environment, Sync
from tui.sync.status import Status

PAUSE_SECONDS = 2.0
MOST_AT_ONCE = 40
"""Messages written in one go, about 4 ms: keys and frames have their turn in between."""
MOST_BEFORE_READING = 200
"""Messages written before the archive is read; of more the oldest wait for their turn."""


class ArchiveWriter:
    """Writes in the pauses, and at the end; a failed write only means less to read offline."""

    def __init__(
        self, sync: Sync, archive: Archive, *, environment: Environment | None = None
    ) -> None:
        self._sync = sync
        self._archive = archive
        self._environment = environment or Environment()
        self._waiting: set[MessageId] = set()
        self._deleted: set[MessageId] = set()
        self._has_some = asyncio.Event()
        sync.history.before_archive = self._catch_up
        sync.listen(self)

    def store_changed(self, changes: Changes) -> None:
        """Queue changed and new messages; called by the sync machine."""
        self._waiting.update(changes.messages, changes.confirmed, changes.arrived)
        self._waiting -= changes.deleted
        self._deleted |= changes.deleted
        if changes.replaced:
            self._waiting.update(self._sync.store.messages.by_id)
        if self._waiting or self._deleted:
            self._has_some.set()

    def status_changed(self, status: Status) -> None:
        """Ignored: changes say all that matters here."""

    async def run(self) -> None:
        """Write until canceled."""
        while True:
            await self._has_some.wait()
            await self._environment.sleep(PAUSE_SECONDS)
            while self._waiting or self._deleted:
                self._write(MOST_AT_ONCE)
                await self._environment.sleep(0.0)
            self._has_some.clear()

    def save(self) -> None:
        """Write the messages that wait, and close."""
        self._write(len(self._waiting))
        self._archive.close()

    def _catch_up(self) -> None:
        """Write what came since the last pause: the server is gone, and the archive is about to be read."""
        if self._waiting or self._deleted:
            self._write(MOST_BEFORE_READING)

    def _write(self, count: int) -> None:
        messages = self._sync.store.messages if self._sync.store_if_any is not None else None
        ids = sorted(self._waiting, reverse=True)[:count]
        self._waiting.difference_update(ids)
        deleted, self._deleted = self._deleted, set()
        if messages is None:
            return
        if deleted:
            self._archive.forget(deleted)
        # Some may have been forgotten here meanwhile: what is kept of them on disk stays.
        known = (messages.get(each) for each in ids if not messages.is_borrowed(each))
        fresh = [(message, _plain(message)) for message in known if message is not None]
        if fresh:
            self._archive.keep(fresh)


def _plain(message: Message) -> str:
    """Return the text that searches look through beside the topic."""
    return plain_text(parse(message.content), reveal=True)
