"""The account that a command speaks for: its connection, and what its server says at first."""

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tui import accounts
from tui.api.connection import Connection
from tui.api.routes import queues
from tui.api.routes.queues import EVERYTHING
from tui.commands.sign_in import connect, local_zuliprc
from tui.config import Folders
from tui.errors import ApiError, ConfigError
from tui.store import Store
from tui.sync.machine import Sync

IDLE_SECONDS = 60
"""How long a queue is kept that is given back at once."""


def zuliprc_of(arguments: argparse.Namespace, here: Folders) -> Path:
    """The file that was named, or of the account used last."""
    path: Path | None = arguments.zuliprc or accounts.last_used(here)
    if path is None:
        raise ConfigError("no account yet: run chinwag to sign in, or use --zuliprc.")
    return path


@asynccontextmanager
async def opened(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[Sync]:
    """What the server knows now; nothing is kept current. Raises ApiError and ConfigError."""
    async with asking(arguments, here) as connection:
        snapshot = await queues.register(
            connection,
            event_types=None,
            fetch_event_types=None,
            queue_filter=EVERYTHING,
            idle_queue_timeout_seconds=IDLE_SECONDS,
            feature_level=0,
        )
        with suppress(ApiError):  # it ends by itself, too
            await queues.delete_queue(connection, queue_id=snapshot.queue_id)
        yield Sync(connection, cached=Store.from_snapshot(snapshot))


@asynccontextmanager
async def asking(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[Connection]:
    """A connection for a question or two. Raises ApiError and ConfigError."""
    connection = await connected(arguments, here)
    try:
        yield connection
    finally:
        await connection.aclose()


async def connected(arguments: argparse.Namespace, here: Folders) -> Connection:
    """A connection in the account's name; the server on this machine is started if it sleeps."""
    path = zuliprc_of(arguments, here)
    account = accounts.read_zuliprc(path)
    if accounts.is_local(here, account):
        account = accounts.read_zuliprc(await local_zuliprc(here))
    return connect(account)
