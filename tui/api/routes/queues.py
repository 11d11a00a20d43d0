"""The stream of events: register, poll, give back. No state, no retries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tui.api import decode
from tui.api.connection import Connection
from tui.api.events import Event
from tui.api.model import EventId, QueueId
from tui.api.snapshot import InitialSnapshot
from tui.api.wire import Absent
from tui.errors import MalformedResponse

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
"""All that servers know to ask for: the types of `tui.api.events` hold every newer form."""

POLL_MARGIN_SECONDS = 15.0
"""Beyond the time that the server may take to answer a poll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedQueue:
    """Where to listen from; the time is how long the server may take to answer a poll."""

    queue_id: QueueId
    last_event_id: EventId
    event_queue_longpoll_timeout_seconds: Annotated[int, Absent(90)]


async def register(
    connection: Connection,
    *,
    event_types: Sequence[str] | None,
    fetch_event_types: Sequence[str] | None,
    narrow: Sequence[tuple[str, str]] | None,
    all_public_channels: bool,
    idle_queue_timeout_seconds: int | None,
) -> InitialSnapshot:
    """POST /register: a queue, and the state at its start. None asks for everything.

    `fetch_event_types` has to hold `realm_user` and `user_settings`; without any state, see
    `open_queue`. `narrow` has pairs of operator and operand, and filters message events only.
    """
    answer = await connection.post(
        "/register",
        {
            "apply_markdown": True,
            "client_gravatar": True,
            "slim_presence": True,
            "include_subscribers": "true",
            "client_capabilities": CAPABILITIES,
            "event_types": event_types,
            "fetch_event_types": fetch_event_types,
            "narrow": narrow,
            "all_public_streams": all_public_channels or None,
            "idle_queue_timeout": idle_queue_timeout_seconds,
        },
    )
    return decode.snapshot(answer.data, answer.route)


async def open_queue(
    connection: Connection,
    *,
    event_types: Sequence[str],
    narrow: Sequence[tuple[str, str]] | None,
    all_public_channels: bool,
) -> OpenedQueue:
    """POST /register: a queue without the state at its start, for who only listens."""
    answer = await connection.post(
        "/register",
        {
            "apply_markdown": True,
            "client_gravatar": True,
            "client_capabilities": CAPABILITIES,
            "event_types": event_types,
            "fetch_event_types": [],
            "narrow": narrow,
            "all_public_streams": all_public_channels or None,
        },
    )
    return answer.whole(OpenedQueue)


async def get_events(
    connection: Connection,
    *,
    queue_id: QueueId,
    last_event_id: EventId,
    longpoll_timeout_seconds: float,
    dont_block: bool,
) -> tuple[Event, ...]:
    """GET /events: waits for events above `last_event_id`, and forgets those up to it.

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
        read_seconds=longpoll_timeout_seconds + POLL_MARGIN_SECONDS,
    )
    events = answer.data.get("events")
    if not isinstance(events, list):
        raise MalformedResponse(answer.route, "events are missing")
    return tuple(decode.event(event, answer.route) for event in events)


async def delete_queue(connection: Connection, *, queue_id: QueueId) -> None:
    """DELETE /events: the queue is not needed any more. Code: BAD_EVENT_QUEUE_ID."""
    await connection.delete("/events", {"queue_id": queue_id})
