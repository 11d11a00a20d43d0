"""What an endpoint that may wait is given: the database, the queues and the settings. No HTTP."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from server_lite.config import Settings
from server_lite.errors import Unavailable
from server_lite.queues import Queues
from server_lite.store import key_file
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One running server, as endpoints see it."""

    settings: Settings
    database: Database
    queues: Queues
    leaving: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by whoever wants the server to stop."""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """Lets commands of this machine in; another one at each start."""

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Run a change; returns when it is on disk."""
        return await self.database.write(fn)

    def file_secret(self) -> bytes:
        """What keys and links are made from; raises Unavailable if the key file cannot be read."""
        try:
            return key_file.secret(key_file.path_beside(self.settings.db))
        except OSError as error:
            raise Unavailable(
                "The server's key file cannot be read; its owner can repair it."
            ) from error

    def read(self, fn: Callable[[Db], T]) -> T:
        """Run `fn` on one consistent snapshot."""
        return self.database.read(fn)
