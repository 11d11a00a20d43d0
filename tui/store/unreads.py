"""The unread messages and their conversations, muted ones too. No I/O."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

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


FEW: Final = 16
"""Messages that are removed one by one; with more, the lists are made anew."""


class Unreads:
    """Unread messages by conversation, and the reverse: the two always agree.

    There may be tens of thousands. As ascending numbers they take 24 bytes each; sets and dictionaries of them took
    150. `old_missing` says that there are more, too old for the server to list.
    """

    def __init__(self, unread: UnreadMessages | None, self_id: UserId) -> None:
        self._self_id = self_id
        self._ids = array("q")
        self._places: list[Conversation] = []
        """The conversation of each."""
        self._by_conversation: dict[Conversation, array[int]] = {}
        self._topics: dict[ChannelId, dict[TopicNarrow, None]] = {}
        """The topics among the conversations by channel, which the sidebar asks for."""
        self.mentions: set[MessageId] = set()
        self.old_missing = False
        if unread is not None:
            self._load(unread)

    def _load(self, unread: UnreadMessages) -> None:
        places: dict[MessageId, Conversation] = {}
        for topic in unread.topics:
            place = TopicNarrow(topic.channel_id, topic.topic)
            places |= dict.fromkeys(topic.unread_message_ids, place)
        for dm in unread.dms:
            people = frozenset({dm.other_user_id, self._self_id})
            places |= dict.fromkeys(dm.unread_message_ids, DmNarrow(people))
        for group in unread.group_dms:
            people = group.user_ids | {self._self_id}
            places |= dict.fromkeys(group.unread_message_ids, DmNarrow(people))
        ids: dict[Conversation, list[MessageId]] = {each: [] for each in places.values()}
        for message_id in sorted(places):
            ids[places[message_id]].append(message_id)
        for each, listed in ids.items():
            self._ids_of(each)
            self._by_conversation[each] = array(
                "q", listed
            )  # no room for more: there are thousands
        self._ids = array("q", sorted(places))
        self._places = [places[message_id] for message_id in sorted(places)]
        self.mentions = {each for each in unread.mentions if each in places}
        self.old_missing = unread.old_unreads_missing

    def __contains__(self, message_id: MessageId) -> bool:
        return _index(self._ids, message_id) is not None

    def __iter__(self) -> Iterator[MessageId]:
        return map(MessageId, self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def count(self, conversation: Conversation) -> int:
        """Return the number of unread messages of a conversation."""
        return len(self._by_conversation.get(conversation, ()))

    def ids(self, conversation: Conversation) -> frozenset[MessageId]:
        """Return the unread messages of a conversation; `count` is quicker where there are many."""
        return frozenset(map(MessageId, self._by_conversation.get(conversation, ())))

    def mentions_in(self, conversation: Conversation) -> frozenset[MessageId]:
        """Return the unread messages of a conversation that mention the user."""
        ids = self._by_conversation.get(conversation, ())
        if len(ids) <= len(self.mentions):
            return frozenset(MessageId(each) for each in ids if each in self.mentions)
        return frozenset(each for each in self.mentions if self.place(each) == conversation)

    def conversations(self) -> list[Conversation]:
        """Return the conversations with unread messages."""
        return list(self._by_conversation)

    def topics(self, channel_id: ChannelId) -> list[TopicNarrow]:
        """Return the topics of a channel with unread messages."""
        return list(self._topics.get(channel_id, ()))

    def place(self, message_id: MessageId) -> Conversation | None:
        """Return the conversation of an unread message; None if it is not unread."""
        at = _index(self._ids, message_id)
        return None if at is None else self._places[at]

    def by_conversation(self) -> dict[Conversation, frozenset[MessageId]]:
        """Return all unread messages by conversation, as a copy."""
        return {place: self.ids(place) for place in self._by_conversation}

    def receive(self, message: Message) -> bool:
        """Add a new message; False if it is read already."""
        if "read" in message.flags:
            return False
        self._add(message.id, conversation_of(message), mentioned=_mentions(message.flags))
        return True

    def read(self, message_ids: Iterable[MessageId]) -> frozenset[Conversation]:
        """Remove messages that were read or deleted; return their conversations."""
        gone = {each for each in message_ids if each in self}
        if len(gone) > FEW:
            return self._remove_many(gone)
        return frozenset(place for each in gone if (place := self._remove(each)) is not None)

    def read_all(self) -> frozenset[Conversation]:
        """Remove all messages, also those too old to be listed."""
        places = frozenset(self._by_conversation)
        self._by_conversation.clear()
        self._topics.clear()
        self._ids = array("q")
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
        mentioned = message_id in self and _mentions(flags)
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
            at = _index(self._ids, message_id)
            place = None if at is None else self._places[at]
            if at is None or not isinstance(place, TopicNarrow):
                continue
            target = TopicNarrow(
                place.channel_id if channel_id is None else channel_id,
                place.topic if topic is None else topic,
            )
            self._leave(at)
            self._join(at, target)
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

    def _add(self, message_id: MessageId, place: Conversation, *, mentioned: bool) -> None:
        self._remove(message_id)
        at = _insert(self._ids, message_id)
        self._places.insert(at, place)
        self._join(at, place)
        if mentioned:
            self.mentions.add(message_id)

    def _join(self, at: int, place: Conversation) -> None:
        """List a message, by its index, in a conversation."""
        ids = self._by_conversation.get(place)
        if ids:
            known = self._places[bisect_left(self._ids, ids[0])]
            if _spelling(known) == _spelling(place):
                place = known  # one object for all of them
        self._places[at] = place
        _insert(self._ids_of(place), self._ids[at])

    def _leave(self, at: int) -> Conversation:
        """Take a message, by its index, out of its conversation, which is returned."""
        place = self._places[at]
        ids = self._by_conversation[place]
        del ids[bisect_left(ids, self._ids[at])]
        if not ids:
            self._drop(place)
        return place

    def _ids_of(self, place: Conversation) -> array[int]:
        """Return the messages of a conversation, put back under the key with the latest spelling of the topic."""
        ids = self._by_conversation.pop(place, None)
        self._by_conversation[place] = ids = array("q") if ids is None else ids
        if isinstance(place, TopicNarrow):
            topics = self._topics.setdefault(place.channel_id, {})
            topics.pop(place, None)
            topics[place] = None
        return ids

    def _remove(self, message_id: MessageId) -> Conversation | None:
        at = _index(self._ids, message_id)
        if at is None:
            return None
        place = self._leave(at)
        del self._ids[at], self._places[at]
        self.mentions.discard(message_id)
        return place

    def _remove_many(self, gone: set[MessageId]) -> frozenset[Conversation]:
        """Remove messages that are unread, in one pass; return their conversations."""
        places = {place for each in gone if (place := self.place(each)) is not None}
        kept = [at for at, each in enumerate(self._ids) if each not in gone]
        self._ids = array("q", [self._ids[at] for at in kept])
        self._places = [self._places[at] for at in kept]
        self.mentions -= gone
        for place in places:
            left = [each for each in self._by_conversation[place] if each not in gone]
            if left:
                self._by_conversation[place] = array("q", left)
            else:
                self._drop(place)
        return frozenset(places)

    def _drop(self, place: Conversation) -> None:
        del self._by_conversation[place]
        if isinstance(place, TopicNarrow):
            del self._topics[place.channel_id][place]


def _index(ids: array[int], message_id: int) -> int | None:
    at = bisect_left(ids, message_id)
    return at if at < len(ids) and ids[at] == message_id else None


def _insert(ids: array[int], message_id: int) -> int:
    """Insert an ID in its place, nearly always the end; return its index."""
    at = len(ids) if not ids or message_id > ids[-1] else bisect_left(ids, message_id)
    ids.insert(at, message_id)
    return at


def _spelling(place: Conversation) -> str:
    """The topic as it was written: narrows are equal whatever their case is."""
    return place.topic if isinstance(place, TopicNarrow) else ""


def _mentions(flags: frozenset[str]) -> bool:
    return not MENTION_FLAGS.isdisjoint(flags)
