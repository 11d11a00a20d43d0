"""POST /register, GET and DELETE /events. Thin: the queues themselves are in `queues`."""

from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

import orjson
from typing_extensions import TypedDict

from server_lite import Versions, server_versions
from server_lite.access.anonymous import reader
from server_lite.access.users import anonymous_user
from server_lite.api.answers import Done, EncodedFields, Later, Lines
from server_lite.api.decoding import BareOrJson, MaxItems, MaxLength
from server_lite.api.params import RequestInfo
from server_lite.context import Context
from server_lite.errors import ApiError
from server_lite.event_poll import poll
from server_lite.event_queue import Options
from server_lite.event_stream import stream
from server_lite.events.base import KINDS, ClientCapabilities
from server_lite.narrow.events import check_queue_narrow
from server_lite.objects.encoded import open_object
from server_lite.objects.events import EventObject
from server_lite.objects.settings import OLD_USER_SETTINGS, REALM_SETTINGS, Schema
from server_lite.snapshot import initial_state
from server_lite.snapshot.base import SnapshotRequest
from server_lite.snapshot.state import State
from server_lite.store import generation
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MOBILE_IDLE_SECONDS = 12 * 3600
MAX_TYPES = 200
"""Maximum of names in `event_types`; there are fewer types."""
MAX_TERMS = 100
"""Maximum of terms in a queue's narrow."""


class Position(Versions):
    """A new queue; without an account `queue_id` is null and `idle_queue_timeout_secs` 0."""

    queue_id: str | None
    last_event_id: int
    idle_queue_timeout_secs: int
    idempotency_keys: bool
    event_stream: bool
    """Whether GET /events with `event_stream` answers in lines, each with the events since the one before."""
    organization_generation: str
    """Changes after a restore or import. A request with another value in the header
    `Organization-Generation` fails with ORGANIZATION_GENERATION_CHANGED.
    """


def _with_settings(schema: Schema) -> None:
    prefixed = {f"realm_{name}": setting for name, setting in REALM_SETTINGS.items()}
    schema["properties"] |= {**prefixed, **OLD_USER_SETTINGS}


class Registered(Position, State):
    """The queue and the initial state, limited to `fetch_event_types`."""

    __pydantic_config__ = MappingProxyType(  # type: ignore[misc]  # read by pydantic alone
        {"json_schema_extra": _with_settings}
    )


class Events(TypedDict):
    """Events, in order."""

    events: list[EventObject]
    queue_id: str


async def register(
    context: Context,
    user: UserRow | None,
    *,
    apply_markdown: bool = False,
    client_gravatar: bool | None = None,
    include_subscribers: Literal["true", "false", "partial"] = "false",
    slim_presence: bool = False,
    presence_history_limit_days: int = 14,
    event_types: Annotated[list[str] | None, MaxItems(MAX_TYPES), MaxLength(100)] = None,
    fetch_event_types: Annotated[list[str] | None, MaxItems(MAX_TYPES), MaxLength(100)] = None,
    narrow: Annotated[list[tuple[str, str]] | None, MaxItems(MAX_TERMS), MaxLength(500)] = None,
    all_public_streams: bool = False,
    client_capabilities: dict[str, object] | None = None,
    idle_queue_timeout: Annotated[int | str | None, BareOrJson()] = None,
    request: RequestInfo,
) -> Registered:
    """Register an event queue; returns the snapshot at its position in the log."""
    if user is None:
        context.read(lambda db: reader(db, None))  # refused before any work if not allowed
        _check_anonymous(client_gravatar, include_subscribers)
    check_queue_narrow(narrow or ())
    shape = ClientCapabilities(
        apply_markdown=apply_markdown,
        client_gravatar=user is not None if client_gravatar is None else client_gravatar,
        slim_presence=slim_presence,
        include_subscribers=include_subscribers != "false",
        is_guest=user is None or user.is_guest,
        zulip_program=request.zulip_program,
        **capabilities(client_capabilities or {}),
    )
    fetch = event_types if fetch_event_types is None else fetch_event_types
    snapshot_request = SnapshotRequest(
        user=anonymous_user() if user is None else user,
        shape=shape,
        include_subscribers=include_subscribers,
        presence_history_limit_days=presence_history_limit_days,
        base_url=request.base_url,
        dev=context.settings.dev,
        limits=context.settings.limits,
        now=context.database.clock(),
    )
    if user is None:
        state = await context.database.read_long(
            lambda db: open_object(initial_state(db, snapshot_request, fetch)),
            asker=request.address,
            deadline=False,
        )
        return _with_state(_answer(context, None, context.database.log.head, 0), state)
    options = Options(
        shape=shape,
        # Deduplicated, as they are checked for every event.
        event_types=None if event_types is None else _types(event_types),
        narrow=tuple(dict.fromkeys(narrow or ())),
        all_public_streams=all_public_streams,
    )
    seconds = _idle_seconds(idle_queue_timeout)
    queue = await context.write(lambda tx: context.queues.create(tx, user.id, options, seconds))
    # The queue starts at the log's head; the state is read a moment later, at a head not before it.
    state = await context.database.read_long(
        lambda db: open_object(initial_state(db, snapshot_request, fetch)),
        asker=user.id,
        begun=lambda: context.queues.move_cursor(queue, context.database.log.head),
        deadline=False,
    )
    return _with_state(_answer(context, queue.id, queue.cursor, queue.idle_timeout), state)


