"""An account that is kept current while a command runs. Prints nothing."""

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
    """Listens to a sync machine, and gives its store out only while it is current."""

    def __init__(self, sync: Sync) -> None:
        self.sync = sync
        self._news = asyncio.Event()
        sync.listen(self)

    @property
    def connection(self) -> Connection:
        """The account's connection."""
        return self.sync.connection

    async def store(self) -> Store:
        """Return the current store; wait for the first answer. Raises ConfigError if the server cannot be
        reached.
        """
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
        """Ignored: callers look at the store itself."""

    def status_changed(self, status: Status) -> None:
        """Wake up the callers that wait for an answer."""
        if not isinstance(status, Connecting):
            self._news.set()


@asynccontextmanager
async def live_account(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[LiveAccount]:
    """Open the command's account, and keep it current until the end. Raises ConfigError."""
    sync = Sync(await connected(arguments, here))
    account = LiveAccount(sync)
    stream = bugs.awaited(sync.run())
    try:
        yield account
    finally:
        stream.cancel()
        await asyncio.wait({stream})
        await sync.connection.aclose()
