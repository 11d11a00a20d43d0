"""Events in one long answer: one request for many, and polls where its lines do not come through."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest

from tests import eg
from tests.unit.tui.sync.script import Reply, lost, refusal, success, until
from tests.unit.tui.sync.test_machine import Scene, in_background, said
from tui.api.encode import encode
from tui.api.events import BaseEvent, HeartbeatEvent
from tui.api.model import MessageId
from tui.api.routes import queues
from tui.store.optimistic import FlagChange
from tui.sync.event_source import FIRST_PAUSE_SECONDS
from tui.sync.machine import EMPTY_ANSWER_SECONDS, FRAME_SECONDS, LINE_SECONDS
from tui.sync.status import Live, Retrying

NDJSON = {"Content-Type": "application/x-ndjson"}
FIRST = b'{"result":"success","msg":"","events":[],"queue_id":"q"}\n'


def line(*events: BaseEvent) -> bytes:
    """A line with these events."""
    return json.dumps({"events": [encode(event) for event in events]}).encode() + b"\n"


class Stream(httpx.AsyncByteStream):
    """A long answer, said by the test."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()

    def say(self, *parts: bytes | Exception | None) -> None:
        """Say these bytes, then fail, or end (None)."""
        for part in parts:
            self.said.put_nowait(part)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (part := await self.said.get()) is not None:
            if isinstance(part, Exception):
                raise part
            yield part


class Streaming(Scene):
    """A machine at work on a server that streams."""

    def __init__(self) -> None:
        super().__init__()
        self.script.snapshot = replace(self.script.snapshot, event_stream=True)
        self.streams: list[Stream] = []
        self.instead: list[Reply] = []
        """Answers to the next requests for a stream."""
        poll = self.script.handlers["GET /events"]
        self.script.on(
            "GET /events",
            lambda request: self.open() if "event_stream" in request.parameters else poll(request),
        )

    def open(self) -> Reply:
        if self.instead:
            return self.instead.pop(0)
        self.streams.append(Stream())
        return httpx.Response(200, headers=NDJSON, stream=self.streams[-1])

    async def streaming(self, times: int = 1) -> Stream:
        """Wait until that many streams were asked for; returns the last."""
        await until(lambda: len(self.streams) == times)
        return self.streams[-1]

    @property
    def asked(self) -> list[str]:
        """What was asked: streams, polls, and the last event that each acknowledged."""
        return [
            f"{'stream' if 'event_stream' in each.parameters else 'poll'} {each.parameters['last_event_id']}"
            for each in self.script.asked("GET /events")
        ]

    @property
    def troubles(self) -> list[Retrying]:
        return [each for each in self.audience.statuses if isinstance(each, Retrying)]


@asynccontextmanager
async def streaming(*instead: Reply) -> AsyncIterator[Streaming]:
    scene = Streaming()
    scene.instead += instead
    async with in_background(scene):
        yield scene


async def test_many_messages_are_one_request() -> None:
    """What comes is shown at once, and acknowledged when the server ends the stream."""
    async with streaming() as scene:
        stream = await scene.streaming()
        stream.say(FIRST)
        for number in range(1, 6):
            stream.say(line(eg.message_event(said(50 + number), number)))
            await until(lambda number=number: 50 + number in scene.audience.changes.arrived)  # type: ignore[misc]  # mypy knows no type of a bound default
        assert len(scene.script.asked("GET /events")) == 1
        stream.say(line(eg.event(HeartbeatEvent, 9)), None)
        await scene.streaming(2)
        assert scene.asked == ["stream -1", "stream 9"]
        assert scene.troubles == []


async def test_a_flood_is_shown_a_frame_at_a_time() -> None:
    """Lines that come together are one change."""
    async with streaming() as scene:
        stream = await scene.streaming()
        stream.say(FIRST, b"".join(line(eg.message_event(said(50 + n), n)) for n in range(1, 6)))
        await until(lambda: bool(scene.audience.changes.arrived))
        assert scene.audience.reports[-1].arrived == (51, 52, 53, 54, 55)


async def test_a_flood_whose_lines_come_apart_does_not_fall_behind() -> None:
    """A server sends each event in a part of its own: a message of a flood does not wait for a frame."""
    async with streaming() as scene:
        stream = await scene.streaming()
        stream.say(FIRST, *(line(eg.message_event(said(50 + n), n)) for n in range(1, 101)))
        await until(lambda: 150 in scene.audience.changes.arrived)
        assert sum(scene.world.slept) <= 2 * FRAME_SECONDS


async def test_a_flood_of_empty_lines_is_read_a_frame_at_a_time() -> None:
    """A server that has nothing to say, and says it for ever, does not take the processor."""
    async with streaming() as scene:
        stream = await scene.streaming()
        for _ in range(30):
            stream.say(line())
        await until(lambda: stream.said.empty())
        assert sum(scene.world.slept) >= 28 * FRAME_SECONDS


