"""What the person does: shown at once, told to the server once, taken back if it says no."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import httpx
import pytest

from tests import eg
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Request,
    Script,
    refusal,
    success,
    unreachable,
    until,
)
from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.events import PresenceEvent
from tui.api.model import ChannelId, Message, MessageId, Presence, UserId, VisibilityPolicy
from tui.commands import flags, messages, reactions, user_topics
from tui.commands.flags import ReadMarks
from tui.commands.presence import IDLE_SECONDS, PresencePings
from tui.commands.typing import TypingNotices
from tui.errors import ApiRefused, NotSupported
from tui.narrow import Search, Term, TopicNarrow
from tui.sync.machine import Sync
from tui.view.presence import presence

GENERAL = eg.subscription(9, "general")
TEA = TopicNarrow(ChannelId(9), "tea")
TO_TEA = TopicDestination(channel_id=ChannelId(9), topic="tea")
TO_MARY = DirectDestination(user_ids=frozenset({eg.MARY.user_id}))


class LiveClient:
    """A live machine with three messages in a topic."""

    def __init__(self, level: int) -> None:
        self.script = Script(eg.snapshot(channels=[GENERAL], feature_level=level))
        self.world = FakeEnvironment()
        self.audience = Audience()
        self.sync = Sync(
            self.script.connection, self.audience, environment=self.world.environment()
        )
        self.gate = asyncio.Event()

    def slowly(self, reply: httpx.Response) -> None:
        """All requests but the stream's wait for the gate and then get this answer."""

        async def answer(_: Request) -> httpx.Response:
            await self.gate.wait()
            return reply

        for route in (
            "POST /messages/flags",
            "POST /messages/51/reactions",
            "DELETE /messages/51/reactions",
            "PATCH /messages/51",
            "DELETE /messages/51",
            "POST /user_topics",
        ):
            self.script.on(route, answer)

    def message(self) -> Message | None:
        return self.sync.store.message(MessageId(51))


@asynccontextmanager
async def client(level: int = 496) -> AsyncIterator[LiveClient]:
    there = LiveClient(level)
    task = asyncio.ensure_future(there.sync.run())
    for message_id in (50, 51, 52):
        message = eg.message(message_id, channel=GENERAL, topic="tea")
        there.script.events(eg.message_event(message, message_id))
    try:
        await until(lambda: len(there.audience.changes.arrived) == 3)
        yield there
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await there.script.connection.aclose()


async def _thumb(sync: Sync) -> None:
    await reactions.toggle(
        sync,
        MessageId(51),
        emoji_name="+1",
        emoji_code="1f44d",
        reaction_type="unicode_emoji",
    )


async def _star(sync: Sync) -> None:
    await flags.star(sync, [MessageId(51)], on=True)


async def _edit(sync: Sync) -> None:
    await messages.edit(sync, MessageId(51), "goodbye", was="hello")


async def _delete(sync: Sync) -> None:
    await messages.delete(sync, MessageId(51))


async def _move(sync: Sync) -> None:
    await messages.move(
        sync, MessageId(51), topic="coffee", channel_id=None, propagate_mode="change_one"
    )


async def _resolve(sync: Sync) -> None:
    await messages.resolve(sync, MessageId(51), resolved=True)


@pytest.mark.parametrize("act", [_thumb, _star, _edit, _delete, _move, _resolve])
async def test_it_is_seen_at_once_and_taken_back_on_a_no(act: object) -> None:
    """The screen does not wait for the network, and does not lie when the server refuses."""
    async with client() as there:
        before = there.message()
        there.slowly(refusal("BAD_REQUEST"))
        assert callable(act)
        doing = asyncio.ensure_future(act(there.sync))
        await until(lambda: there.message() != before)
        there.gate.set()
        with pytest.raises(ApiRefused):
            await doing
        assert there.message() == before


async def test_a_thumb_is_taken_back_by_the_same_key() -> None:
    """The reaction that one has already is removed, not added twice."""
    async with client() as there:
        there.slowly(success())
        there.gate.set()
        await _thumb(there.sync)
        await _thumb(there.sync)
        assert len(there.script.asked("POST /messages/51/reactions")) == 1
        assert len(there.script.asked("DELETE /messages/51/reactions")) == 1


async def test_a_reaction_that_is_there_already_is_no_error() -> None:
    """Pressed on two devices at the same time, nobody needs to hear of it."""
    async with client() as there:
        there.slowly(refusal("REACTION_ALREADY_EXISTS"))
        there.gate.set()
        await _thumb(there.sync)


