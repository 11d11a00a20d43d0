"""Applies events about messages to the parts of a store, in the right order. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from tui.api import events as ev
from tui.api.features import READ_BY_SENDER
from tui.api.model import ChannelId, MessageId, UserId
from tui.narrow import Conversation, DmNarrow, TopicNarrow, conversation_of
from tui.store import edits
from tui.store.changes import NOTHING, Changes, Part, TopicMove
from tui.store.direct_messages import DirectMessages
from tui.store.messages import Messages
from tui.store.outbox import Outbox
from tui.store.realm import Realm
from tui.store.topics import Topics
from tui.store.typing import TypingState
from tui.store.unreads import MENTION_FLAGS, Unreads


class MessageStore(Protocol):
    """The parts of a store that depend on messages."""

    self_id: UserId
    realm: Realm
    messages: Messages
    unreads: Unreads
    topics: Topics
    direct_messages: DirectMessages
    typing: TypingState
    outbox: Outbox
    starred: set[MessageId]
    max_message_id: MessageId


def receive(store: MessageStore, event: ev.MessageEvent) -> Changes:
    """Add a new message."""
    message, place = event.message, conversation_of(event.message)
    if event.local_message_id is not None and not READ_BY_SENDER.is_in(store.realm.feature_level):
        # Older servers leave messages sent from here unread, until they are marked as read.
        message = replace(message, flags=message.flags | {"read"})
    # The echo ends before its message is shown, so that nothing is shown twice.
    local_id = store.outbox.settle(message, event.local_message_id)
    typing = store.typing.stop(place, message.sender_id)
    windows = store.messages.receive(message)
    topics: frozenset[ChannelId] = frozenset()
    if isinstance(place, TopicNarrow) and store.topics.receive(message):
        topics = frozenset({place.channel_id})
    store.direct_messages.receive(message)
    store.unreads.receive(message)
    if "starred" in message.flags:
        store.starred.add(message.id)
    store.max_message_id = max(store.max_message_id, message.id)
    parts: frozenset[Part] = frozenset({"outbox"}) if local_id else frozenset()
    return Changes(
        messages=frozenset({message.id}),
        arrived=(message.id,),
        windows=frozenset(windows),
        conversations=frozenset({place}),
        topics=topics,
        typing=frozenset({place}) if typing else frozenset(),
        parts=parts,
        echoes={local_id: message.id} if local_id else {},
    )


def update(store: MessageStore, event: ev.UpdateMessageEvent) -> Changes:
    """Apply an edit, a move, or both."""
    messages, windows = store.messages.change(event)
    conversations: frozenset[Conversation] = frozenset()
    topics: frozenset[ChannelId] = frozenset()
    move: TopicMove | None = None
    if store.unreads.set_flags(event.message_id, event.flags):
        place = store.unreads.place(event.message_id)
        conversations = frozenset({place} if place else ())
    if edits.moves(event):
        conversations |= store.unreads.move(
            event.message_ids, channel_id=event.new_channel_id, topic=event.topic
        )
        move = _topic_move(store, event)
    if move is not None:
        topics = store.topics.move(
            move.source, move.target, move.message_ids, is_whole=move.is_whole
        )
    return Changes(
        messages=messages,
        windows=frozenset(windows),
        conversations=conversations,
        topics=topics,
        moves=(move,) if move is not None else (),
    )


def delete(store: MessageStore, event: ev.DeleteMessageEvent) -> Changes:
    """Remove messages that were deleted, or are not accessible any more."""
    gone = frozenset(event.message_ids)
    # The other parts first: they find the newest message among those that remain.
    conversations: frozenset[Conversation] = store.unreads.read(gone)
    conversations |= store.direct_messages.delete(gone, store.messages.by_id.values())
    topics: frozenset[ChannelId] = frozenset()
    if event.channel_id is not None and event.topic is not None:
        place = TopicNarrow(event.channel_id, event.topic)
        store.topics.delete(place, gone)
        topics, conversations = frozenset({event.channel_id}), conversations | {place}
    parts: frozenset[Part] = frozenset({"starred"}) if store.starred & gone else frozenset()
    store.starred -= gone
    _, windows = store.messages.change(event)
    return Changes(
        messages=gone,
        deleted=gone,
        windows=frozenset(windows),
        conversations=conversations,
        topics=topics,
        parts=parts,
    )


def add_flag(store: MessageStore, event: ev.UpdateMessageFlagsAddEvent) -> Changes:
    """Set a flag of the user, from here or another client."""
    messages, windows = store.messages.change(event)
    counts: frozenset[Conversation] = frozenset()
    parts: frozenset[Part] = frozenset()
    if event.flag == "read":
        counts = store.unreads.read_all() if event.all else store.unreads.read(event.message_ids)
    elif event.flag == "starred":
        store.starred.update(event.message_ids)
        parts = frozenset({"starred"})
    elif event.flag in MENTION_FLAGS:
        counts = _mention(store, event.message_ids)
    return Changes(messages=messages, windows=frozenset(windows), counts=counts, parts=parts)


def remove_flag(store: MessageStore, event: ev.UpdateMessageFlagsRemoveEvent) -> Changes:
    """Remove a flag of the user, from here or another client."""
    messages, windows = store.messages.change(event)
    counts: frozenset[Conversation] = frozenset()
    parts: frozenset[Part] = frozenset()
    if event.flag == "read":
        details = event.message_details or {}
        counts = store.unreads.unread(details)
        for message_id in set(event.message_ids) - details.keys():
            message = store.messages.get(message_id)
            if message is not None and store.unreads.receive(message):
                counts |= {conversation_of(message)}
    elif event.flag == "starred":
        store.starred.difference_update(event.message_ids)
        parts = frozenset({"starred"})
    elif event.flag in MENTION_FLAGS:
        counts = _mention(store, event.message_ids)
    return Changes(messages=messages, windows=frozenset(windows), counts=counts, parts=parts)


def change(
    store: MessageStore, event: ev.ReactionAddEvent | ev.ReactionRemoveEvent | ev.SubmessageEvent
) -> Changes:
    """Apply a change that only shows on the message itself."""
    messages, windows = store.messages.change(event)
    return Changes(messages=messages, windows=frozenset(windows))


def type_or_stop(store: MessageStore, event: ev.TypingStartEvent | ev.TypingStopEvent) -> Changes:
    """Start or stop a typing notice; the user's own, from another client, is ignored."""
    if event.sender_id == store.self_id:
        return NOTHING
    if event.channel_id is not None:
        place: Conversation = TopicNarrow(event.channel_id, event.topic or "")
    else:
        people = frozenset(user.user_id for user in event.recipients or ())
        place = DmNarrow(people | {event.sender_id, store.self_id})
    if isinstance(event, ev.TypingStartEvent):
        store.typing.start(place, event.sender_id)
    else:
        store.typing.stop(place, event.sender_id)
    return Changes(typing=frozenset({place}))


def _mention(store: MessageStore, message_ids: tuple[MessageId, ...]) -> frozenset[Conversation]:
    """Update whether messages mention the user, by their flags; return the conversations that changed."""
    affected = set()
    for message_id in message_ids:
        message, place = store.messages.get(message_id), store.unreads.place(message_id)
        if message and place and store.unreads.set_flags(message_id, message.flags):
            affected.add(place)
    return frozenset(affected)


def _topic_move(store: MessageStore, event: ev.UpdateMessageEvent) -> TopicMove | None:
    assert event.channel_id is not None, "only messages in channels move"
    topic = event.orig_topic if event.orig_topic is not None else event.topic
    if topic is None:
        return None
    source = TopicNarrow(event.channel_id, topic)
    target = TopicNarrow(
        event.channel_id if event.new_channel_id is None else event.new_channel_id,
        topic if event.topic is None else event.topic,
    )
    is_whole = event.propagate_mode == "change_all" or store.messages.is_known_empty(source)
    return TopicMove(
        source=source,
        target=target,
        message_ids=frozenset(event.message_ids),
        is_whole=is_whole,
        goes_on=is_whole or event.propagate_mode == "change_later",
    )
