"""Passed to endpoints that may wait: the database, the queues and the settings. No HTTP."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import field
from typing import Final, TypeVar

from server_lite.access.rendering import Rendering
from server_lite.api.idempotency import earlier_answer, remember
from server_lite.api.params import Resend
from server_lite.config import Settings
from server_lite.dataclass import dataclass
from server_lite.errors import Unavailable
from server_lite.ids import UserId
from server_lite.queues import Queues
from server_lite.store import secret_key
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx

T = TypeVar("T")

_UNDER_WAY: Final[set[asyncio.Task[None]]] = set()  # the event loop keeps only weak references


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One running server, as endpoints see it."""

    settings: Settings
    database: Database
    queues: Queues
    rendering: Rendering
    leaving: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to stop the server."""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """Authenticates local commands; new at each start."""

    check: Callable[[Tx], None] = lambda _: None
    """Called at the start of every transaction: raises if the user has lost the permission meanwhile."""

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Run a change; returns when it is on disk."""

        def run(tx: Tx) -> T:
            self.check(tx)
            return fn(tx)

        return await self.database.write(run)

    async def write_in_slices(self, step: Callable[[Tx], bool]) -> None:
        """Make a large change in slices, each a transaction with its events, with others in between.

        `step` returns whether more is left. A change that was started continues when its client disconnects.
        """

        async def run() -> None:
            is_more_left = await self.write(step)
            while is_more_left:
                # What came meanwhile is written before the next slice, not in one transaction with it.
                await asyncio.sleep(0)
                is_more_left = await self.write(step)

        task = asyncio.create_task(run())
        _UNDER_WAY.add(task)
        task.add_done_callback(_over)
        await asyncio.wait((task,))  # not `shield`, which logs its errors when the caller is gone
        task.result()

    async def once_in_slices(
        self, user_id: UserId, resend: Resend | None, step: Callable[[Tx], T | None]
    ) -> T:
        """Make a large change in slices, once per user and key. `step` returns None while more is left."""
        answer: T | None = None

        def run(tx: Tx) -> bool:
            nonlocal answer
            answer = None if resend is None else earlier_answer(tx, user_id, resend)
            if answer is None:
                answer = step(tx)
                if answer is not None and resend is not None:
                    remember(tx, user_id, resend, answer)
            return answer is None

        await self.write_in_slices(run)
        assert answer is not None
        return answer

    def file_secret(self) -> bytes:
        """Return the content of the key file; raises Unavailable if it cannot be read."""
        try:
            return secret_key.secret(secret_key.path_beside(self.settings.db))
        except OSError as error:
            raise Unavailable(
                "The server's key file cannot be read; its owner can repair it."
            ) from error

    def read(self, fn: Callable[[Db], T]) -> T:
        """Run `fn` on one consistent snapshot."""
        return self.database.read(fn)


def _over(task: asyncio.Task[None]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()  # retrieved, as the caller may be gone
