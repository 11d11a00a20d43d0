"""Direct conversations by their newest message. No I/O, no clock."""

from collections.abc import Iterable

from tui.api.model import Message, MessageId, RecentDm, UserId
from tui.narrow import DmNarrow


class DirectMessages:
    """The newest known message of each direct conversation."""

    def __init__(self, recent: Iterable[RecentDm], self_id: UserId) -> None:
        self.newest: dict[DmNarrow, MessageId] = {
            DmNarrow(each.user_ids | {self_id}): each.max_message_id for each in recent
        }

    def by_recency(self) -> list[DmNarrow]:
        """Return the conversations, newest message first."""
        return sorted(self.newest, key=lambda place: -self.newest[place])

    def receive(self, message: Message) -> DmNarrow | None:
        """Take in a message, new or fetched; return its conversation if it is now the newest there."""
        if message.channel_id is not None:
            return None
        place = DmNarrow(message.participant_ids)
        if self.newest.get(place, -1) >= message.id:
            return None
        self.newest[place] = message.id
        return place

    def delete(
        self, message_ids: frozenset[MessageId], remaining: Iterable[Message]
    ) -> frozenset[DmNarrow]:
        """Remove deleted messages; the newest of the `remaining` ones takes their place. Return what changed.

        A conversation without remaining messages stays: there may be older ones on the server.
        """
        affected = {place for place, newest in self.newest.items() if newest in message_ids}
        if not affected:
            return frozenset()
        newest_left: dict[DmNarrow, MessageId] = {}
        for message in remaining:
            place = DmNarrow(message.participant_ids)
            if message.channel_id is None and place in affected and message.id not in message_ids:
                newest_left[place] = max(message.id, newest_left.get(place, message.id))
        self.newest |= newest_left
        return frozenset(affected)
