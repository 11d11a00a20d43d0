"""Sending: nothing is lost and nothing is sent twice, whatever breaks and whenever."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tests.conftest import Bugs
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Reply,
    Request,
    Script,
    lost,
    refusal,
    success,
    unreachable,
    until,
)
from tui.api.destination import TopicDestination
from tui.api.encode import encode
from tui.api.events import UpdateMessageEvent
from tui.api.model import ChannelId, LocalId, Message, MessageId
from tui.cache.database import Database
from tui.cache.outbox import OutboxFile
from tui.commands.outbox import RESTORED, KeyFactory, SendQueue
from tui.errors import ConfigError
from tui.narrow import TopicNarrow
from tui.store.outbox import OutgoingMessage
from tui.sync.machine import Sync
from tui.sync.status import Live, Retrying

GENERAL = eg.subscription(9, "general")
TEA = TopicDestination(channel_id=ChannelId(9), topic="tea")


@dataclass
class PostOffice:
    """A server's messages; `outcomes` says what happens to each request in turn, then all is well.

    `crash` is set where the client is to die, and the request never ends for it.
    """

    keeps_keys: bool
    outcomes: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    by_key: dict[str, int] = field(default_factory=dict)
    crash: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, request: Request) -> Reply:
        outcome = self.outcomes.pop(0) if self.outcomes else "ok"
        match outcome:
            case "unreachable":
                return unreachable()
            case "lost before":
                return lost()
            case "broken":
                return httpx.Response(502)
            case "limited":
                return httpx.Response(
                    429, json={"result": "error", "msg": "slower", "retry-after": 2.0}
                )
            case "crash before":
                self.crash.set()
                await asyncio.Event().wait()
        message_id = self._store(request)
        match outcome:
            case "lost after":
                return lost()
            case "broken after":
                return httpx.Response(502)
            case "crash after":
                self.crash.set()
                await asyncio.Event().wait()
        return success(id=message_id)

    def _store(self, request: Request) -> int:
        key = request.key or ""
        if self.keeps_keys and key in self.by_key:
            return self.by_key[key]
        message_id = 100 + len(self.messages)
        content = request.parameters["content"]
        self.messages.append(
            eg.message(message_id, channel=GENERAL, topic="tea", sender=eg.ME, content=content)
        )
        self.by_key[key] = message_id
        return message_id

    def get(self, request: Request) -> Reply:
        """The person's own messages after an anchor."""
        anchor = int(request.parameters["anchor"])
        messages = [encode(m) for m in self.messages if m.id > anchor]
        return success(anchor=anchor, found_oldest=True, found_newest=True, messages=messages)


class Client:
    """One run of a client: its machine and its outbox, on a folder that outlives it."""

    def __init__(self, office: PostOffice, folder: Path, numbers: "itertools.count[int]") -> None:
        self.script = Script(
            eg.snapshot(
                channels=[GENERAL],
                idempotency_keys=office.keeps_keys,
                max_message_id=max((m.id for m in office.messages), default=MessageId(1)),
            )
        )
        self.script.on("POST /messages", office.post)
        self.script.on("GET /messages", office.get)
        self.world = FakeEnvironment()
        environment = self.world.environment()
        self.sync = Sync(self.script.connection, Audience(), environment=environment)
        self.database = Database(folder / "account.db")
        self.disk = OutboxFile(self.database, folder)
        self.queue = SendQueue(
            self.sync,
            self.disk,
            environment=environment,
            key_factory=KeyFactory(
                now=lambda: float(next(numbers)), new_key=lambda: f"key-{next(numbers)}"
            ),
        )

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator["Client"]:
        """Connected and sending; leaving it is like kill -9, but for the locks."""
        tasks = [asyncio.ensure_future(work()) for work in (self.sync.run, self.queue.run)]
        try:
            await until(lambda: self.sync.status == Live())
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.script.connection.aclose()
            self.disk.close()
            self.database.close()

    def states(self) -> list[str]:
        return [message.state for message in self.sync.store.outbox.by_id.values()]

    def left(self) -> list[OutgoingMessage]:
        """What is not known to be sent."""
        return [m for m in self.sync.store.outbox.by_id.values() if m.state != "sent"]


