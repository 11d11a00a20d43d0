"""What a topic may be called in a request, and which topics of a channel a person may read. Reads only."""

from typing import Final

from server_lite.access.channels import reads_whole_history
from server_lite.access.message_validation import is_writable
from server_lite.errors import ApiError
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.store import subscriptions, topics
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.topics import TopicRow
from server_lite.store.users import UserRow

MAX_TOPIC: Final = 60
MEANS_EMPTY: Final = frozenset(("(no topic)", EMPTY_TOPIC_DISPLAY_NAME))


def parse_topic(text: str) -> str:
    """The topic that a request names: without space at its ends, the empty one's other names as ''.

    Raises ApiError for one that is too long or holds characters that no topic can hold.
    """
    topic = text.strip()
    if topic in MEANS_EMPTY:
        return ""
    if len(topic) > MAX_TOPIC:
        raise ApiError(f"topic is too long (limit: {MAX_TOPIC} characters)")
    for position, character in enumerate(topic, start=1):
        if not is_writable(character):
            raise ApiError(f"Invalid character in topic, at position {position}!")
    return topic


def readable_topics(db: Db, user: UserRow, channel: ChannelRow) -> list[TopicRow]:
    """The topics of a channel that the person may read, the most recent first."""
    if reads_whole_history(channel):
        return topics.of_channel(db, channel.id)
    periods = subscriptions.periods(db, user.id, channel.id)
    return topics.within(db, channel.id, periods)