async def test_an_edit_names_what_it_replaces() -> None:
    """Somebody else's change in between is noticed by the server, by a hash."""
    async with client() as there:
        there.slowly(success())
        there.gate.set()
        await _edit(there.sync)
        (request,) = there.script.asked("PATCH /messages/51")
        digest = hashlib.sha256(b"hello").hexdigest()
        assert request.parameters["prev_content_sha256"] == digest


async def test_a_move_takes_along_what_comes_after() -> None:
    """The whole rest of the topic is in its new place at once."""
    async with client() as there:
        assert messages.movable(there.sync, MessageId(51), "change_one") == {51}
        assert messages.movable(there.sync, MessageId(51), "change_later") == {51, 52}
        assert messages.movable(there.sync, MessageId(51), "change_all") == {50, 51, 52}


async def test_a_policy_says_what_it_was_before() -> None:
    """Muting can be undone to exactly what was there."""
    async with client() as there:
        there.slowly(success())
        there.gate.set()
        before = await user_topics.set_policy(there.sync, TEA, VisibilityPolicy.FOLLOWED)
        assert before == VisibilityPolicy.INHERIT
        before = await user_topics.set_policy(there.sync, TEA, VisibilityPolicy.INHERIT)
        assert before == VisibilityPolicy.FOLLOWED
        assert there.sync.store.policy(TEA) == VisibilityPolicy.INHERIT


MUTED_TOPICS = "PATCH /users/me/subscriptions/muted_topics"


async def test_a_server_that_only_mutes_topics_is_asked_to() -> None:
    """On servers before level 170 a topic is muted and unmuted; following it is refused with the reason."""
    async with client(169) as there:
        there.script.on(MUTED_TOPICS, lambda _: success())
        await user_topics.set_policy(there.sync, TEA, VisibilityPolicy.MUTED)
        assert there.sync.store.policy(TEA) == VisibilityPolicy.MUTED
        await user_topics.set_policy(there.sync, TEA, VisibilityPolicy.INHERIT)
        asked = [each.parameters for each in there.script.asked(MUTED_TOPICS)]
        assert asked == [{"stream_id": "9", "topic": "tea", "op": op} for op in ("add", "remove")]
        with pytest.raises(NotSupported, match="following topics needs Zulip 7"):
            await user_topics.set_policy(there.sync, TEA, VisibilityPolicy.FOLLOWED)
        assert there.sync.store.policy(TEA) == VisibilityPolicy.INHERIT
        assert not there.script.asked("POST /user_topics")


async def test_everything_that_a_search_finds_is_marked_read_or_starred() -> None:
    """What is not loaded here too, page by page; how many is told, and which of them are known."""
    search = Search((Term("search", "kettle"),))
    pages = [
        success(
            processed_count=2,
            updated_count=2,
            first_processed_id=last - 1,
            last_processed_id=last,
            found_oldest=True,
            found_newest=last == 9,
        )
        for last in (5, 9)
    ]
    for done, op, flag in (
        (flags.mark_results_read, "add", "read"),
        (partial(flags.star_results, on=True), "add", "starred"),
        (partial(flags.star_results, on=False), "remove", "starred"),
    ):
        async with client() as there:
            there.script.on_each("POST /messages/flags/narrow", *pages)
            changed = await done(there.sync, search)
            assert (changed.count, changed.known) == (4, frozenset())
            asked = [each.parameters for each in there.script.asked("POST /messages/flags/narrow")]
            assert [(each["op"], each["flag"], each["anchor"]) for each in asked] == [
                (op, flag, "0"),
                (op, flag, "5"),
            ]


async def test_marking_read_says_what_was_unread() -> None:
    """A conversation marked read by mistake can be brought back as it was."""
    async with client() as there:
        there.slowly(success(messages=[50, 51, 52]))
        there.gate.set()
        assert await flags.mark_conversation_read(there.sync, TEA) == {50, 51, 52}
        assert not there.sync.store.unread_ids(TEA)


