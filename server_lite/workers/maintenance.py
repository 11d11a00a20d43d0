"""Periodic maintenance of the server's database: start-up notes, expiry, indexing.

Decides nothing about users; each noun's own action decides what has expired.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from server_lite.actions import avatars, calls, outgoing_webhooks, retention, uploads, users
from server_lite.actions.server import note_choices, note_version
from server_lite.api.idempotency import forget_some
from server_lite.context import Context
from server_lite.errors import Unavailable
from server_lite.store import (
    group_members,
    guest_channels,
    jwt_replays,
    outdated_rows,
    search_index,
    shared_flags,
    trusted_clock,
)
from server_lite.store.database import Tx

INDEXED_AT_ONCE: Final = 100
"""Messages indexed in one slice, about 10 ms."""
QUEUES: Final = 500
"""Event queues whose cursors are stored together."""
EXPIRED_AT_ONCE: Final = 500
"""Rows of a table that are deleted together: each may have an answer of 50 KB."""
MOMENT: Final = 0.001
"""Seconds, in which all others come first that wait for a turn of the loop."""
SLICES_OF_RETENTION: Final = 4
"""Slices in one run, so that a short retention period on a long history does not block other requests."""
log = logging.getLogger("chinwag.server")


class Maintenance:
    """The jobs of one server. `is_idle` tells whether it was unused for long."""

    def __init__(self, context: Context, is_idle: Callable[[], bool]) -> None:
        self._context = context
        self._is_idle = is_idle
        self._has_begun = False

    async def run(self) -> None:
        """Run all jobs every `timing.upkeep` seconds, until canceled."""
        while True:
            await asyncio.sleep(self._context.settings.timing.upkeep)
            await self.run_once()

    def begin(self, tx: Tx) -> None:
        """Make the changes of a start. If nothing can be stored yet, the first run does it."""
        settings = self._context.settings
        note_version(tx)
        outgoing_webhooks.switch(tx, is_on=bool(settings.webhook_hosts))
        provider = settings.call_provider
        note_choices(
            tx,
            limits_presence=settings.limits_presence,
            call_provider=None if provider is None else provider.name,
        )
        with suppress(Unavailable):  # an unreadable key file affects only calls
            calls.seal_anew(tx, self._context.file_secret)
        tx.after_commit(lambda: setattr(self, "_has_begun", True))

    async def run_once(self) -> None:
        """Delete expired queues, files, messages and log rows; exit if nobody uses this server."""
        database, queues = self._context.database, self._context.queues
        try:
            if not self._has_begun:
                await database.write(self.begin)
            for _ in queues.pass_by():  # with other requests in between, as in all that follows
                await asyncio.sleep(MOMENT)
            waiting = queues.everything()
            for start in range(0, len(waiting), QUEUES):
                some = waiting[start : start + QUEUES]
                await database.write(partial(queues.upkeep, some=some))
            while await database.write(self._remove_some_expired):
                pass
            while await database.write(queues.prune):
                pass
            for _ in range(SLICES_OF_RETENTION):
                if not await database.write(self._forget_some_messages):
                    break
            while await database.write(outdated_rows.delete_some):
                pass
            while await database.write(shared_flags.delete_some):
                pass
            while await database.write(shared_flags.move_some):
                pass
            await database.write(guest_channels.keep_all)
            while await database.write(group_members.keep_some):
                pass
        except Unavailable as error:
            log.warning("maintenance was postponed: %s", error.__cause__ or error)
        if self._is_idle():
            self._context.leaving.set()

    async def index_earlier(self) -> None:
        """Index the messages that an upgrade left unindexed, while no other requests wait."""
        more = True
        while more:
            began = time.monotonic()
            try:
                more = await self._context.database.write(
                    lambda tx: search_index.add_earlier(tx, INDEXED_AT_ONCE)
                )
                pause = time.monotonic() - began
            except Unavailable:
                pause = self._context.settings.timing.upkeep
            await asyncio.sleep(pause)

    def _forget_some_messages(self, tx: Tx) -> bool:
        """Delete some expired messages; returns whether there may be more."""
        return (
            trusted_clock.is_trusted(tx) and retention.forget_old_messages(tx) == retention.AT_ONCE
        )

    def _remove_some_expired(self, tx: Tx) -> bool:
        """Delete a file, a picture and some rows whose time is over; returns whether there may be more."""
        more = [forget_some(tx, EXPIRED_AT_ONCE)]
        if trusted_clock.is_trusted(tx):
            users.promote(tx)
            more += (
                uploads.sweep(tx),
                avatars.sweep(tx),
                jwt_replays.forget_some(tx, tx.now, EXPIRED_AT_ONCE),
            )
        return any(more)
