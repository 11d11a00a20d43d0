"""The event stream: what the person sees of it when all goes well, and when it does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest

from tests import eg
from tests.conftest import Bugs
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Script,
    lost,
    refusal,
    success,
    unreachable,
    until,
)
from tui.api.encode import encode
from tui.api.events import (
    DeleteMessageEvent,
    HeartbeatEvent,
    StreamUpdateEvent,
    SubscriptionAddEvent,
    TypingStartEvent,
    UpdateMessageFlagsAddEvent,
)
from tui.api.events.messages import TypingUser
from tui.api.model import ChannelId, Message, MessageId, Subscription
from tui.errors import ServerFailed
from tui.narrow import Search, Term, TopicNarrow
from tui.store import Changes, Store
from tui.store.optimistic import FlagChange
from tui.sync.backoff import BY_KEY_SECONDS
from tui.sync.machine import FRAME_SECONDS, NotReady, Sync
from tui.sync.status import Connecting, Live, Retrying, SignedOut, Status

GENERAL = eg.subscription(9, "general")
TEA = TopicNarrow(ChannelId(9), "tea")


class Scene:
    """A machine at work on a scripted server."""

    def __init__(self) -> None:
        self.script = Script(eg.snapshot(channels=[GENERAL]))
        self.audience = Audience()
        self.world = FakeEnvironment()
        self.sync = Sync(
            self.script.connection, self.audience, environment=self.world.environment()
        )

    async def registered(self, times: int = 1) -> None:
        await until(lambda: len(self.script.asked("POST /register")) >= times)
        await until(lambda: self.sync.queue_id is not None and self.sync.store_if_any is not None)

    def history(self, *messages: Message) -> None:
        """What every fetch of messages answers."""
        self.script.on(
            "GET /messages",
            lambda _: success(
                anchor=10**16,
                found_oldest=True,
                found_newest=True,
                messages=[encode(message) for message in messages],
            ),
        )


@asynccontextmanager
async def in_background(scene: Scene) -> AsyncIterator[None]:
    """Keep the scene's store current during the block, and close its connection."""
    task = asyncio.ensure_future(scene.sync.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await scene.script.connection.aclose()


@asynccontextmanager
async def running() -> AsyncIterator[Scene]:
    scene = Scene()
    async with in_background(scene):
        yield scene


def said(message_id: int) -> Message:
    return eg.message(message_id, channel=GENERAL, topic="tea")


async def test_a_poll_is_told_once() -> None:
    """Three messages in one answer redraw the screen once, by their ids."""
    async with running() as scene:
        await scene.registered()
        scene.audience.reports.clear()
        events = [eg.message_event(said(50 + i), i) for i in range(3)]
        scene.script.events(*events)
        await until(lambda: bool(scene.audience.reports))
        (report,) = scene.audience.reports
        assert report.arrived == (50, 51, 52)
        assert scene.sync.store.unread_ids(TEA) == {50, 51, 52}


async def test_an_answer_that_comes_again_counts_once() -> None:
    """A lost acknowledgement repeats events; nothing is unread twice or undone."""
    async with running() as scene:
        await scene.registered()
        event = eg.message_event(said(50), 1)
        read = eg.event(UpdateMessageFlagsAddEvent, 2, flag="read", message_ids=(50,))
        scene.script.events(event, read)
        scene.script.events(event, read, eg.event(HeartbeatEvent, 3))
        await until(lambda: len(scene.script.asked("GET /events")) == 3)
        assert not scene.sync.store.unread_ids(TEA)
        assert scene.script.asked("GET /events")[-1].parameters["last_event_id"] == "3"


async def test_a_flood_is_asked_for_as_often_as_it_is_shown() -> None:
    """A message alone is asked for at once; of a hundred in a second a poll brings those of a frame."""
    async with running() as scene:
        await scene.registered()
        for number in range(1, 4):
            scene.script.events(eg.message_event(said(50 + number), number))
        await until(lambda: len(scene.script.asked("GET /events")) == 4)
        assert scene.world.slept == pytest.approx([FRAME_SECONDS, FRAME_SECONDS])
        scene.world.now += 1.0
        scene.script.events(eg.message_event(said(60), 10))
        await until(lambda: len(scene.script.asked("GET /events")) == 5)
        assert len(scene.world.slept) == 2


async def test_a_list_of_topics_older_than_a_removal_is_asked_for_again() -> None:
    """What was deleted while the list was on its way is not among the topics for good."""
    async with running() as scene:
        await scene.registered()
        store = scene.sync.store
        store.apply(eg.message_event(said(50), 1))
        deleted = eg.event(
            DeleteMessageEvent,
            2,
            message_ids=(MessageId(50),),
            message_type="stream",
            channel_id=ChannelId(9),
            topic="tea",
        )

        def late(_: object) -> httpx.Response:
            if len(scene.script.asked("GET /users/me/9/topics")) > 1:
                return success(topics=[])
            store.apply(deleted)
            return success(topics=[{"name": "tea", "max_id": 50}])

        scene.script.on("GET /users/me/9/topics", late)
        await scene.sync.history.topics(ChannelId(9))
        assert store.topics.of(ChannelId(9)) == []


async def test_network_trouble_is_waited_out_and_told() -> None:
    """The state is kept, the wait grows, and the person reads why."""
    async with running() as scene:
        await scene.registered()
        scene.script.fail(unreachable(), lost(), httpx.Response(502))
        scene.script.events(eg.message_event(said(50), 1))
        await until(lambda: bool(scene.audience.changes.arrived))
        waits = [s for s in scene.audience.statuses if isinstance(s, Retrying)]
        assert [wait.attempt for wait in waits] == [1, 2, 3]
        assert waits[0].seconds < waits[1].seconds < waits[2].seconds
        assert waits[0].is_quiet
        assert not waits[2].is_quiet
        assert "127.0.0.1" in waits[0].sentence
        assert scene.sync.status == Live()
        assert len(scene.script.asked("POST /register")) == 1


async def test_waiting_can_be_cut_short() -> None:
    """One key, and the next attempt is now."""
    scene = Scene()
    asleep = asyncio.Event()

    async def for_ever(_: float) -> None:
        asleep.set()
        await asyncio.Event().wait()

    environment = replace(scene.world.environment(), sleep=for_ever)
    sync = Sync(scene.script.connection, scene.audience, environment=environment)
    task = asyncio.ensure_future(sync.run())
    scene.script.on_each("POST /register", unreachable(), success(**_answer(scene)))
    await asleep.wait()
    sync.retry_now()
    await until(lambda: sync.status == Live())
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_key_that_is_held_down_lets_an_attempt_end() -> None:
    """Each press ended the attempt before: a slow network was never reached, and the server asked 30 times a second."""
    async with running() as scene:
        await scene.registered()
        await until(lambda: len(scene.script.asked("GET /events")) == 1)
        for _ in range(10):
            scene.sync.retry_now(by_key=True)
            await until(lambda: len(scene.script.asked("GET /events")) == 2)
            await asyncio.sleep(0)
        scene.world.now += BY_KEY_SECONDS
        scene.sync.retry_now(by_key=True)
        await until(lambda: len(scene.script.asked("GET /events")) == 3)
        assert scene.script.asked("GET /events")[-1].parameters["dont_block"] == "true"


async def test_a_lost_queue_is_replaced_quietly() -> None:
    """After a night asleep the open conversation has the new messages, and nobody was alarmed."""
    async with running() as scene:
        await scene.registered()
        scene.history(said(50))
        await scene.sync.history.around(TEA, "newest")
        scene.sync.watch(TEA, None)
        scene.history(said(50), said(60))
        scene.audience.statuses.clear()
        scene.script.fail(refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: scene.audience.changes.replaced)
        await until(lambda: len(scene.script.asked("POST /register")) == 2)
        await until(lambda: list(scene.sync.store.messages.window(TEA).ids()) == [50, 60])
        assert not [s for s in scene.audience.statuses if isinstance(s, Retrying)]


async def test_a_server_that_is_back_without_its_queues_is_not_waited_for_again() -> None:
    """After ten minutes of maintenance, the first answer brings everything, not a further delay of 45 seconds."""
    async with running() as scene:
        await scene.registered()
        scene.script.fail(*[unreachable() for _ in range(8)], refusal("BAD_EVENT_QUEUE_ID"))
        await until(lambda: len(scene.script.asked("POST /register")) == 2)
        assert len(scene.world.slept) == 8
        await until(lambda: scene.sync.status == Live())


async def test_a_server_that_forgets_every_queue_is_not_asked_in_a_loop() -> None:
    """A broken server is left in peace for longer and longer."""
    async with running() as scene:
        await scene.registered()
        scene.script.fail(*[refusal("BAD_EVENT_QUEUE_ID") for _ in range(4)])
        await until(lambda: len(scene.script.asked("POST /register")) == 5)
        assert len(scene.world.slept) >= 3
        assert scene.world.slept == sorted(scene.world.slept)


async def test_an_event_that_breaks_the_store_starts_it_anew(bugs: Bugs) -> None:
    """What cannot be understood costs a moment, not the session."""
    async with running() as scene:
        await scene.registered()
        before = scene.sync.store
        wrong = eg.event(StreamUpdateEvent, 1, channel_id=9, property="name", value=5)
        scene.script.events(wrong)
        await until(lambda: len(scene.script.asked("POST /register")) == 2)
        await until(lambda: scene.sync.store is not before)
        assert scene.sync.store.channel_names[ChannelId(9)] == "general"
    assert len(bugs.take()) == 1


async def test_a_bug_in_the_machine_itself_starts_it_anew(
    monkeypatch: pytest.MonkeyPatch, bugs: Bugs
) -> None:
    """Messages come again after a pause, and I am told of the bug."""
    async with running() as scene:
        await scene.registered()
        with monkeypatch.context() as broken:
            broken.setattr(scene.sync, "_follow_up", lambda: 1 / 0)
            scene.script.events(eg.message_event(said(50), 1))
            await until(lambda: bool(bugs.reported))
        await until(lambda: len(scene.script.asked("POST /register")) == 2)
        await until(lambda: isinstance(scene.sync.status, Live))
        scene.script.events(eg.message_event(said(51), 2))
        await until(lambda: scene.sync.store.unread_ids(TEA) >= {51})
    assert bugs.take() == ["division by zero"]


class Deaf:
    """A part of the screen with a bug."""

    def store_changed(self, changes: Changes) -> None:
        raise ValueError("changes")

    def status_changed(self, status: Status) -> None:
        raise ValueError("status")


async def test_a_listener_with_a_bug_keeps_no_other_from_hearing(bugs: Bugs) -> None:
    """What one part of the screen cannot show, the others do, and the next news come."""
    scene = Scene()
    after = Audience()
    scene.sync.listen(Deaf())
    scene.sync.listen(after)
    task = asyncio.ensure_future(scene.sync.run())
    try:
        await scene.registered()
        scene.script.events(eg.message_event(said(50), 1))
        await until(lambda: any(report.arrived == (50,) for report in after.reports))
        assert isinstance(scene.sync.status, Live)
    finally:
        task.cancel()
        await asyncio.wait([task])
        await scene.script.connection.aclose()
    assert set(bugs.take()) == {"changes", "status"}


async def test_a_key_that_is_not_accepted_ends_it() -> None:
    """Somebody whose account was closed is told so, and the server is not asked again."""
    scene = Scene()
    scene.script.on("POST /register", lambda _: refusal("UNAUTHORIZED", 401))
    scene.script.on("GET /server_settings", lambda _: success(realm_name="Tea"))
    scene.script.on("GET /users/me", lambda _: refusal("UNAUTHORIZED", 401))
    await asyncio.wait_for(scene.sync.run(), 5)
    assert isinstance(scene.sync.status, SignedOut)
    assert len(scene.script.requests) == 3


async def test_the_queue_is_given_back() -> None:
    """Closing the client leaves nothing behind on the server."""
    async with running() as scene:
        await scene.registered()
        await until(lambda: bool(scene.script.asked("GET /events")))
    assert scene.script.asked("DELETE /events")[0].parameters["queue_id"] == "queue-1"


async def test_before_the_first_answer_the_last_known_state_is_shown() -> None:
    """Offline, the conversations of yesterday are there at once."""
    scene = Scene()
    with pytest.raises(NotReady):
        _ = scene.sync.store
    cached = Store.from_snapshot(scene.script.snapshot)
    assert Sync(scene.script.connection, scene.audience, cached=cached).store is cached
    assert scene.sync.status == Connecting()


async def test_an_event_during_a_fetch_is_in_its_result() -> None:
    """A message marked read while history loads does not come back as unread."""
    async with running() as scene:
        await scene.registered()
        gate = asyncio.Event()

        async def slowly(_: object) -> httpx.Response:
            await gate.wait()
            return success(
                anchor=50, found_oldest=True, found_newest=True, messages=[encode(said(50))]
            )

        scene.script.on("GET /messages", slowly)
        fetch = asyncio.ensure_future(scene.sync.history.around(TEA, "newest"))
        await until(lambda: bool(scene.script.asked("GET /messages")))
        scene.script.events(eg.event(UpdateMessageFlagsAddEvent, 1, flag="read", message_ids=(50,)))
        await until(lambda: len(scene.script.asked("GET /events")) == 2)
        gate.set()
        await fetch
        assert scene.sync.store.messages.by_id[MessageId(50)].flags == {"read"}


async def test_a_channel_that_is_joined_while_it_loads_is_asked_for_again() -> None:
    """Who makes a channel and opens it at once sees it, whatever comes first."""
    async with running() as scene:
        await scene.registered()
        gate = asyncio.Event()

        async def slowly(_: object) -> httpx.Response:
            await gate.wait()
            return success(
                anchor=50, found_oldest=True, found_newest=True, messages=[encode(said(50))]
            )

        scene.script.on("GET /messages", slowly)
        fetch = asyncio.ensure_future(scene.sync.history.around(TEA, "newest"))
        await until(lambda: bool(scene.script.asked("GET /messages")))
        mine = eg.make(Subscription, channel_id=ChannelId(9), name="design")
        scene.script.events(eg.event(SubscriptionAddEvent, 1, subscriptions=(mine,)))
        await until(lambda: len(scene.script.asked("GET /events")) == 2)
        gate.set()
        await fetch
        assert len(scene.script.asked("GET /messages")) == 2
        assert list(scene.sync.store.messages.window(TEA).ids()) == [MessageId(50)]


async def test_a_failed_fetch_is_told_to_who_asked() -> None:
    """The conversation says that it could not load; the stream goes on."""
    async with running() as scene:
        await scene.registered()
        scene.script.on("GET /messages", lambda _: httpx.Response(500))
        with pytest.raises(ServerFailed):
            await scene.sync.history.around(TEA, "newest")
        assert scene.sync.status == Live()


async def test_scrolling_twice_asks_once() -> None:
    """Two requests for the same older messages are one."""
    async with running() as scene:
        await scene.registered()
        scene.history(said(50))
        history = scene.sync.history
        await asyncio.gather(*(history.older(TEA, MessageId(60)) for _ in range(3)))
        assert len(scene.script.asked("GET /messages")) == 1


async def test_a_search_gets_new_hits_by_asking_the_server() -> None:
    """A message that matches the open search appears in it, one that does not stays out."""
    hits = Search((Term("search", "hello"),))
    async with running() as scene:
        await scene.registered()
        scene.history()
        await scene.sync.history.around(hits, "newest")
        scene.sync.watch(hits, None)
        scene.script.on("GET /messages/matches_narrow", lambda _: success(messages={"51": {}}))
        scene.script.events(eg.message_event(said(50), 1), eg.message_event(said(51), 2))
        window = scene.sync.store.messages.window(hits)
        await until(lambda: list(window.ids()) == [51])


async def test_a_change_that_changed_nothing_is_not_shown_for_ever() -> None:
    """A star on a starred message has no event: what was shown ends with the next poll."""
    async with running() as scene:
        await scene.registered()
        scene.script.events(eg.message_event(said(50), 1))
        await until(lambda: len(scene.script.asked("GET /events")) == 2)
        star = FlagChange(message_ids=frozenset({MessageId(50)}), flag="starred", on=True)
        scene.sync.acknowledge(scene.sync.add_operation(star))
        scene.script.events(eg.event(HeartbeatEvent, 2))  # this poll began before the answer
        await until(lambda: len(scene.script.asked("GET /events")) == 3)
        assert list(scene.sync.store.pending)
        scene.script.events(eg.event(HeartbeatEvent, 3))
        await until(lambda: not list(scene.sync.store.pending))


async def test_typing_ends_although_nobody_says_so() -> None:
    """Somebody who closed the lid is not shown as typing until the morning."""
    async with running() as scene:
        await scene.registered()
        people = tuple(TypingUser(user_id=each.user_id) for each in (eg.MARY, eg.ME))
        scene.script.events(
            eg.event(TypingStartEvent, 1, sender_id=eg.MARY.user_id, recipients=people)
        )
        await until(lambda: len(scene.audience.changes.typing) == 1)
        await until(lambda: not scene.sync.store.typing)
        assert sum(scene.world.slept) >= 15


def _answer(scene: Scene) -> dict[str, object]:
    encoded = encode(scene.script.snapshot)
    assert isinstance(encoded, dict)
    return encoded
