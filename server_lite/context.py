"""Passed to endpoints that may wait: the database, the queues and the settings. No HTTP."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import field
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from server_lite.access.rendering import Rendering
from server_lite.api.idempotency import ChangeRequest, Progress, SlicedChange, once
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

    change_request: ChangeRequest | None = None
    """What a user asks for, unless the server's own commands do."""
    asker: UserId | None = None
    """Whose changes wait for each other; None: the server's."""
    turns: WeakValueDictionary[object, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Held by changes in slices, by user and request: what one has done is no progress of another."""

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Run a change; returns when it is on disk."""

        def run(tx: Tx) -> T:
            self.check(tx)
            return fn(tx)

        return await self.database.write(run, asker=self.asker)

    @property
    def resend(self) -> Resend | None:
        """The request's Idempotency-Key, if it has one."""
        return None if self.change_request is None else self.change_request.resend

    async def write_once(self, fn: Callable[[Tx], T]) -> T:
        """Run a change, at most once if the request has an Idempotency-Key."""
        asked = self.change_request
        if asked is None or asked.resend is None:
            return await self.write(fn)
        return await self.write(once(asked.user_id, asked.resend, fn))

    def earlier_answer(self) -> object:
        """Return the answer of an earlier request with the same Idempotency-Key; None if there was none."""
        return (
            None if self.change_request is None else self.read(self.change_request.earlier_answer)
        )

    async def prepare_in_slices(self, step: Callable[[Tx], bool]) -> None:
        """Make in slices what goes before a change: `step` returns whether more is left, and finds it if repeated.

        Ends when the same request, with the same Idempotency-Key, has made the change meanwhile.
        """
        asked = self.change_request

        def prepare(tx: Tx) -> bool | None:
            is_made = asked is not None and asked.earlier_answer(tx) is not None
            return None if not is_made and step(tx) else True

        await self._run_slices(prepare, nullcontext())

    async def write_in_slices(
        self, step: Callable[[Tx], T | None], progress: Progress | None = None
    ) -> T:
        """Make a large change in slices, each a transaction with its events, with others in between.

        `step` returns None while more is left, then the answer. If the change is cut short, the same request goes on
        with the `progress` that the last slice left, and with what the tables show. Whatever a second run of `step`
        would do again, or refuse, belongs in `progress`. An Idempotency-Key makes it at most once.
        """
        if self.change_request is None:
            return await self._run_slices(step, nullcontext())
        change = SlicedChange(self.change_request, step, progress)
        if progress is None:
            return await self._run_slices(change, nullcontext())
        same = self.change_request.user_id, self.change_request.digest()
        return await self._run_slices(change, self.turns.setdefault(same, asyncio.Lock()))

    async def _run_slices(
        self, change: Callable[[Tx], T | None], turn: AbstractAsyncContextManager[None]
    ) -> T:
        """Run all slices. A change that was started continues when its client disconnects."""
        answer: T | None = None

        async def run() -> None:
            nonlocal answer
            async with turn:
                answer = await self.write(change)
                while answer is None:
                    # What came meanwhile is written before the next slice, not in one transaction with it.
                    await asyncio.sleep(0)
                    answer = await self.write(change)

        task = asyncio.create_task(run())
        _UNDER_WAY.add(task)
        task.add_done_callback(_over)
        await asyncio.wait((task,))  # not `shield`, which logs its errors when the caller is gone
        task.result()
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