@asynccontextmanager
async def client(
    tmp_path: Path, *outcomes: str, keeps_keys: bool = True
) -> AsyncIterator[tuple[Client, PostOffice]]:
    office = PostOffice(keeps_keys=keeps_keys, outcomes=list(outcomes))
    async with Client(office, tmp_path, itertools.count(1)).at_work() as there:
        yield there, office


OUTCOMES = [
    "ok",
    "unreachable",
    "lost before",
    "lost after",
    "broken after",
    "limited",
    "crash before",
    "crash after",
]


async def _tell(office: PostOffice, folder: Path, texts: list[str]) -> list[OutgoingMessage]:
    """Write the texts and run clients, one after each crash, until nothing is under way."""
    numbers = itertools.count(1)
    while True:
        office.crash.clear()
        async with Client(office, folder, numbers).at_work() as there:
            for text in texts:
                there.queue.send(TEA, text)
            texts = []
            await until(lambda: office.crash.is_set() or _is_done(there))
            if not office.crash.is_set():
                return there.left()


def _is_done(there: Client) -> bool:
    return not {"waiting", "sending"} & set(there.states())


@given(
    st.lists(st.sampled_from(OUTCOMES), max_size=8),
    st.lists(st.sampled_from(["ok", "tea?", "yes"]), min_size=1, max_size=3),
)
def test_with_keys_everything_is_sent_exactly_once(outcomes: list[str], texts: list[str]) -> None:
    """However often client, network and server fail, each message arrives once and in order."""
    with tempfile.TemporaryDirectory() as folder:
        office = PostOffice(keeps_keys=True, outcomes=outcomes)
        left = asyncio.run(_tell(office, Path(folder), texts))
        assert [m.content for m in office.messages] == texts
        assert not left


@given(
    st.lists(st.sampled_from(OUTCOMES), max_size=8),
    st.lists(st.sampled_from(["ok", "tea?", "yes"]), min_size=1, max_size=3),
)
def test_without_keys_doubt_is_shown_and_never_sent_twice(
    outcomes: list[str], texts: list[str]
) -> None:
    """On a server without keys a message is there once, or the person is asked about it."""
    with tempfile.TemporaryDirectory() as folder:
        office = PostOffice(keeps_keys=False, outcomes=outcomes)
        left = asyncio.run(_tell(office, Path(folder), texts))
        sent = [m.content for m in office.messages]
        assert all(m.state == "unclear" for m in left)
        assert sorted(sent + [m.content for m in left]) == sorted(texts)


async def test_a_message_is_shown_at_once(tmp_path: Path) -> None:
    """The words appear in the conversation before the server has heard of them."""
    async with client(tmp_path) as (there, _):
        there.queue.send(TEA, "hello")
        (message,) = there.sync.store.outbox.by_id.values()
        assert (message.content, message.state) == ("hello", "waiting")


async def test_what_is_shown_waits_for_the_disk(tmp_path: Path) -> None:
    """Neither it nor what was written after it is sent before it is saved; then both, in their order."""
    async with client(tmp_path) as (there, office):
        first = there.queue.show(TEA, "first")
        there.queue.send(TEA, "second")
        assert [m.content for m in there.left()] == ["first", "second"]
        there.queue._keep(replace(there.queue._messages[first], content="first, moved"))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not there.script.asked("POST /messages")
        assert len(there.database.rows("SELECT 1 FROM outbox")) == 1
        there.queue.save(first)
        await until(lambda: not there.left())
        assert [m.content for m in office.messages] == ["first, moved", "second"]


