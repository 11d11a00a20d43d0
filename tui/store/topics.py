"""Topics of channels with their newest messages, once their list was fetched. No I/O."""

from collections.abc import Collection, Iterable
from operator import itemgetter

from tui.api.model import ChannelId, Message, MessageId, Topic
from tui.narrow import TopicNarrow


class Topics:
    """Topics by channel. A list is `complete` once it was fetched, until an event makes it uncertain."""

    def __init__(self) -> None:
        self._newest: dict[ChannelId, dict[TopicNarrow, MessageId]] = {}
        self.complete: set[ChannelId] = set()
        self.removals = 0
        """Counts the topics, and newest messages of topics, that events removed."""

    def of(self, channel_id: ChannelId) -> list[Topic]:
        """Return the known topics of a channel, newest message first."""
        newest = self._newest.get(channel_id, {})
        return [Topic(name=place.topic, max_id=newest[place]) for place in self.places(channel_id)]

    def places(self, channel_id: ChannelId) -> list[TopicNarrow]:
        """Return the known topics of a channel as narrows, newest message first."""
        newest = self._newest.get(channel_id, {})
        by_age = sorted(newest.items(), key=itemgetter(1), reverse=True)
        return [place for place, _ in by_age]

    def written(self, channel_id: ChannelId, places: Collection[TopicNarrow]) -> list[TopicNarrow]:
        """Return topics of a channel as its list has them: narrows are equal whatever their case is."""
        newest = self._newest.get(channel_id, {})
        if not places or not newest:
            return [*places]
        # No hash of thousands of narrows:
        by_newest = dict(zip(newest.values(), newest, strict=True))
        listed = ((by_newest.get(newest.get(place, MessageId(-1))), place) for place in places)
        return [place if known is None or known != place else known for known, place in listed]

    def newest(self, place: TopicNarrow) -> MessageId | None:
        """Return the newest message of a topic; None if the topic is not known."""
        return self._newest.get(place.channel_id, {}).get(place)

    def __contains__(self, place: TopicNarrow) -> bool:
        return place in self._newest.get(place.channel_id, {})

    def load(self, channel_id: ChannelId, topics: Iterable[Topic]) -> None:
        """Take in the whole list, as the server has it."""
        later = self._newest.get(channel_id, {})
        self._newest[channel_id] = {TopicNarrow(channel_id, t.name): t.max_id for t in topics}
        self.complete.add(channel_id)
        floor = max(self._newest[channel_id].values(), default=-1)
        for place, max_id in later.items():
            if max_id > floor:  # arrived while the list was on its way
                self._saw(place, max_id)

    def receive(self, message: Message) -> bool:
        """Take in a new message; False if no list changes: it is in no topic, or in the newest one."""
        if message.channel_id is None:
            return False
        place = TopicNarrow(message.channel_id, message.topic)
        topics = self._newest.get(message.channel_id, {})
        latest = next(reversed(topics), None)
        is_newest = latest == place and topics[place] == max(topics.values())
        self._saw(place, message.id)
        return not is_newest or latest is None or latest.topic != place.topic

    def move(
        self,
        source: TopicNarrow,
        target: TopicNarrow,
        message_ids: frozenset[MessageId],
        *,
        is_whole: bool,
    ) -> frozenset[ChannelId]:
        """Move messages to another topic; the old one is removed if `is_whole`.

        Returns the channels whose lists changed.
        """
        if not message_ids:
            return frozenset()
        if is_whole and source != target:
            self.removals += 1
            self._newest.get(source.channel_id, {}).pop(source, None)
        else:
            self._lose(source, message_ids)
        self._saw(target, max(message_ids))
        return frozenset({source.channel_id, target.channel_id})

    def delete(self, place: TopicNarrow, message_ids: frozenset[MessageId]) -> None:
        """Remove deleted messages of a topic."""
        self._lose(place, message_ids)

    def forget_channel(self, channel_id: ChannelId) -> None:
        """Drop a channel that became invisible."""
        self._newest.pop(channel_id, None)
        self.complete.discard(channel_id)

    def _saw(self, place: TopicNarrow, message_id: MessageId) -> None:
        topics = self._newest.setdefault(place.channel_id, {})
        before = topics.pop(place, message_id)
        topics[place] = max(before, message_id)

    def _lose(self, place: TopicNarrow, message_ids: frozenset[MessageId]) -> None:
        topics = self._newest.get(place.channel_id, {})
        if topics.get(place) in message_ids:
            # Only the server knows the newest message now, and whether any is left.
            del topics[place]
            self.removals += 1
            self.complete.discard(place.channel_id)
