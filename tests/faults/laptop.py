"""The client below its screens, with a disk of its own: its store, outbox and drafts. No waiting.

`Laptop.kill` is the end of a process, without cleanup; the next one on the same folder finds
what the disk has.
"""

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import comparable
from tests.live import Person, until
from tui.accounts import Account
from tui.api.destination import TopicDestination
from tui.api.model import ChannelId
from tui.api.routes import queues
from tui.api.routes.queues import EVERYTHING
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.cache.outbox import OutboxFile
from tui.cache.uploads import UploadFile
from tui.commands.connecting import connect
from tui.commands.drafts import DraftSync
from tui.commands.outbox import KeyFactory, SendQueue
from tui.commands.uploads import Uploads
from tui.errors import NetworkError
from tui.store import Changes, Store
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live as Connected
from tui.sync.status import Status

NO_TIME = 0.001


@dataclass
class SleepingLaptop:
    """Makes waiting instant, and counts it. `ahead`: seconds that the machine slept.

    `later`: seconds that passed while it was awake.
    """

    ahead: float = 0.0
    later: float = 0.0
    slept: list[float] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def environment(self) -> Environment:
        return Environment(
            clock=lambda: time.monotonic() + self.later,
            wall=self.now,
            sleep=self._sleep,
            chance=self.chance.random,
        )

    def now(self) -> float:
        return time.time() + self.ahead

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(NO_TIME)


class Laptop:
    """One run of the client."""

    def __init__(
        self, url: str, person: Person, folder: Path, world: SleepingLaptop | None = None
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.world = world or SleepingLaptop()
        self.statuses: list[Status] = []
        environment = self.world.environment()
        numbers = itertools.count(random.getrandbits(60))
        key_factory = KeyFactory(now=self.world.now, new_key=lambda: f"key-{next(numbers)}")
        self.sync = Sync(
            connect(Account(site=url, email=person.email, key=person.key)),
            self,
            environment=environment,
        )
        self.database = Database(folder / "account.db")
        self.outbox = OutboxFile(self.database, folder)
        more: dict[str, Any] = {"environment": environment, "key_factory": key_factory}
        self.sending = SendQueue(self.sync, self.outbox, **more)
        self.drafts = DraftSync(self.sync, DraftFile(self.database), **more)
        self.uploads = Uploads(self.sync, UploadFile(self.database, self.outbox), **more)
        self._tasks: list[asyncio.Task[None]] = []

    def store_changed(self, changes: Changes) -> None:
        """Ignore changes: nothing is displayed."""

    def status_changed(self, status: Status) -> None:
        self.statuses.append(status)

    @property
    def store(self) -> Store:
        return self.sync.store

    @property
    def is_live(self) -> bool:
        return isinstance(self.sync.status, Connected)

    @property
    def waiting(self) -> list[str]:
        """Messages not yet known as sent or in doubt."""
        messages = self.store.outbox.by_id.values()
        return [m.content for m in messages if m.state in ("held", "waiting", "sending")]

    async def start(self) -> None:
        self.drafts.load()
        runs: tuple[Callable[[], Any], ...] = (self.sync.run, self.sending.run, self.drafts.run)
        self._tasks = [asyncio.ensure_future(run()) for run in runs]
        await until(lambda: self.is_live)

    async def kill(self) -> None:
        """Stop without writing or sending anything; the lock ends with the process."""
        self.sync.queue_id = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.sync.connection.aclose()
        self.outbox.close()
        self.drafts.close()
        self.database.close()

    async def caught_up(self) -> None:
        """Wait until the store equals a fresh snapshot."""

        async def same() -> bool:
            try:
                fresh = await self.fresh()
            except NetworkError:  # a connection from before the last cut
                return False
            return comparable.of(self.store) == comparable.of(fresh)

        await until(same)

    async def fresh(self) -> Store:
        """Return a fresh client's store."""
        snapshot = await queues.register(
            self.sync.connection,
            event_types=None,
            fetch_event_types=None,
            queue_filter=EVERYTHING,
            idle_queue_timeout_seconds=60,
            feature_level=0,
        )
        await queues.delete_queue(self.sync.connection, queue_id=snapshot.queue_id)
        return Store.from_snapshot(snapshot)


@asynccontextmanager
async def laptop(
    url: str, person: Person, folder: Path, world: SleepingLaptop | None = None
) -> AsyncIterator[Laptop]:
    """Run a client until the end of the block, which is like kill -9."""
    there = Laptop(url, person, folder, world)
    try:
        await there.start()
        yield there
    finally:
        await there.kill()


async def general(person: Person) -> TopicDestination:
    """Return a topic in a new channel "general"."""
    await person.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
    answer = await person.get("get_stream_id", stream="general")
    return TopicDestination(channel_id=ChannelId(answer["stream_id"]), topic="tea")