async def test_what_cannot_be_saved_holds_nothing_up(tmp_path: Path) -> None:
    """With the disk full it is shown no longer, and what follows is sent."""
    async with client(tmp_path) as (there, office):
        first = there.queue.show(TEA, "first")
        there.queue.send(TEA, "second")
        full(there.database)
        with pytest.raises(ConfigError):
            there.queue.save(first)
        full(there.database, is_full=False)
        await until(lambda: not there.left())
        assert [m.content for m in office.messages] == ["second"]


async def test_what_was_discarded_before_it_was_saved_is_gone(tmp_path: Path) -> None:
    """Saving it then takes the draft away, and writes nothing."""
    async with client(tmp_path) as (there, office):
        taken: list[str] = []

        @contextmanager
        def within() -> Iterator[None]:
            yield
            taken.append("draft")

        first = there.queue.show(TEA, "first")
        assert there.queue.discard(first) is not None
        there.queue.save(first, within=within())
        assert taken == ["draft"]
        assert not there.left()
        assert not office.messages
        assert not there.database.rows("SELECT 1 FROM outbox")


async def test_it_is_on_disk_before_the_first_attempt(tmp_path: Path) -> None:
    """A crash right after Enter loses nothing."""
    async with client(tmp_path, "crash before") as (there, office):
        there.queue.send(TEA, "hello")
        await office.crash.wait()
        rows = there.database.rows("SELECT message FROM outbox")
        assert len(rows) == 1
        assert "hello" in rows[0][0]


async def test_a_refusal_stays_visible_and_can_be_repeated(tmp_path: Path) -> None:
    """What the server does not want is shown with its reason, until it is sent or discarded."""
    async with client(tmp_path) as (there, office):
        there.script.on("POST /messages", lambda _: refusal("BAD_REQUEST"))
        local_id = there.queue.send(TEA, "hello")
        await until(lambda: there.states() == ["failed"])
        assert there.sync.store.outbox.by_id[local_id].error == "no"
        there.script.on("POST /messages", office.post)
        there.queue.retry(local_id)
        await until(lambda: len(office.messages) == 1)


async def test_a_server_that_fails_for_hours_makes_no_message_fail(tmp_path: Path) -> None:
    """502 from a proxy, hour after hour: it waits, and goes by itself."""
    async with client(tmp_path, *["broken"] * 200) as (there, office):
        there.queue.send(TEA, "first")
        there.queue.send(TEA, "second")
        await until(lambda: not there.left())
        assert sum(there.world.slept) > 3600
        assert [m.content for m in office.messages] == ["first", "second"]


async def test_it_is_sent_as_soon_as_the_server_answers_again(tmp_path: Path) -> None:
    """Not when its own pause is over, of up to 45 seconds."""
    async with client(tmp_path, "broken") as (there, office):
        there.world.stands_still = True
        there.script.fail(unreachable())
        await until(lambda: isinstance(there.sync.status, Retrying))
        there.queue.send(TEA, "hello")
        await until(lambda: not office.outcomes and there.states() == ["waiting"])
        there.script.events()
        there.sync.retry_now()
        await until(lambda: not there.left())
        assert [m.content for m in office.messages] == ["hello"]


async def test_a_repeated_request_is_the_same_to_the_letter(tmp_path: Path) -> None:
    """Other fields under one key would be refused: queue and local id are those of the first."""
    async with client(tmp_path, "lost after") as (there, office):
        there.queue.send(TEA, "hello")
        await until(lambda: not there.left())
        first, second = there.script.asked("POST /messages")
        assert first.parameters == second.parameters
        assert first.key == second.key
        assert len(office.messages) == 1
        assert not there.database.rows("SELECT 1 FROM outbox")


