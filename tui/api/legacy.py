"""Converts JSON objects of servers of all versions into the shape of our types. Pure.

Each function gets the decoded JSON object of one type and returns one that its fields can be read from;
`reshaping` finds it. Decoding checks the result, so these may leave unknown values alone. The output
of `tui.api.encode` passes through unchanged.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias, cast

from tui.api import events
from tui.api.model import Attachment, Message
from tui.api.policies import groups_of_policies
from tui.api.snapshot import InitialSnapshot

Json: TypeAlias = Mapping[str, object]

_RESOLVED = "✔ "


def _pluck(rows: object, key: str) -> object:
    """Return the `key` of each row that is an object; other rows are unchanged."""
    if not isinstance(rows, Sequence):
        return rows
    return [row.get(key) if isinstance(row, Mapping) else row for row in rows]


def _message_event(event: Json) -> Json:
    """Move the flags, which events have beside the message, into it."""
    message = event.get("message")
    if not isinstance(message, Mapping) or "flags" not in event:
        return event
    return {**event, "message": {**message, "flags": event["flags"]}}


def _delete_message(event: Json) -> Json:
    """Turn one ID into a list, from servers without `bulk_message_deletion`."""
    if "message_ids" in event or "message_id" not in event:
        return event
    return {**event, "message_ids": [event["message_id"]]}


def _stream_delete(event: Json) -> Json:
    """Turn objects into IDs, from servers before level 343."""
    if "stream_ids" in event:
        return event
    return {**event, "stream_ids": _pluck(event.get("streams"), "stream_id")}


def _default_streams(event: Json) -> Json:
    """Turn objects into IDs, from servers before level 330."""
    return {**event, "default_streams": _pluck(event.get("default_streams"), "stream_id")}


def _user_status(event: Json) -> Json:
    """Put the changes, which older servers send flat in the event, into `status`."""
    return event if "status" in event else {**event, "status": event}


def _modern_presence(legacy: object) -> Json:
    """Turn `{"website": {"status", "timestamp"}}` into the two times it means."""
    entries = legacy.values() if isinstance(legacy, Mapping) else ()
    active = idle = 0
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("timestamp"), int):
            continue
        timestamp = cast("int", entry["timestamp"])
        idle = max(idle, timestamp)
        if entry.get("status") == "active":
            active = max(active, timestamp)
    return {"active_timestamp": active, "idle_timestamp": idle}


def _presence(event: Json) -> Json:
    """Convert the older format of one user, from a server without `simplified_presence_events`."""
    if "presences" in event or "user_id" not in event:
        return event
    return {**event, "presences": {str(event["user_id"]): _modern_presence(event.get("presence"))}}


def _attachment(attachment: Json) -> Json:
    """Turn objects into message IDs, from servers before level 472."""
    if "message_ids" in attachment or "messages" not in attachment:
        return attachment
    return {**attachment, "message_ids": _pluck(attachment["messages"], "id")}


def _message(message: Json) -> Json:
    """Split the time of the last edit or move by the edit history, from servers before level 365."""
    history = message.get("edit_history")
    if "last_moved_timestamp" in message or not isinstance(history, Sequence) or not history:
        return message
    entries = [entry for entry in history if isinstance(entry, Mapping)]
    return {
        **message,
        "last_edit_timestamp": _latest(entries, "prev_content", "prev_rendered_content"),
        "last_moved_timestamp": _latest(
            [entry for entry in entries if not _only_resolves(entry)], "prev_topic", "prev_stream"
        ),
    }


def _latest(entries: Sequence[Json], *changed: str) -> object:
    """Return the time of the newest entry in which one of those keys changed; None if there is none."""
    times = (entry.get("timestamp") for entry in entries if any(key in entry for key in changed))
    return next(times, None)


def _only_resolves(entry: Json) -> bool:
    topics = [str(entry.get(key, "")).removeprefix(_RESOLVED) for key in ("topic", "prev_topic")]
    return "prev_stream" not in entry and topics[0] == topics[1]


def _snapshot(state: Json) -> Json:
    """Group limits and settings, which are sent flat, the latter with a prefix `realm_`."""
    if "limits" in state and "realm" in state:
        return state
    realm = {key[len("realm_") :]: state[key] for key in state if key.startswith("realm_")}
    if realm.get("allow_edit_history") is False:
        # Servers before level 358 send nothing else about it.
        realm.setdefault("message_edit_history_visibility_policy", "none")
    realm |= groups_of_policies(realm, state.get("realm_user_groups"))
    reshaped = {**state, "limits": state, "realm": realm}
    if "realm_default_streams" in state:
        reshaped["realm_default_streams"] = _pluck(state["realm_default_streams"], "stream_id")
    return reshaped


_RESHAPE: Mapping[type, Callable[[Json], Json]] = {
    Attachment: _attachment,
    InitialSnapshot: _snapshot,
    Message: _message,
}


def reshaping(kind: type) -> Callable[[Json], Json] | None:
    """Return the function for the objects of a type; None if they have the same shape on all servers."""
    of_kind = _of_events() if kind.__module__.startswith(events.__name__) else _RESHAPE
    return of_kind.get(kind)


@cache
def _of_events() -> Mapping[type, Callable[[Json], Json]]:
    return {
        events.DefaultStreamsEvent: _default_streams,
        events.DeleteMessageEvent: _delete_message,
        events.MessageEvent: _message_event,
        events.PresenceEvent: _presence,
        events.StreamDeleteEvent: _stream_delete,
        events.UserStatusEvent: _user_status,
    }
