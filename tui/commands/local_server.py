"""Keeps this machine's own server running while it is in use. The server is a separate program."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tui.accounts import read_zuliprc
from tui.api.base_url import parse_base_url
from tui.config import Folders
from tui.errors import ConfigError
from tui.store import Changes
from tui.sync.machine import Sync
from tui.sync.status import Retrying, Status

_log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 1.0
"""Seconds after which the server is looked at, if it is not missed before."""


class LocalServer:
    """Starts the server when it does not answer: it ended, crashed, or was killed. Any number may do so."""

    def __init__(
        self,
        sync: Sync,
        folders: Folders,
        *,
        start: Callable[[Folders], Awaitable[Path]] | None = None,
    ) -> None:
        """`start` finds or starts the server, and returns the zuliprc that signs in to it; None: `local_zuliprc`."""
        self._sync = sync
        self._folders = folders
        self._start = start
        self._is_missed = asyncio.Event()
        sync.listen(self)

    def store_changed(self, changes: Changes) -> None:
        """Ignored; called by the sync machine."""

    def status_changed(self, status: Status) -> None:
        """Wake up when the connection is lost; called by the sync machine."""
        if isinstance(status, Retrying):
            self._is_missed.set()

    async def run(self) -> None:
        """Restart the server until canceled. The first check is unprompted: it may be an older version."""
        # A program is started for it, which no start waits for unless the server is missed.
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_SECONDS):
                await self._is_missed.wait()
        while True:
            self._is_missed.clear()
            try:
                await self._find()
            except ConfigError as error:
                _log.warning("the server on this machine: %s", error)
            await self._is_missed.wait()

    async def _find(self) -> None:
        if self._start is None:
            from tui.commands.sign_in import local_zuliprc  # no first frame waits for it

            self._start = local_zuliprc
        account = read_zuliprc(await self._start(self._folders))
        # The server prefers its last port, which another program may have taken meanwhile.
        self._sync.connection.base_url = parse_base_url(account.site, allow_http=True)
        self._sync.retry_now()