def _types(names: list[str]) -> tuple[str, ...]:
    return tuple(sorted({kind.type for kind in KINDS.values()}.intersection(names)))


def _with_state(position: Position, state: bytearray) -> Registered:
    fields: Any = EncodedFields(state, position)
    return cast(Registered, fields)


def capabilities(given: dict[str, object]) -> dict[str, bool]:
    """Return the known client capabilities; unknown ones come from newer clients and are ignored."""
    flags: dict[str, bool] = {}
    for name in CAPABILITIES:
        value = given.get(name, False)
        if not isinstance(value, bool):
            raise ApiError(f'client_capabilities["{name}"] is not a boolean')
        if name in given:
            flags[name] = value
    return flags


CAPABILITIES = (
    "notification_settings_null",
    "bulk_message_deletion",
    "user_avatar_url_field_optional",
    "stream_typing_notifications",
    "user_settings_object",
    "linkifier_url_template",
    "user_list_incomplete",
    "include_deactivated_groups",
    "archived_channels",
    "empty_topic_name",
    "simplified_presence_events",
    "individual_emoji_changes",
)


def _check_anonymous(client_gravatar: bool | None, include_subscribers: str) -> None:
    if client_gravatar:
        raise ApiError("Invalid 'client_gravatar' parameter for anonymous request")
    if include_subscribers != "false":
        raise ApiError("Invalid 'include_subscribers' parameter for anonymous request")


def _idle_seconds(given: int | str | None) -> int | None:
    if given is None or isinstance(given, int):
        if given is not None and given <= 0:
            raise ApiError("idle_queue_timeout must be positive")
        return given
    if given == "mobile":
        return MOBILE_IDLE_SECONDS
    raise ApiError("Invalid idle_queue_timeout")


def _answer(
    context: Context, queue_id: str | None, last_event_id: int, idle_seconds: int
) -> Position:
    return {
        "queue_id": queue_id,
        "last_event_id": last_event_id,
        "idle_queue_timeout_secs": idle_seconds,
        # A client may repeat a request whose answer was lost, with the same Idempotency-Key.
        "idempotency_keys": True,
        "event_stream": True,
        # Requests queued for another generation of the organization must not apply to this one.
        "organization_generation": context.read(generation.current),
        **server_versions(),
    }


def fetch(
    context: Context,
    user: UserRow,
    *,
    queue_id: str,
    last_event_id: int,
    dont_block: bool = False,
    event_stream: bool = False,
    request: RequestInfo,
) -> Later[Events] | Lines:
    """Wait for events after `last_event_id`, acknowledging up to there.

    With `event_stream` the answer goes on: a line of JSON with `events` each time that there are any. It ends
    by itself; the next request acknowledges its events. `event_stream` is ignored with `dont_block`, and in
    HTTP/1.0.
    """
    if event_stream and not dont_block and request.accepts_lines:
        lines = stream(context.queues, user.id, queue_id, last_event_id)
        return Lines({"events": [], "queue_id": queue_id}, lines)
    begin = poll(context.queues, user.id, queue_id, last_event_id, block=not dont_block)
    return Later(lambda settle: begin(partial(_settle, settle, queue_id)))


def _settle(
    settle: Callable[[Events | Exception], object], queue_id: str, outcome: bytes | Exception
) -> None:
    if isinstance(outcome, Exception):
        settle(outcome)
    else:
        events: Any = orjson.Fragment(outcome)  # already JSON: encoded once, not per queue
        settle({"events": events, "queue_id": queue_id})


async def delete(context: Context, user: UserRow, *, queue_id: str) -> Done:
    """Delete an event queue."""

    def run(tx: Tx) -> None:
        context.queues.delete(tx, user.id, queue_id)

    await context.write(run)
    return {}
