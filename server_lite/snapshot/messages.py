"""Snapshot: the user's newest, unread and starred messages. Reads only."""

from collections.abc import Mapping, Sequence
from operator import add
from typing import Final

from orjson import Fragment, dumps

from server_lite.ids import MessageId, TopicId, UserId
from server_lite.narrow.query import query
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import (
    conversations,
    flags,
    subscriptions,
    topics,
    unread_messages,
    unread_places,
)
from server_lite.store.connection import Db
from server_lite.store.topics import TopicName

MAX_UNREAD: Final = 50_000
"""Maximum of unread messages listed; older ones are left out."""
MAX_CONVERSATIONS: Final = 1000


class _Starts(dict[TopicId, bytes]):
    """Beginnings of topics' objects in `streams`, up to the first of their unread messages."""

    __slots__ = ()


def newest(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `max_message_id`: the newest message of the user's own history; -1 without messages."""
    ids = query(db, request.user, []).ids(db, limit=1, newest=True) if request.user.id else []
    return {"max_message_id": ids[0] if ids else -1}


def starred(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `starred_messages`: IDs, ascending, unreadable ones included.

    Unsubscribing removes no star, and no event sends stars when access is regained.
    """
    return {"starred_messages": Fragment(flags.ids_with(db, request.user.id, "starred"))}


def recent_conversations(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `recent_private_conversations`, most recent first."""
    recent = conversations.recent_as_json(db, request.user.id, MAX_CONVERSATIONS)
    return {"recent_private_conversations": recent}


def unread(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `unread_msgs`, for clients that want both messages and flags."""
    user_id = request.user.id
    beyond = unread_messages.newest_beyond(db, user_id, MAX_UNREAD)
    unread = unread_places.places(db, user_id, above=beyond or 0)
    by_topic = unread.by_topic
    topics_by_name = topics.names(db, by_topic)
    muted_ids = [
        message_id
        for topic_id in _muted(db, user_id, topics_by_name)
        for message_id in by_topic[topic_id]
    ]
    return {
        "unread_msgs": {
            "count": len(unread.ids) - len(muted_ids),
            **_direct(db, user_id, unread.by_conversation),
            "streams": _streams(db, topics_by_name, by_topic, request.shape.topic("")),
            "mentions": _mentions(db, user_id, unread.ids, muted_ids),
            "old_unreads_missing": beyond is not None,
        }
    }


def _streams(
    db: Db,
    names: Sequence[TopicName],
    ids_by_topic: Mapping[TopicId, list[MessageId]],
    no_topic: str,
) -> Fragment:
    """Return `streams`: an object for each topic.

    All lists are encoded at once, and put after the objects' kept beginnings: half of what 10,000 objects cost.
    """
    memo = db.memo(_Starts, "topic")
    starts = memo.setdefault(no_topic, _Starts())
    if len(starts) > topics.KNOWN_NAMES:
        starts = memo[no_topic] = _Starts()
    for name in names:
        if name[2] not in starts:
            starts[name[2]] = _start_of(name, no_topic)
    if not names:
        return Fragment(b"[]")
    lists = dumps([ids_by_topic[name[2]] for name in names])[2:-2].split(b"],[")
    objects = map(add, [starts[name[2]] for name in names], lists)
    return Fragment(b"[%b]}]" % b"]},".join(objects))


def _start_of(name: TopicName, no_topic: str) -> bytes:
    channel_id, topic, _ = name
    empty = {"stream_id": channel_id, "topic": topic or no_topic, "unread_message_ids": ()}
    return dumps(empty)[:-2]


def _muted(db: Db, user_id: UserId, names: Sequence[TopicName]) -> list[TopicId]:
    """Return which of the topics are muted, by themselves or with their channels."""
    channels = subscriptions.muted_channel_ids(db, user_id)
    policies = flags.topic_policies(db, user_id) if names else {}
    return [
        topic_id
        for channel_id, _, topic_id in names
        if (channel_id in channels or topic_id in policies)
        and not flags.is_unmuted(channel_id in channels, policies.get(topic_id, 0))
    ]


def _mentions(
    db: Db, user_id: UserId, unread: Sequence[MessageId], muted: Sequence[MessageId]
) -> list[MessageId]:
    """Return the unread messages that mention the user; by a wildcard only outside muted channels and topics."""
    if not unread:
        return []
    by_name, by_wildcard = flags.mentions(db, user_id, since=unread[0])
    return sorted((by_name | by_wildcard.difference(muted)).intersection(unread))


def _direct(
    db: Db, user_id: UserId, by_conversation: Mapping[int, list[MessageId]]
) -> dict[str, object]:
    pairs: list[dict[str, object]] = []
    groups: list[dict[str, object]] = []
    me = str(user_id)
    for conversation_id, members in conversations.members_by_id(db, by_conversation):
        unread_ids = by_conversation[conversation_id]
        first, _, second = members.partition(",")
        if "," in second:
            groups.append({"user_ids_string": members, "unread_message_ids": unread_ids})
        else:
            other = int(second if second and first == me else first)
            # `sender_id` is the deprecated name of `other_user_id`.
            pairs.append(
                {"other_user_id": other, "sender_id": other, "unread_message_ids": unread_ids}
            )
    return {"pms": pairs, "huddles": groups}


SECTIONS: Final[dict[str, Section]] = {
    "message": newest,
    "starred_messages": starred,
    "recent_private_conversations": recent_conversations,
}
