"""The unread messages and their conversations, muted ones too. No I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tui.api.model import ChannelId, Message, MessageId, UnreadMessages, UserId
from tui.narrow import Conversation, DmNarrow, TopicNarrow, conversation_of

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import UnreadDetails

MENTION_FLAGS = frozenset(
    {
        "mentioned",
        "wildcard_mentioned",
        "stream_wildcard_mentioned",
        "topic_wildcard_mentioned",
    }
)


class Unreads:
    """Unread messages by conversation, and the reverse: the two always agree.

    `old_missing` says that there are more, too old for the server to list.
    """

    def __init__(self, unread: UnreadMessages | None, self_id: UserId) -> None:
        self._self_id = self_id
        self._by_conversation: dict[Conversation, set[MessageId]] = {}
        self._places: dict[MessageId, Conversation] = {}
        self._topics: dict[ChannelId, dict[TopicNarrow, None]] = {}
        """The topics among the conversations by channel, which the sidebar asks for."""
        self.mentions: set[MessageId] = set()
        self.old_missing = False
        if unread is not None:
            self._load(unread)

    def _load(self, unread: UnreadMessages) -> None:
        for topic in unread.topics:
            self._add_all(topic.unread_message_ids, TopicNarrow(topic.channel_id, topic.topic))
        for dm in unread.dms:
            people = frozenset({dm.other_user_id, self._self_id})
            self._add_all(dm.unread_message_ids, DmNarrow(people))
        for group in unread.group_dms:
            self._add_all(group.unread_message_ids, DmNarrow(group.user_ids | {self._self_id}))
        self.mentions = {each for each in unread.mentions if each in self._places}
        self.old_missing = unread.old_unreads_missing

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._places

    def __iter__(self) -> Iterator[MessageId]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def ids(self, conversation: Conversation) -> frozenset[MessageId]:
        """Return the unread messages of a conversation."""
        return frozenset(self._by_conversation.get(conversation, ()))

    def conversations(self) -> list[Conversation]:
        """Return the conversations with unread messages."""
        return list(self._by_conversation)

    def topics(self, channel_id: ChannelId) -> list[TopicNarrow]:
        """Return the topics of a channel with unread messages."""
        return list(self._topics.get(channel_id, ()))

    def place(self, message_id: MessageId) -> Conversation | None:
        """Return the conversation of an unread message; None if it is not unread."""
        return self._places.get(message_id)

    def by_conversation(self) -> dict[Conversation, frozenset[MessageId]]:
        """Return all unread messages by conversation, as a copy."""
        return {place: frozenset(ids) for place, ids in self._by_conversation.items()}

    def receive(self, message: Message) -> bool:
        """Add a new message; False if it is read already."""
        if "read" in message.flags:
            return False
        self._add(message.id, conversation_of(message), mentioned=_mentions(message.flags))
        return True

    def read(self, message_ids: Iterable[MessageId]) -> frozenset[Conversation]:
        """Remove messages that were read or deleted; return their conversations."""
        return frozenset(place for each in message_ids if (place := self._remove(each)) is not None)

    def read_all(self) -> frozenset[Conversation]:
        """Remove all messages, also those too old to be listed."""
        places = frozenset(self._by_conversation)
        self._by_conversation.clear()
        self._topics.clear()
        self._places.clear()
        self.mentions.clear()
        self.old_missing = False
        return places

    def unread(self, details: Mapping[MessageId, UnreadDetails]) -> frozenset[Conversation]:
        """Add messages that were marked as unread; return their conversations."""
        places = {}
        for message_id, detail in details.items():
            place = self._place_of(detail)
            if place is not None:
                self._add(message_id, place, mentioned=detail.mentioned)
                places[message_id] = place
        return frozenset(places.values())

    def set_flags(self, message_id: MessageId, flags: frozenset[str]) -> bool:
        """Update whether a message mentions the user after an edit; False if nothing changed."""
        mentioned = message_id in self._places and _mentions(flags)
        changed = mentioned != (message_id in self.mentions)
        if mentioned:
            self.mentions.add(message_id)
        else:
            self.mentions.discard(message_id)
        return changed

    def move(
        self, message_ids: Iterable[MessageId], *, channel_id: ChannelId | None, topic: str | None
    ) -> frozenset[Conversation]:
        """Move messages to another channel or topic (None: the same); return both conversations."""
        affected: set[Conversation] = set()
        for message_id in message_ids:
            place = self._places.get(message_id)
            if not isinstance(place, TopicNarrow):
                continue
            target = TopicNarrow(
                place.channel_id if channel_id is None else channel_id,
                place.topic if topic is None else topic,
            )
            mentioned = message_id in self.mentions
            self._remove(message_id)
            self._add(message_id, target, mentioned=mentioned)
            affected |= {place, target}
        return frozenset(affected)

    def forget_channel(self, channel_id: ChannelId) -> frozenset[Conversation]:
        """Drop a channel that became invisible; return the topics that had unread messages."""
        gone = self.topics(channel_id)
        for place in gone:
            self.read(self.ids(place))
        return frozenset(gone)

    def _place_of(self, detail: UnreadDetails) -> Conversation | None:
        if detail.type == "private":
            return DmNarrow((detail.user_ids or frozenset()) | {self._self_id})
        if detail.channel_id is None or detail.topic is None:
            return None
        return TopicNarrow(detail.channel_id, detail.topic)

    def _add_all(self, ids: Iterable[MessageId], place: Conversation) -> None:
        for message_id in ids:
            self._add(message_id, place, mentioned=False)

    def _add(self, message_id: MessageId, place: Conversation, *, mentioned: bool) -> None:
        self._remove(message_id)
        ids = self._by_conversation.pop(place, set())
        if ids and _spelling(known := self._places[next(iter(ids))]) == _spelling(place):
            place = known  # one object for all of them
        ids.add(message_id)
        # Put back under the key with the latest spelling of the topic.
        self._by_conversation[place] = ids
        if isinstance(place, TopicNarrow):
            topics = self._topics.setdefault(place.channel_id, {})
            topics.pop(place, None)
            topics[place] = None
        self._places[message_id] = place
        if mentioned:
            self.mentions.add(message_id)

    def _remove(self, message_id: MessageId) -> Conversation | None:
        place = self._places.pop(message_id, None)
        if place is None:
            return None
        self.mentions.discard(message_id)
        ids = self._by_conversation[place]
        ids.discard(message_id)
        if not ids:
            del self._by_conversation[place]
            if isinstance(place, TopicNarrow):
                del self._topics[place.channel_id][place]
        return place


def _spelling(place: Conversation) -> str:
    """The topic as it was written: narrows are equal whatever their case is."""
    return place.topic if isinstance(place, TopicNarrow) else ""


def _mentions(flags: frozenset[str]) -> bool:
    return not MENTION_FLAGS.isdisjoint(flags)
