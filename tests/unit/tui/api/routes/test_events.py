"""Events in lines: the network cuts an answer where it likes."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import httpx
import pytest

from tests.unit.tui.api import wire_tap
from tests.unit.tui.api.wire_tap import WireTap
from tui.api.model import EventId, QueueId
from tui.api.routes import queues
from tui.errors import NetworkError

LINES = [
    {"result": "success", "msg": "", "events": [], "queue_id": "q"},
    {"events": [{"type": "alert_words", "id": 1, "alert_words": ["grün"]}]},
    {"events": []},
    {"events": [{"type": "heartbeat", "id": 2}, {"type": "heartbeat", "id": 3}]},
]
TEXT = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in LINES)


class Parts(httpx.AsyncByteStream):
    """A body that comes in these parts."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            yield part


@pytest.mark.parametrize("size", [1, 2, 5, 64, len(TEXT)])
async def test_lines_may_break_anywhere(size: int) -> None:
    """In the middle of a character, too: each event comes once, in order."""
    parts = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    answer = httpx.Response(
        200, headers={"Content-Type": "application/x-ndjson"}, stream=Parts(parts)
    )
    tap = WireTap(answer)
    connection = wire_tap.connection(tap)
    came = [
        event
        async for events in queues.stream_events(
            connection,
            queue_id=QueueId("q"),
            last_event_id=EventId(-1),
            longpoll_timeout_seconds=90,
        )
        for event in events
    ]
    await connection.aclose()
    assert [event.id for event in came] == [1, 2, 3]
    asked = {"queue_id": "q", "last_event_id": "-1", "event_stream": "true"}
    assert tap.sent == ("GET", "/events", asked)


async def test_a_line_that_never_ends_is_silence() -> None:
    """Bytes that trickle through a half-dead proxy do not keep the client waiting for ever."""
    seconds = 0.01

    class Trickle(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            end = asyncio.get_running_loop().time() + 20 * seconds
            while asyncio.get_running_loop().time() < end:
                yield b" "
                await asyncio.sleep(0)

    headers = {"Content-Type": "application/x-ndjson"}
    connection = wire_tap.connection(
        WireTap(httpx.Response(200, headers=headers, stream=Trickle()))
    )
    async with connection.get_lines("/events", {}, seconds=1) as lines:
        with pytest.raises(NetworkError):
            await lines.read(seconds)
    await connection.aclose()
