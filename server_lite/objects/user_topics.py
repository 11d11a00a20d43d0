"""What topics are to a person, as the API's JSON. Reads only."""

from typing_extensions import TypedDict

from server_lite.events.base import ClientCapabilities
from server_lite.ids import UserId
from server_lite.store import user_topics
from server_lite.store.connection import Db
from server_lite.store.user_topics import UserTopicRow
from server_lite.store.users import UserRow


class UserTopicObject(TypedDict):
    """A topic that is muted, unmuted or followed; `last_updated` is in UNIX seconds."""

    stream_id: int
    topic_name: str
    last_updated: int
    visibility_policy: int


def user_topic_objects(db: Db, user: UserRow, shape: ClientCapabilities) -> list[UserTopicObject]:
    """All of a person's topics that are muted, unmuted or followed."""
    return [user_topic_object(row, shape) for row in user_topics.of_user(db, user.id)]


def user_topic_object(row: UserTopicRow, shape: ClientCapabilities) -> UserTopicObject:
    """One of them."""
    return {
        "stream_id": row.channel_id,
        "topic_name": shape.topic(row.name),
        "last_updated": int(row.last_updated),
        "visibility_policy": row.policy,
    }


def muted_topics(db: Db, user_id: UserId) -> list[list[str | int]]:
    """The muted ones as `[channel name, topic, UNIX seconds]`, for clients that know only these."""
    return [
        [name, topic, int(since)]
        for name, topic, since in user_topics.muted_with_channels(db, user_id)
    ]
