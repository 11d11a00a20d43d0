"""Optimistic updates: the user's changes, applied to the store before their events arrive. Pure.

An operation is shown at once. It ends with the event that it causes, with its error, or, when it was answered
and changed nothing, with the first poll that began after the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NewType, TypeAlias

from tui.api import events as ev
from tui.api.model import ChannelId, Message, MessageId, Reaction, VisibilityPolicy
from tui.dataclass import dataclass
from tui.narrow import TopicNarrow
from tui.store import edits, reactions
from tui.store.changes import NOTHING, Changes
from tui.store.unreads import Unreads

OperationId = NewType("OperationId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagChange:
    """A flag set (`on`) or removed: `read`, `starred`, `collapsed`."""

    message_ids: frozenset[MessageId]
    flag: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionChange:
    """A reaction added (`on`) or removed."""

    message_ids: frozenset[MessageId]
    reaction: Reaction
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Messages moved to another channel or topic; None keeps either."""

    message_ids: frozenset[MessageId]
    channel_id: ChannelId | None
    topic: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentEdit:
    """New Markdown for a message."""

    message_ids: frozenset[MessageId]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """Messages deleted."""

    message_ids: frozenset[MessageId]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChange:
    """A topic's visibility policy."""

    topic: TopicNarrow
    policy: VisibilityPolicy


MessageOperation: TypeAlias = FlagChange | ReactionChange | Move | ContentEdit | Deletion
Operation: TypeAlias = MessageOperation | PolicyChange


class PendingOperations:
    """Operations in the order in which the user made them."""

    def __init__(self) -> None:
        self._operations: dict[OperationId, Operation] = {}
        self._acknowledged: set[OperationId] = set()
        self._last = 0

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._operations.values())

    def add(self, operation: Operation) -> OperationId:
        """Apply an operation until its event arrives; return its ID."""
        self._last += 1
        operation_id = OperationId(self._last)
        self._operations[operation_id] = operation
        return operation_id

    def rollback(self, operation_id: OperationId) -> Operation | None:
        """End a failed operation and return it; None if it ended already."""
        self._acknowledged.discard(operation_id)
        return self._operations.pop(operation_id, None)

    def acknowledge(self, operation_id: OperationId) -> None:
        """Note that the server accepted an operation; if it changed anything, its event is on the way."""
        if operation_id in self._operations:
            self._acknowledged.add(operation_id)

    def acknowledged(self) -> frozenset[OperationId]:
        """Return the IDs of operations whose events, if any, the next poll brings."""
        return frozenset(self._acknowledged)

    def apply_to(self, message: Message, names: Mapping[ChannelId, str]) -> Message | None:
        """Return the message with all operations applied; None if it is about to be deleted."""
        after: Message | None = message
        for operation in self._operations.values():
            if after is None:
                return None
            if not isinstance(operation, PolicyChange) and message.id in operation.message_ids:
                after = _applied(operation, after, names)
        return after

    def read(self, message_ids: Iterable[MessageId]) -> frozenset[MessageId]:
        """Return the messages of these that no pending operation marks as read or deletes."""
        left = frozenset(message_ids)
        for operation in self._operations.values():
            left -= _read_by(operation)
        return left

    @property
    def hides_unread(self) -> bool:
        """Whether a pending operation marks messages as read, or deletes some."""
        return any(map(_read_by, self._operations.values()))

    def policy(self, topic: TopicNarrow) -> VisibilityPolicy | None:
        """Return a topic's policy after pending operations; None if there are none for it."""
        policy = None
        for operation in self._operations.values():
            if isinstance(operation, PolicyChange) and operation.topic == topic:
                policy = operation.policy
        return policy

    def ending(self, event: ev.Event) -> frozenset[MessageId]:
        """Return the messages for which an event confirms an operation."""
        ids: frozenset[MessageId] = frozenset()
        for operation in self._operations.values():
            if isinstance(operation, PolicyChange):
                continue
            left = _left(operation, event)
            if left is None:
                ids |= operation.message_ids
            elif left is not operation and not isinstance(left, PolicyChange):
                ids |= operation.message_ids - left.message_ids
        return ids

    def resolve(self, event: ev.Event) -> Changes:
        """End the operations that an event confirms; return the changes on screen of that alone."""
        settled = NOTHING
        for operation_id, operation in list(self._operations.items()):
            left = _left(operation, event)
            if left is operation:
                continue
            settled = settled.merge(affected(operation))
            if left is None:
                self.rollback(operation_id)
            else:
                self._operations[operation_id] = left
        return settled


