"""Topics of channels with their newest message, once their list was fetched. No I/O."""

from collections.abc import Iterable

from tui.api.model import ChannelId, Message, MessageId, Topic
from tui.narrow import TopicNarrow


class Topics:
    """Topics by channel. A list is `complete` after it was fetched, until an event spoils that."""

    def __init__(self) -> None:
        self._newest: dict[ChannelId, dict[TopicNarrow, MessageId]] = {}
        self.complete: set[ChannelId] = set()

    def of(self, channel_id: ChannelId) -> list[Topic]:
        """What is known of a channel's topics, the one with the newest message first."""
        newest = self._newest.get(channel_id, {})
        return [
            Topic(name=place.topic, max_id=newest[place])
            for place in sorted(newest, key=lambda place: -newest[place])
        ]

    def load(self, channel_id: ChannelId, topics: Iterable[Topic]) -> None:
        """The whole list, as the server has it."""
        later = self._newest.get(channel_id, {})
        self._newest[channel_id] = {TopicNarrow(channel_id, t.name): t.max_id for t in topics}
        self.complete.add(channel_id)
        floor = max(self._newest[channel_id].values(), default=-1)
        for place, max_id in later.items():
            if max_id > floor:  # came while the list was on its way
                self._saw(place, max_id)

    def receive(self, message: Message) -> bool:
        """A new message; False if it is in no topic."""
        if message.channel_id is None:
            return False
        self._saw(TopicNarrow(message.channel_id, message.topic), message.id)
        return True

    def move(
        self,
        source: TopicNarrow,
        target: TopicNarrow,
        message_ids: frozenset[MessageId],
        *,
        is_whole: bool,
    ) -> frozenset[ChannelId]:
        """Messages moved from one topic to another, which is empty now if that was the whole of it.

        Returns the channels whose list changed.
        """
        if not message_ids:
            return frozenset()
        if is_whole and source != target:
            self._newest.get(source.channel_id, {}).pop(source, None)
        else:
            self._lose(source, message_ids)
        self._saw(target, max(message_ids))
        return frozenset({source.channel_id, target.channel_id})

    def delete(self, place: TopicNarrow, message_ids: frozenset[MessageId]) -> None:
        """Messages of a topic are gone."""
        self._lose(place, message_ids)

    def forget_channel(self, channel_id: ChannelId) -> None:
        """A channel went out of sight."""
        self._newest.pop(channel_id, None)
        self.complete.discard(channel_id)

    def _saw(self, place: TopicNarrow, message_id: MessageId) -> None:
        topics = self._newest.setdefault(place.channel_id, {})
        before = topics.pop(place, message_id)
        topics[place] = max(before, message_id)

    def _lose(self, place: TopicNarrow, message_ids: frozenset[MessageId]) -> None:
        topics = self._newest.get(place.channel_id, {})
        if topics.get(place) in message_ids:
            # What is the newest now, and whether anything is left, only the server knows.
            del topics[place]
            self.complete.discard(place.channel_id)
