"""Applies an event to one message. Pure; idempotent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from tui.api import events as ev
from tui.api.model import ChannelId, EditHistoryEntry, Message, Submessage
from tui.api.wire import shared
from tui.store import reactions

MessageChange: TypeAlias = (
    "ev.UpdateMessageEvent | ev.DeleteMessageEvent | ev.UpdateMessageFlagsAddEvent"
    " | ev.UpdateMessageFlagsRemoveEvent | ev.ReactionAddEvent | ev.ReactionRemoveEvent"
    " | ev.SubmessageEvent"
)
"""Quoted, like what it is part of: the classes of events are made with the first event."""
RESOLVED_PREFIX = "✔ "


def changed(
    message: Message, event: MessageChange, channel_names: Mapping[ChannelId, str]
) -> Message | None:
    """Return the message after the event; None if it is deleted; the same object if the event is about
    others.
    """
    match event:
        case ev.UpdateMessageEvent():
            return _updated(message, event, channel_names)
        case ev.DeleteMessageEvent():
            return None if message.id in event.message_ids else message
        case ev.UpdateMessageFlagsAddEvent():
            if not event.all and message.id not in event.message_ids:
                return message
            return with_flag(message, event.flag, on=True)
        case ev.UpdateMessageFlagsRemoveEvent():
            if message.id not in event.message_ids:
                return message
            return with_flag(message, event.flag, on=False)
        case ev.ReactionAddEvent():
            if message.id != event.message_id:
                return message
            return reactions.add(message, reactions.of_event(event))
        case ev.ReactionRemoveEvent():
            if message.id != event.message_id:
                return message
            return reactions.remove(message, reactions.of_event(event))
        case ev.SubmessageEvent():
            return _with_submessage(message, event)


def with_flag(message: Message, flag: str, *, on: bool) -> Message:
    """Return the message with the flag set or removed."""
    flags = message.flags | {flag} if on else message.flags - {flag}
    return message if flags == message.flags else replace(message, flags=shared(flags))


def moves(event: ev.UpdateMessageEvent) -> bool:
    """Whether the event moves messages to another channel or topic."""
    return event.channel_id is not None and (
        event.topic is not None or event.new_channel_id is not None
    )


def moved(
    message: Message,
    channel_id: ChannelId | None,
    topic: str | None,
    names: Mapping[ChannelId, str],
) -> Message:
    """Return the message in another channel or topic; None keeps either."""
    channel_id = message.channel_id if channel_id is None else channel_id
    name = names.get(channel_id) if channel_id is not None else None
    return replace(
        message,
        channel_id=channel_id,
        topic=message.topic if topic is None else topic,
        display_recipient=message.display_recipient if name is None else name,
    )


def _updated(
    message: Message, event: ev.UpdateMessageEvent, names: Mapping[ChannelId, str]
) -> Message:
    edits = message.id == event.message_id and not event.rendering_only
    after = _edited(message, event) if message.id == event.message_id else message
    is_moved = message.id in event.message_ids and moves(event)
    if is_moved:
        after = _moved(after, event, names)
    if is_moved or (edits and event.orig_content is not None):
        entry = _entry(event, edited=edits, moved=is_moved)
        after = _with_history(after, entry if entry.prev_content else _shared(entry))
    return after


def _edited(message: Message, event: ev.UpdateMessageEvent) -> Message:
    # The event lists the flags that an edit keeps; "historical" is only known from the message.
    flags = event.flags | (message.flags & {"historical"})
    message = replace(message, flags=shared(flags))
    if event.rendered_content is None:
        return message
    content = event.rendered_content
    if message.content_type != "text/html" and event.content is not None:
        content = event.content
    me = message.is_me_message if event.is_me_message is None else event.is_me_message
    message = replace(message, content=content, is_me_message=me)
    if event.rendering_only:
        return message
    return replace(message, last_edit_timestamp=event.edit_timestamp)


def _moved(
    message: Message, event: ev.UpdateMessageEvent, names: Mapping[ChannelId, str]
) -> Message:
    message = moved(message, event.new_channel_id, event.topic, names)
    if event.topic_links is not None:
        message = replace(message, topic_links=event.topic_links)
    if _only_resolves(event):
        return message
    return replace(message, last_moved_timestamp=event.edit_timestamp)


def _only_resolves(event: ev.UpdateMessageEvent) -> bool:
    """Whether the event only resolves or unresolves the topic, which is not shown as a move."""
    if event.new_channel_id is not None or event.topic is None or event.orig_topic is None:
        return False
    return event.topic.removeprefix(RESOLVED_PREFIX) == event.orig_topic.removeprefix(
        RESOLVED_PREFIX
    )


def _entry(event: ev.UpdateMessageEvent, *, edited: bool, moved: bool) -> EditHistoryEntry:
    to_channel = event.new_channel_id if moved else None
    to_topic = event.topic if moved else None
    return EditHistoryEntry(
        user_id=event.user_id,
        timestamp=event.edit_timestamp,
        prev_content=event.orig_content if edited else None,
        prev_rendered_content=event.orig_rendered_content if edited else None,
        prev_channel_id=event.channel_id if to_channel is not None else None,
        channel_id=to_channel,
        prev_topic=event.orig_topic if to_topic is not None else None,
        topic=to_topic,
    )


@lru_cache(32)
def _shared(entry: EditHistoryEntry) -> EditHistoryEntry:
    """One object for equal entries: all messages of a moved topic get the same."""
    return entry


def _with_history(message: Message, entry: EditHistoryEntry) -> Message:
    history = message.edit_history or ()
    # A fetched message may have the entry already: the event is applied to it once more.
    return message if entry in history else replace(message, edit_history=(entry, *history))


def _with_submessage(message: Message, event: ev.SubmessageEvent) -> Message:
    is_known = any(part.id == event.submessage_id for part in message.submessages)
    if message.id != event.message_id or is_known:
        return message
    part = Submessage(
        id=event.submessage_id,
        message_id=event.message_id,
        sender_id=event.sender_id,
        msg_type=event.msg_type,
        content=event.content,
    )
    return replace(message, submessages=(*message.submessages, part))
