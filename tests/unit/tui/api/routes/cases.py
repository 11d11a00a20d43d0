"""A call with its expected request, an answer and the expected result. No sockets."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from tests.unit.tui.api.wire_tap import WireTap, connection, success
from tui.api.connection import Connection
from tui.api.destination import DirectDestination, TopicDestination
from tui.api.model import (
    ChannelId,
    MessageId,
    UserGroupId,
    UserId,
)

Result = Coroutine[Any, Any, Any]


@dataclass
class Case:
    """A call, its expected request, and the expected result of the answer `data`."""

    call: Callable[[Connection], Result]
    sends: str
    fields: Mapping[str, str]
    data: Mapping[str, object]
    gives: object


def case(
    call: Callable[[Connection], Result],
    sends: str,
    fields: Mapping[str, str] | None = None,
    data: Mapping[str, object] | None = None,
    gives: object = None,
) -> Case:
    return Case(call, sends, fields or {}, data or {}, gives)


async def check(example: Case) -> None:
    """Check the request, and the result of its answer."""
    tap = WireTap(success(**example.data))
    result = await example.call(connection(tap))
    method, path, fields = tap.sent
    assert (f"{method} {path}", fields) == (example.sends, example.fields)
    assert result == example.gives


CHANNEL, ME, MARY = ChannelId(9), UserId(1), UserId(2)
MESSAGE = MessageId(5)
TOPIC = TopicDestination(channel_id=CHANNEL, topic="tea")
PEOPLE = DirectDestination(user_ids=frozenset({MARY, ME}))
GROUP = UserGroupId(3)
