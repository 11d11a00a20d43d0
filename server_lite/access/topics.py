"""Which topics of a channel a user may read. Reads only."""

from server_lite.access.channels import reads_whole_history
from server_lite.store import subscriptions, topics
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.topics import TopicRow
from server_lite.store.users import UserRow


def readable_topics(db: Db, user: UserRow, channel: ChannelRow) -> list[TopicRow]:
    """Return the channel's topics that the user may read, most recent first."""
    if reads_whole_history(channel):
        return topics.of_channel(db, channel.id)
    periods = subscriptions.periods(db, user.id, channel.id)
    return topics.within(db, channel.id, periods)
