"""Topics of a channel; muting and following topics. Thin."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from server_lite.access.anonymous import reader
from server_lite.access.channels import access_channel_by_id, access_channel_by_name
from server_lite.access.message_validation import clean_topic
from server_lite.access.topics import readable_topics
from server_lite.actions.user_topics import set_policy
from server_lite.api.answers import Done
from server_lite.api.params import Alias
from server_lite.errors import ApiError
from server_lite.events.base import ClientCapabilities
from server_lite.ids import ChannelId
from server_lite.store import user_topics
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.user_topics import Policy
from server_lite.store.users import UserRow


class Topic(TypedDict):
    """A topic, with the ID of its newest message."""

    name: str
    max_id: int


class Topics(TypedDict):
    """Topics, most recent first."""

    topics: list[Topic]


def topics_of(
    db: Db, user: UserRow | None, channel_id: ChannelId, *, allow_empty_topic_name: bool = False
) -> Topics:
    """Get the topics that the user may read, most recent first."""
    asking = reader(db, user)
    channel = access_channel_by_id(db, asking, channel_id, wants="content")
    shape = ClientCapabilities(empty_topic_name=allow_empty_topic_name)
    return {
        "topics": [
            {"name": shape.topic(topic.name), "max_id": topic.max_id}
            for topic in readable_topics(db, asking, channel)
        ]
    }


def update(
    tx: Tx,
    user: UserRow,
    *,
    stream_id: ChannelId,
    topic: Annotated[str, Alias("topic_name")],
    visibility_policy: Literal[0, 1, 2, 3],
) -> Done:
    """Mute, unmute or follow a topic, or reset its visibility policy."""
    channel = access_channel_by_id(tx, user, stream_id)
    set_policy(
        tx, user.id, channel.id, clean_topic(topic, on_overflow="refuse"), Policy(visibility_policy)
    )
    return {}


def mute(
    tx: Tx,
    user: UserRow,
    *,
    stream_id: ChannelId | None = None,
    stream: str | None = None,
    topic: str,
    op: Literal["add", "remove"],
) -> Done:
    """Mute or unmute a topic; deprecated. Repeating the request changes nothing."""
    if stream_id is not None and stream is not None:
        raise ApiError("Please choose one: 'stream' or 'stream_id'.")
    if stream_id is not None:
        channel = access_channel_by_id(tx, user, stream_id)
    elif stream is not None:
        channel = access_channel_by_name(tx, user, stream.strip())
    else:
        raise ApiError("Please supply 'stream'.")
    name = clean_topic(topic, on_overflow="refuse")
    row = user_topics.get(tx, user.id, channel.id, name)
    if op == "add":
        set_policy(tx, user.id, channel.id, name, Policy.MUTED)
    elif row is not None and row.policy == Policy.MUTED:
        set_policy(tx, user.id, channel.id, name, Policy.NONE)
    return {}
