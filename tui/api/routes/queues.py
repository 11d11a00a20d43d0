"""The event queue: register, poll, delete. No state, no retries."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tui.api import decode
from tui.api.connection import Connection
from tui.api.features import PARTIAL_SUBSCRIBERS
from tui.api.model import EventId, QueueId
from tui.api.snapshot import InitialSnapshot
from tui.dataclass import dataclass
from tui.errors import ApiError, ApiRefused, MalformedResponse, NotAServer

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import Event

CAPABILITIES = {
    "notification_settings_null": True,
    "bulk_message_deletion": True,
    "user_avatar_url_field_optional": True,
    "stream_typing_notifications": True,
    "user_settings_object": True,
    "linkifier_url_template": True,
    "user_list_incomplete": True,
    "include_deactivated_groups": True,
    "archived_channels": True,
    "empty_topic_name": True,
    "simplified_presence_events": True,
    "individual_emoji_changes": True,
}
"""All capabilities of clients: the types of `tui.api.events` support every newer form."""

POLL_MARGIN_SECONDS = 15.0
"""Seconds beyond the time that the server may take to answer a poll."""

HEARTBEAT_SECONDS: Final = 60.0
"""Seconds within which a stream brings a heartbeat, if no event."""
FIRST_SECONDS: Final = 5.0
"""Seconds within which a stream begins, and brings each of its first lines: else a proxy holds it back."""
FIRST_LINES: Final = 2
"""Lines that a server sends within a second or two, whether there are events or not."""

PRESENCE_DAYS: Final = 365
"""How many days back presence is sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """Which messages a queue gets; all other events come as always.

    `narrow` has pairs of operator and operand; `all_public_channels` adds unsubscribed ones.
    """

    narrow: tuple[tuple[str, str], ...] = ()
    all_public_channels: bool = False


EVERYTHING: Final = QueueFilter()
"""The user's own messages and events."""


async def register(
    connection: Connection,
    *,
    event_types: Sequence[str] | None,
    fetch_event_types: Sequence[str] | None,
    queue_filter: QueueFilter,
    idle_queue_timeout_seconds: int | None,
    feature_level: int,
) -> InitialSnapshot:
    """POST /register: return the state at the start of a new queue. None asks for all types.

    `fetch_event_types` has to include `realm_user` and `user_settings`. `feature_level` is the server's last
    known one, 0 if unknown: a newer server sends only a part of the subscribers of large channels.
    """
    answer = await connection.post(
        "/register",
        {
            "apply_markdown": True,
            "client_gravatar": True,
            "slim_presence": True,
            "presence_history_limit_days": PRESENCE_DAYS,
            "include_subscribers": (
                "partial" if PARTIAL_SUBSCRIBERS.is_in(feature_level) else "true"
            ),
            "client_capabilities": CAPABILITIES,
            "event_types": event_types,
            "fetch_event_types": fetch_event_types,
            "narrow": queue_filter.narrow or None,
            "all_public_streams": queue_filter.all_public_channels or None,
            "idle_queue_timeout": idle_queue_timeout_seconds,
        },
    )
    return decode.snapshot(answer.data, answer.route)


async def get_events(
    connection: Connection,
    *,
    queue_id: QueueId,
    last_event_id: EventId,
    longpoll_timeout_seconds: float,
    dont_block: bool,
) -> tuple[Event, ...]:
    """GET /events: wait for events above `last_event_id`, and drop those up to it.

    The time is the snapshot's `limits.event_queue_longpoll_timeout_seconds`. ApiRefused code
    BAD_EVENT_QUEUE_ID: the queue is gone, register again.
    """
    answer = await connection.get(
        "/events",
        {
            "queue_id": queue_id,
            "last_event_id": last_event_id,
            "dont_block": dont_block or None,
        },
        read_seconds=None if dont_block else longpoll_timeout_seconds + POLL_MARGIN_SECONDS,
    )
    return _events(answer.data, answer.route)


async def stream_events(
    connection: Connection,
    *,
    queue_id: QueueId,
    last_event_id: EventId,
    longpoll_timeout_seconds: float,
) -> AsyncGenerator[tuple[Event, ...], None]:
    """GET /events, answered in lines: yield the events above `last_event_id` as they come, until it ends.

    Raises NotStreamed if lines do not come through, else what `get_events` raises.
    """
    lines = 0
    try:
        async with connection.get_lines(
            "/events",
            {"queue_id": queue_id, "last_event_id": last_event_id, "event_stream": True},
            seconds=FIRST_SECONDS,
        ) as answer:
            while True:
                silent = min(longpoll_timeout_seconds, HEARTBEAT_SECONDS) + POLL_MARGIN_SECONDS
                came = await answer.read(FIRST_SECONDS if lines < FIRST_LINES else silent)
                if not came:
                    break
                lines += len(came)
                yield tuple(event for each in came for event in _events(each, "GET /events"))
    except ApiRefused:
        raise
    except NotAServer as error:
        raise NotStreamed from error
    except ApiError as error:
        if lines >= FIRST_LINES or not error.may_have_arrived:
            raise
        raise NotStreamed from error
    if lines < FIRST_LINES:
        raise NotStreamed


class NotStreamed(Exception):
    """The server streams, but its lines do not come through: a poll shows whether anything else does."""


def _events(answer: Mapping[str, object], route: str) -> tuple[Event, ...]:
    """Decode the events of an answer, which are used up: a flood brings a thousand at once."""
    events = answer.get("events")
    if not isinstance(events, list):
        raise MalformedResponse(route, "events are missing")
    events.reverse()
    return tuple(decode.event(events.pop(), route) for _ in range(len(events)))


async def delete_queue(connection: Connection, *, queue_id: QueueId) -> None:
    """DELETE /events: delete the queue. Code: BAD_EVENT_QUEUE_ID."""
    await connection.delete("/events", {"queue_id": queue_id})