async def test_a_key_that_the_server_forgot_is_not_relied_on(tmp_path: Path) -> None:
    """After a day offline the person is asked, rather than a message sent twice."""
    async with client(tmp_path, "lost before", "ok") as (there, office):
        there.queue._key_factory = KeyFactory(now=iter([0.0, 0.0, 90_000.0, 90_000.0]).__next__)
        there.queue.send(TEA, "hello")
        await until(lambda: there.states() == ["unclear"])
        assert not office.messages


async def test_an_echo_settles_a_doubt(tmp_path: Path) -> None:
    """The answer got lost, the event did not: the message is there, and nobody is asked."""
    async with client(tmp_path, "lost before", keeps_keys=False) as (there, _):
        local_id = there.queue.send(TEA, "hello")
        await until(lambda: there.states() == ["unclear"])
        echo = eg.message(500, channel=GENERAL, topic="tea", sender=eg.ME)
        there.script.events(eg.message_event(echo, 1, local_message_id=local_id))
        await until(lambda: not there.states())
        assert not there.database.rows("SELECT 1 FROM outbox")


@pytest.mark.parametrize("answer", ["while it loads", "after it loaded"])
async def test_an_answer_that_crosses_a_reload(tmp_path: Path, answer: str) -> None:
    """Sent before the new queue began, answered when it had: its event never comes, and it is shown once."""
    async with client(tmp_path) as (there, office):
        answered, loads, loaded = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def post(request: Request) -> Reply:
            reply = await office.post(request)
            await answered.wait()
            return reply

        async def get(request: Request) -> Reply:
            loads.set()
            await loaded.wait()
            messages = [encode(message) for message in office.messages]
            return success(anchor=0, found_oldest=True, found_newest=True, messages=messages)

        there.script.on("POST /messages", post)
        there.script.on("GET /messages", get)
        there.sync.watch(TopicNarrow(ChannelId(9), "tea"), None)
        there.queue.send(TEA, "hello")
        await until(lambda: bool(office.messages))
        there.script.snapshot = replace(there.script.snapshot, max_message_id=MessageId(100))
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await loads.wait()
        if answer == "while it loads":
            answered.set()
            await until(lambda: there.states() != ["sending"])
            loaded.set()
        else:
            loaded.set()
            await until(lambda: 100 in there.sync.store.messages.by_id)
            answered.set()
        await until(lambda: 100 in there.sync.store.messages.by_id)
        await until(lambda: not there.states())


async def test_a_doubt_ends_when_the_message_is_found_in_the_history(tmp_path: Path) -> None:
    """A slow server stored it after it was looked for: nobody has to decide anything."""
    async with client(tmp_path, "lost before", keeps_keys=False) as (there, office):
        there.queue.send(TEA, "hello")
        await until(lambda: there.states() == ["unclear"])
        said = eg.message(500, channel=GENERAL, topic="tea", sender=eg.ME, content="hello")
        office.messages.append(said)
        there.script.events(eg.message_event(said, 1))
        await until(lambda: not there.left())
        assert not there.database.rows("SELECT 1 FROM outbox")
        assert [m.content for m in office.messages] == ["hello"]


async def test_the_same_words_sent_again_do_not_end_a_doubt(tmp_path: Path) -> None:
    """The second “ok” is there and the first is not: it stays in doubt, also after a new start."""
    async with client(tmp_path, "lost before", keeps_keys=False) as (there, office):
        there.queue.send(TEA, "ok")
        await until(lambda: there.states() == ["unclear"])
        there.queue.send(TEA, "ok")
        await until(lambda: len(office.messages) == 1)
        there.script.events(eg.message_event(office.messages[0], 1))
        await until(lambda: len(there.script.asked("GET /messages")) == 2)
        await until(lambda: sorted(there.states()) == ["unclear"])
    async with client(tmp_path, keeps_keys=False) as (again, _):
        again.script.on("GET /messages", office.get)
        await until(lambda: len(again.script.asked("GET /messages")) == 1)
        assert again.states() == ["unclear"]