EMPTY_ANSWERS: dict[str, Callable[[], Reply]] = {
    "streams that end": lambda: spoken(FIRST, line(), None),
    "streams of what came before": lambda: spoken(FIRST, line(eg.event(HeartbeatEvent, -1)), None),
    "polls without events": lambda: success(events=[]),
}


@pytest.mark.parametrize("reply", EMPTY_ANSWERS.values(), ids=EMPTY_ANSWERS.keys())
async def test_a_server_that_answers_at_once_is_not_asked_in_a_loop(
    reply: Callable[[], Reply],
) -> None:
    """Requests that bring nothing new come once a second, and not as fast as they are answered."""
    async with streaming() as scene:
        scene.script.on("GET /events", lambda _: reply())
        begun = scene.world.now
        await until(lambda: len(scene.asked) == 12)
        assert scene.world.now - begun >= 10 * EMPTY_ANSWER_SECONDS


def spoken(*parts: bytes | Exception | None) -> httpx.Response:
    """A stream that says these parts, and then nothing."""
    stream = Stream()
    stream.say(*parts)
    return httpx.Response(200, headers=NDJSON, stream=stream)


HELD_BACK: dict[str, Callable[[], Reply]] = {
    "nothing comes": lambda: httpx.ReadTimeout(""),
    "only a head comes": spoken,
    "only a line comes": lambda: spoken(FIRST),
    "it ends at once": lambda: spoken(None),
    "it ends after a line": lambda: spoken(FIRST, None),
    "it breaks": lambda: spoken(FIRST, lost()),
    "a page of the network": lambda: httpx.Response(200, html="<h1>Sign in</h1>"),
    "lines of something else": lambda: spoken(b"data: hello\n", None),
    "lines without events": lambda: spoken(b"{}\n"),
    "a failing proxy": lambda: httpx.Response(502),
    "a poll's answer": lambda: success(events=[]),
}


@pytest.mark.parametrize("held_back", HELD_BACK.values(), ids=HELD_BACK.keys())
async def test_polls_take_over_where_lines_do_not_come_through(
    held_back: Callable[[], Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a proxy that holds answers back, events are polled for after five seconds, and no trouble is shown."""
    monkeypatch.setattr(queues, "FIRST_SECONDS", 0.01)
    async with streaming(held_back(), held_back()) as scene:
        for number, last in enumerate((-1, 1, 2), 1):  # each poll is answered a minute later
            await until(lambda last=last: scene.asked[-1:] == [f"poll {last}"])  # type: ignore[misc]  # as above
            scene.world.now += FIRST_PAUSE_SECONDS
            scene.script.events(eg.event(HeartbeatEvent, number))
        await scene.streaming()
        polls = ["stream -1", "poll -1", "stream 1", "poll 1", "poll 2", "stream 3"]
        assert scene.asked[: len(polls)] == polls
        assert scene.troubles == []


async def test_a_stream_that_breaks_is_asked_for_again() -> None:
    """As with polls: after a moment, a question that shows whether all is well; nothing is doubled."""
    async with streaming() as scene:
        stream = await scene.streaming()
        event = eg.message_event(said(50), 1)
        stream.say(FIRST, line(event), lost())
        await until(lambda: len(scene.asked) == 2)
        scene.script.events()
        (await scene.streaming(2)).say(FIRST, line(event, eg.message_event(said(51), 2)))
        await until(lambda: scene.audience.changes.arrived == (50, 51))
        assert scene.asked == ["stream -1", "poll 1", "stream 1"]
        assert [each.is_quiet for each in scene.troubles] == [True]
        assert scene.sync.status == Live()


async def test_a_lost_queue_is_replaced_and_streamed() -> None:
    """A server that started anew is no reason to poll."""
    async with streaming() as scene:
        stream = await scene.streaming()
        scene.instead.append(refusal("BAD_EVENT_QUEUE_ID"))
        stream.say(FIRST, line(), None)
        await scene.streaming(2)
        assert len(scene.script.asked("POST /register")) == 2
        assert (scene.asked[-1], scene.troubles) == ("stream -1", [])


async def test_what_was_answered_is_shown_until_the_stream_has_passed_it() -> None:
    """A line may have been on its way when the server answered: it does not undo what I did."""
    async with streaming() as scene:
        stream = await scene.streaming()
        stream.say(FIRST, line(eg.message_event(said(50), 1)))
        await until(lambda: bool(scene.audience.changes.arrived))
        star = FlagChange(message_ids=frozenset({MessageId(50)}), flag="starred", on=True)
        scene.sync.acknowledge(scene.sync.add_operation(star))
        for number, is_shown in ((2, True), (3, True), (4, False)):
            scene.world.now += LINE_SECONDS if number > 2 else 0
            reports = len(scene.audience.reports)
            stream.say(line(eg.message_event(said(50 + number), number)))
            await until(lambda reports=reports: len(scene.audience.reports) > reports)  # type: ignore[misc]  # as above
            assert bool(list(scene.sync.store.pending)) == is_shown