async def test_what_is_seen_is_read_in_one_request() -> None:
    """Scrolling over fifty messages asks the server once, and the count falls at once."""
    async with client() as there:
        there.script.on("POST /messages/flags", lambda _: success(messages=[]))
        marks = ReadMarks(there.sync, there.world.environment())
        task = asyncio.ensure_future(marks.run())
        for message_id in (50, 51, 51, 999):
            marks.add([MessageId(message_id)])
        assert there.sync.store.unread_ids(TEA) == {52}
        await until(lambda: bool(there.script.asked("POST /messages/flags")))
        (request,) = there.script.asked("POST /messages/flags")
        assert json.loads(request.parameters["messages"]) == [50, 51]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_is_read_offline_is_told_later() -> None:
    """Read on the train, it is read on the server when the network is back."""
    async with client() as there:
        there.script.on_each(
            "POST /messages/flags", unreachable(), httpx.Response(503), success(messages=[50])
        )
        marks = ReadMarks(there.sync, there.world.environment())
        task = asyncio.ensure_future(marks.run())
        marks.add([MessageId(50)])
        await until(lambda: len(there.script.asked("POST /messages/flags")) == 3)
        assert there.sync.store.unread_ids(TEA) == {51, 52}
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_typing_is_told_as_rarely_as_the_server_asks() -> None:
    """A minute of typing is six notices and not six hundred, and a pause ends it."""
    async with client() as there:
        there.script.on("POST /typing", lambda _: success())
        typing = TypingNotices(there.sync, there.world.environment())
        assert not typing.note(None)
        for _ in range(600):
            if typing.note(TO_TEA):
                await typing.keystroke(TO_TEA)
            there.world.now += 0.1
        assert typing.note(None)
        assert typing.note(TO_MARY)
        assert len(there.script.asked("POST /typing")) == 6
        await typing.tick()
        assert len(there.script.asked("POST /typing")) == 6
        there.world.now += 6
        await typing.tick()
        await typing.tick()
        ops = [r.parameters["op"] for r in there.script.asked("POST /typing")]
        assert ops == ["start"] * 6 + ["stop"]


@pytest.mark.parametrize(
    ("destination", "setting"),
    [
        (TO_TEA, "send_stream_typing_notifications"),
        (TO_MARY, "send_private_typing_notifications"),
    ],
)
async def test_who_does_not_want_to_tell_does_not(destination: Destination, setting: str) -> None:
    """The person's privacy settings hold."""
    async with client() as there:
        there.sync.store.settings = eg.user_settings(**{setting: False})
        typing = TypingNotices(there.sync, there.world.environment())
        await typing.keystroke(destination)
        assert not there.script.asked("POST /typing")


async def test_another_conversation_ends_the_first() -> None:
    """Who switches the topic is not typing in two at once."""
    async with client() as there:
        there.script.on("POST /typing", lambda _: success())
        typing = TypingNotices(there.sync, there.world.environment())
        await typing.keystroke(TO_TEA)
        await typing.keystroke(TO_MARY)
        told = [
            (r.parameters["op"], r.parameters["type"]) for r in there.script.asked("POST /typing")
        ]
        assert told == [("start", "stream"), ("stop", "stream"), ("start", "direct")]


async def test_presence_tells_and_learns() -> None:
    """Active while keys are pressed, idle after a while; others' presence comes with the answer."""
    async with client() as there:
        there.script.on(
            "POST /users/me/presence",
            lambda _: success(
                presence_last_update_id=7,
                presences={"2": {"active_timestamp": 5, "idle_timestamp": 5}},
            ),
        )
        pings = PresencePings(there.sync, there.world.environment())
        await pings.ping()
        there.world.now += IDLE_SECONDS + 1
        await pings.ping()
        pings.touch()
        await pings.ping()
        asked = [r.parameters for r in there.script.asked("POST /users/me/presence")]
        assert [(a["status"], a["new_user_input"]) for a in asked] == [
            ("active", "true"),
            ("idle", "false"),
            ("active", "true"),
        ]
        assert [a["last_update_id"] for a in asked] == ["-1", "7", "7"]
        known = Presence(active_timestamp=5, idle_timestamp=5)
        assert there.sync.store.presences.by_user[eg.MARY.user_id] == known
        assert there.audience.changes.people == {eg.MARY.user_id}


async def test_a_wrong_clock_here_sends_nobody_away() -> None:
    """Presence is compared with the server's clock, whose times the reports have."""
    async with client() as there:
        now = int(time.time())
        there.script.on(
            "POST /users/me/presence",
            lambda _: success(
                presence_last_update_id=7,
                server_timestamp=now - 3600.0,
                presences={
                    "2": {"active_timestamp": now - 3605, "idle_timestamp": now - 3605},
                    "3": {"active_timestamp": now - 7200, "idle_timestamp": now - 7200},
                },
            ),
        )
        await PresencePings(there.sync, there.world.environment()).ping()
        states = [presence(there.sync.store, UserId(each), now) for each in (2, 3)]
        assert states == ["active", "offline"]


async def test_a_presence_event_is_enough_to_see_somebody_come() -> None:
    """Nobody has to wait for the next ping to see a colleague arrive."""
    async with client() as there:
        seen = Presence(active_timestamp=9, idle_timestamp=9)
        there.script.events(eg.event(PresenceEvent, 60, presences={eg.MARY.user_id: seen}))
        await until(lambda: eg.MARY.user_id in there.audience.changes.people)
