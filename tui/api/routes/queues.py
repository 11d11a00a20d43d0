"""The stream of events: register, poll, give back. No state, no retries."""

from collections.abc import Sequence
from typing import Final

from tui.api import decode
from tui.api.connection import Connection
from tui.api.events import Event
from tui.api.features import PARTIAL_SUBSCRIBERS
from tui.api.model import EventId, QueueId
from tui.api.snapshot import InitialSnapshot
from tui.dataclass import dataclass
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


PRESENCE_DAYS: Final = 365
"""How far back it is told when people were last here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """Which messages a queue is told of; all other events come as always.

    `narrow` has pairs of operator and operand; `all_public_channels` adds those one has not joined.
    """

    narrow: tuple[tuple[str, str], ...] = ()
    all_public_channels: bool = False


EVERYTHING: Final = QueueFilter()
"""What concerns the person."""


async def register(
    connection: Connection,
    *,
    event_types: Sequence[str] | None,
    fetch_event_types: Sequence[str] | None,
    queue_filter: QueueFilter,
    idle_queue_timeout_seconds: int | None,
    feature_level: int,
) -> InitialSnapshot:
    """POST /register: a queue, and the state at its start. None asks for everything.

    `fetch_event_types` has to hold `realm_user` and `user_settings`. `feature_level` is what the server
    was the last time, 0 if unknown: a newer one tells only a part of who is in large channels.
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
