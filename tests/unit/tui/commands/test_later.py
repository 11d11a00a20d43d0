"""Wishes for later are carried out once, and nothing is lost between the server and this machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests import eg
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Reply,
    Script,
    lost,
    refusal,
    success,
    until,
)
from tui.api.destination import TopicDestination
from tui.api.model import ChannelId, Reminder, ReminderId, ScheduledMessage, ScheduledMessageId
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.cache.outbox import OutboxFile
from tui.commands import reminders, scheduled_messages
from tui.commands.drafts import DraftSync
from tui.commands.idempotency import Attempts
from tui.commands.outbox import SendQueue
from tui.errors import ApiError
from tui.sync.machine import Sync

GENERAL = eg.subscription(9, "general")
TO_TEA = TopicDestination(channel_id=ChannelId(9), topic="tea")
MILK = eg.make(
    ScheduledMessage,
    scheduled_message_id=ScheduledMessageId(7),
    type="stream",
    to=9,
    topic="tea",
    content="milk",
)


class LiveClient:
    """A live machine with drafts and an outbox on disk."""

    def __init__(self, folder: Path) -> None:
        self.script = Script(eg.snapshot(channels=[GENERAL]))
        world = FakeEnvironment().environment()
        self.sync = Sync(self.script.connection, Audience(), environment=world)
        database = Database(folder / "account.db")
        self.outbox = OutboxFile(database, folder)
        self.sending = SendQueue(self.sync, self.outbox, environment=world)
        self.drafts = DraftSync(self.sync, DraftFile(database), environment=world)
        self._database = database

    async def send_now(self) -> None:
        await scheduled_messages.send_now(self.sync, MILK, self.drafts, self.sending)

    def close(self) -> None:
        self.outbox.close()
        self._database.close()

    @property
    def kept(self) -> tuple[list[str], list[str]]:
        """What is a draft, and what is on its way."""
        store = self.sync.store
        return (
            [each.content for each in store.drafts.local.values()],
            [each.content for each in store.outbox.by_id.values()],
        )


@asynccontextmanager
async def client(folder: Path) -> AsyncIterator[LiveClient]:
    there = LiveClient(folder)
    task = asyncio.ensure_future(there.sync.run())
    try:
        await until(lambda: there.sync.store_if_any is not None)
        yield there
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await there.script.connection.aclose()
        there.close()


@pytest.mark.parametrize(
    ("reply", "drafts", "outbox"),
    [
        (success(), [], ["milk"]),
        (refusal("BAD_REQUEST", 404), [], []),
        (lost(), ["milk"], []),
        (httpx.Response(502), ["milk"], []),
    ],
)
async def test_sending_now_neither_loses_nor_doubles(
    tmp_path: Path, reply: Reply, drafts: list[str], outbox: list[str]
) -> None:
    """Only what the server surely let go of is sent from here; in doubt the words stay a draft."""
    async with client(tmp_path) as there:
        there.script.on("DELETE /scheduled_messages/7", lambda _: reply)
        try:
            await there.send_now()
        except ApiError:
            assert not outbox
        assert there.kept == (drafts, outbox)


async def test_the_same_wish_after_a_lost_answer_is_the_same_request(tmp_path: Path) -> None:
    """Who presses Enter again because the network broke schedules one message, not two."""
    async with client(tmp_path) as there:
        done = success(scheduled_message_id=7)
        there.script.on_each("POST /scheduled_messages", lost(), done, done)
        attempts = Attempts()

        async def wish(content: str) -> None:
            await scheduled_messages.create(
                there.sync, attempts, destination=TO_TEA, content=content, at=eg.NOW + 60
            )

        with pytest.raises(ApiError):
            await wish("milk")
        await wish("milk")
        await wish("milk")
        first, again, anew = [r.key for r in there.script.asked("POST /scheduled_messages")]
        assert first == again
        assert anew != again


@pytest.mark.parametrize(
    ("created", "deleted", "attempts", "deletions"),
    [
        (success(reminder_id=8), success(), 1, 1),
        (success(reminder_id=8), refusal("BAD_REQUEST", 404), 1, 1),
        (success(reminder_id=8), lost(), 2, 2),
        (lost(), success(), 2, 0),
    ],
)
async def test_a_reminder_is_deleted_after_another_took_its_place(
    tmp_path: Path, created: Reply, deleted: Reply, attempts: int, deletions: int
) -> None:
    """Whatever gets lost, there is a reminder, and who tries again does not get a third."""
    async with client(tmp_path) as there:
        there.script.on("POST /reminders", lambda _: created)
        there.script.on("DELETE /reminders/7", lambda _: deleted)
        keys, reminder = Attempts(), eg.make(Reminder, reminder_id=ReminderId(7))
        for tried in range(attempts):
            try:
                await reminders.reschedule(there.sync, keys, reminder, eg.NOW + 60)
                assert tried == 0
            except ApiError:
                assert attempts == 2
        assert len({each.key for each in there.script.asked("POST /reminders")}) == 1
        assert len(there.script.asked("DELETE /reminders/7")) == deletions
