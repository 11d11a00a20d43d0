"""The account of a command: its connection and its snapshot."""

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tui import accounts
from tui.api.connection import Connection
from tui.api.routes import queues
from tui.api.routes.queues import EVERYTHING
from tui.commands.connecting import connect
from tui.commands.sign_in import local_zuliprc
from tui.config import Folders
from tui.errors import ApiError, ConfigError
from tui.store import Store
from tui.sync.machine import Sync

IDLE_SECONDS = 60
"""Seconds for which the server keeps a queue that is deleted at once."""


def zuliprc_of(arguments: argparse.Namespace, here: Folders) -> Path:
    """Return the zuliprc that was named, or that of the account used last. Raises ConfigError."""
    path: Path | None = arguments.zuliprc or accounts.last_used(here)
    if path is None:
        raise ConfigError("no account yet: run chinwag to sign in, or use --zuliprc.")
    return path


@asynccontextmanager
async def opened(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[Sync]:
    """Open the account with a snapshot that is not kept current. Raises ApiError and ConfigError."""
    async with asking(arguments, here) as connection:
        snapshot = await queues.register(
            connection,
            event_types=None,
            fetch_event_types=None,
            queue_filter=EVERYTHING,
            idle_queue_timeout_seconds=IDLE_SECONDS,
            feature_level=0,
        )
        with suppress(ApiError):  # the queue also ends by itself
            await queues.delete_queue(connection, queue_id=snapshot.queue_id)
        yield Sync(connection, cached=Store.from_snapshot(snapshot))


@asynccontextmanager
async def asking(arguments: argparse.Namespace, here: Folders) -> AsyncIterator[Connection]:
    """Open a connection for a few requests. Raises ApiError and ConfigError."""
    connection = await connected(arguments, here)
    try:
        yield connection
    finally:
        await connection.aclose()


async def connected(arguments: argparse.Namespace, here: Folders) -> Connection:
    """Return a connection in the account's name; this machine's own server is started if it does not run."""
    path = zuliprc_of(arguments, here)
    account = accounts.read_zuliprc(path)
    if accounts.is_local(here, account):
        account = accounts.read_zuliprc(await local_zuliprc(here))
    return connect(account)
