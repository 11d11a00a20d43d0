"""What a server does to its own file now and then: what a start notes, what has expired, what is to be indexed.

Decides nothing about people; each noun's own action says what has expired.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from server_lite.actions import avatars, calls, outgoing_webhooks, retention, uploads, users
from server_lite.actions.server import note_choices, note_version
from server_lite.api.idempotency import forget_old
from server_lite.context import Context
from server_lite.errors import Unavailable
from server_lite.store import jwt_replays, messages, trusted_clock
from server_lite.store.database import Tx

INDEXED_AT_ONCE: Final = 100
"""Messages in one slice, about 10 ms."""
SLICES_OF_RETENTION: Final = 4
"""In one run, so that a short retention limit on a long history leaves room for others."""
log = logging.getLogger("chinwag.server")


class Maintenance:
    """The jobs of one server. `is_idle` says whether nobody has needed it for long."""

    def __init__(self, context: Context, is_idle: Callable[[], bool]) -> None:
        self._context = context
        self._is_idle = is_idle
        self._has_begun = False

    async def run(self) -> None:
        """Run all jobs every `timing.upkeep` seconds, until it is cancelled."""
        while True:
            await asyncio.sleep(self._context.settings.timing.upkeep)
            await self.run_once()

    def begin(self, tx: Tx) -> None:
        """What a start changes. Where nothing can be stored yet, the first run does it."""
        settings = self._context.settings
        note_version(tx)
        outgoing_webhooks.switch(tx, is_on=bool(settings.webhook_hosts))
        provider = settings.call_provider
        note_choices(
            tx,
            limits_presence=settings.limits_presence,
            call_provider=None if provider is None else provider.name,
        )
        with suppress(Unavailable):  # a key file that cannot be read stops nothing but calls
            calls.seal_anew(tx, self._context.file_secret)
        tx.after_commit(lambda: setattr(self, "_has_begun", True))

    async def run_once(self) -> None:
        """Remove expired queues, files, messages and log rows; leave if nobody needs this server."""
        database, queues = self._context.database, self._context.queues
        try:
            if not self._has_begun:
                await database.write(self.begin)
            more = await database.write(self._remove_expired)
            while more:  # each some of it, and others in between
                more = await database.write(queues.prune)
            for _ in range(SLICES_OF_RETENTION):
                if not await database.write(self._forget_some_messages):
                    break
        except Unavailable as error:
            log.warning("maintenance was postponed: %s", error.__cause__ or error)
        if self._is_idle():
            self._context.leaving.set()

    async def index_earlier(self) -> None:
        """Index what an upgrade left to be indexed, as long as others are not kept waiting."""
        more = True
        while more:
            began = time.monotonic()
            try:
                more = await self._context.database.write(
                    lambda tx: messages.index_earlier(tx, INDEXED_AT_ONCE)
                )
                pause = time.monotonic() - began
            except Unavailable:
                pause = self._context.settings.timing.upkeep
            await asyncio.sleep(pause)

    def _forget_some_messages(self, tx: Tx) -> bool:
        """Returns whether there may be more."""
        return (
            trusted_clock.is_trusted(tx) and retention.forget_old_messages(tx) == retention.AT_ONCE
        )

    def _remove_expired(self, tx: Tx) -> bool:
        more = self._context.queues.upkeep(tx)
        if trusted_clock.is_trusted(tx):
            uploads.sweep(tx)
            avatars.sweep(tx)
            users.promote(tx)
            jwt_replays.forget_expired(tx, tx.now)
        forget_old(tx)
        return more
