"""An account that is kept current for as long as a command runs. Shows nothing."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tui import bugs
from tui.api.connection import Connection
from tui.cli.account import connected
from tui.config import Folders
from tui.errors import ConfigError
from tui.store import Changes, Store
from tui.sync.machine import Sync
from tui.sync.status import Connecting, Live, Retrying, SignedOut, Status

WAIT_SECONDS: Final = 30.0


class LiveAccount:
    """Listens to a sync machine: what is known is never given out while it may be old."""

    def __init__(self, sync: Sync) -> None:
        self.sync = sync
        self._news = asyncio.Event()
        sync.listen(self)

    @property
    def connection(self) -> Connection:
        """For requests in the account's name."""
        return self.sync.connection

    async def store(self) -> Store:
        """What is known now; waits for the first answer. Raises ConfigError where the server is away."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while isinstance(self.sync.status, Connecting):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise ConfigError("the server does not answer.") from None
        match self.sync.status:
            case Retrying(sentence=sentence):
                self.sync.retry_now()
                raise ConfigError(sentence)
            case SignedOut(sentence=sentence):
                raise ConfigError(f"signed out: {sentence}")
            case Live() | Connecting():
                return self.sync.store

    def store_changed(self, changes: Changes) -> None:
        """Whoever asks looks at the store itself."""

    def status_changed(self, status: Status) -> None:
        """Who waits for an answer goes on."""
        if not isinstance(status, Connecting):
            self._news.set()


@asynccontextmanager
async def live_account(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[LiveAccount]:
    """The account that a command speaks for, kept current until the end. Raises ConfigError."""
    sync = Sync(await connected(arguments, here))
    account = LiveAccount(sync)
    stream = bugs.awaited(sync.run())
    try:
        yield account
    finally:
        stream.cancel()
        await asyncio.wait({stream})
        await sync.connection.aclose()