def affected(operation: Operation, unreads: Unreads | None = None) -> Changes:
    """Return the changes on screen when an operation is added or rolled back.

    `unreads` adds the conversations of its unread messages: the operation's event may come before the screen is
    updated, and then they are unread no more.
    """
    if isinstance(operation, PolicyChange):
        return Changes(
            conversations=frozenset({operation.topic}),
            topics=frozenset({operation.topic.channel_id}),
        )
    ids = operation.message_ids
    places = () if unreads is None else map(unreads.place, ids)
    return Changes(messages=ids, counts=frozenset(place for place in places if place is not None))


def _read_by(operation: Operation) -> frozenset[MessageId]:
    """Return the messages that an operation marks as read or deletes."""
    if isinstance(operation, Deletion) or (
        isinstance(operation, FlagChange) and operation.flag == "read" and operation.on
    ):
        return operation.message_ids
    return frozenset()


def _applied(
    operation: MessageOperation, message: Message, names: Mapping[ChannelId, str]
) -> Message | None:
    match operation:
        case FlagChange():
            return edits.with_flag(message, operation.flag, on=operation.on)
        case ReactionChange(on=True):
            return reactions.add(message, operation.reaction)
        case ReactionChange():
            return reactions.remove(message, operation.reaction)
        case Move():
            return edits.moved(message, operation.channel_id, operation.topic, names)
        case ContentEdit():
            return replace(message, content=operation.content, content_type="text/x-markdown")
        case Deletion():
            return None


def _left(operation: Operation, event: ev.Event) -> Operation | None:
    """Return the rest of an operation after an event: itself, a part of it, or None."""
    match operation, event:
        case PolicyChange(), ev.UserTopicEvent():
            meant = TopicNarrow(event.channel_id, event.topic) == operation.topic
            return None if meant else operation
        case FlagChange(on=True), ev.UpdateMessageFlagsAddEvent(flag=flag) if (
            flag == operation.flag
        ):
            return None if event.all else _without(operation, event.message_ids)
        case FlagChange(on=False), ev.UpdateMessageFlagsRemoveEvent(flag=flag) if (
            flag == operation.flag
        ):
            return _without(operation, event.message_ids)
        case ReactionChange(on=True), ev.ReactionAddEvent():
            return _without_reaction(operation, event)
        case ReactionChange(on=False), ev.ReactionRemoveEvent():
            return _without_reaction(operation, event)
        case Move(), ev.UpdateMessageEvent() if edits.moves(event):
            return _without(operation, event.message_ids)
        case ContentEdit(), ev.UpdateMessageEvent() if event.orig_content is not None:
            return _without(operation, (event.message_id,))
        case PolicyChange(), _:
            return operation
        case _, ev.DeleteMessageEvent():
            return _without(operation, event.message_ids)
        case _:
            return operation


def _without_reaction(
    operation: ReactionChange, event: ev.ReactionAddEvent | ev.ReactionRemoveEvent
) -> Operation | None:
    reaction = reactions.of_event(event)
    same = reactions.same_emoji(reaction, operation.reaction)
    if not same or reaction.user_id != operation.reaction.user_id:
        return operation
    return _without(operation, (event.message_id,))


def _without(operation: MessageOperation, ids: Iterable[MessageId]) -> Operation | None:
    left = operation.message_ids.difference(ids)
    if left == operation.message_ids:
        return operation
    return replace(operation, message_ids=left) if left else None