async def test_discarding_forgets_it_for_good(tmp_path: Path) -> None:
    """What was thrown away does not come back after a restart."""
    async with client(tmp_path) as (there, _):
        there.script.on("POST /messages", lambda _: refusal("BAD_REQUEST"))
        local_id = there.queue.send(TEA, "hello")
        await until(lambda: there.states() == ["failed"])
        discarded = there.queue.discard(local_id)
        assert discarded is not None
        assert discarded.content == "hello"
        assert not there.states()
        assert not there.database.rows("SELECT 1 FROM outbox")


async def test_what_cannot_be_kept_is_not_taken(tmp_path: Path) -> None:
    """With a full disk the composer keeps the text and says so."""
    async with client(tmp_path) as (there, office):
        there.database.run("DROP TABLE outbox")
        with pytest.raises(ConfigError):
            there.queue.send(TEA, "hello")
        there.database.run("CREATE TABLE outbox (owner TEXT, message TEXT)")
        assert not office.messages
        assert there.queue.discard(LocalId("key-1")) is None


def full(database: Database, *, is_full: bool = True) -> None:
    """The disk takes nothing, or does again."""
    database._connection.execute(f"PRAGMA query_only = {int(is_full)}")


async def test_a_disk_that_fills_while_a_message_is_under_way(tmp_path: Path, bugs: Bugs) -> None:
    """The message is sent once, the next one waits, and goes by itself when there is room again."""
    async with client(tmp_path) as (there, office):
        answered = asyncio.Event()
        post = office.post

        async def late(request: Request) -> Reply:
            await answered.wait()
            return await post(request)

        there.script.on("POST /messages", late)
        there.queue.send(TEA, "under way")
        there.queue.send(TEA, "next")
        await until(lambda: there.states() == ["sending", "waiting"])
        full(there.database)
        answered.set()
        await until(lambda: [m.content for m in office.messages] == ["under way"])
        await until(lambda: any("cannot be written" in m.error for m in there.left()))
        assert there.states()[-1] == "waiting"
        full(there.database, is_full=False)
        await until(lambda: [m.content for m in office.messages] == ["under way", "next"])
        there.queue.adopt()  # as about once a second
        assert not there.database.rows("SELECT 1 FROM outbox")
    assert all("kept in memory only" in sentence for sentence in bugs.take())


async def test_what_waits_for_a_topic_goes_where_that_went(tmp_path: Path) -> None:
    """Written while the topic was being resolved: it does not begin the old topic anew."""
    async with client(tmp_path) as (there, _):
        there.queue.send(TEA, "held", held=True)
        there.script.events(
            eg.event(
                UpdateMessageEvent,
                message_id=MessageId(50),
                message_ids=(MessageId(50),),
                channel_id=ChannelId(9),
                orig_topic="Tea",
                topic="✔ tea",
                propagate_mode="change_all",
            )
        )
        resolved = TopicDestination(channel_id=ChannelId(9), topic="✔ tea")
        await until(lambda: [each.destination for each in there.left()] == [resolved])


async def test_what_waits_while_the_server_is_restored_is_held(tmp_path: Path) -> None:
    """A client that is open all the time does not send what was meant for the server of before."""
    async with client(tmp_path) as (there, office):
        there.script.snapshot = replace(there.script.snapshot, organization_generation="one")
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: there.sync.store.realm.generation == "one")
        there.script.on("POST /messages", lambda _: unreachable())
        never, tried = (there.queue.send(TEA, text, held=text == "no") for text in ("no", "yes"))
        await until(lambda: there.sync.store.outbox.by_id[tried].error != "")
        there.script.snapshot = replace(there.script.snapshot, organization_generation="two")
        there.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: there.states() == ["failed", "failed"])
        there.script.on("POST /messages", office.post)
        assert {m.error for m in there.left()} == {RESTORED}
        there.queue.retry(tried)
        await until(lambda: [m.content for m in office.messages] == ["yes"])
        assert there.sync.store.outbox.by_id[never].state == "failed"
