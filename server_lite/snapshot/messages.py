"""Initial state: my messages in numbers: the newest, the unread, the starred. Reads only."""

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from server_lite.ids import MessageId
from server_lite.narrow.query import query
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import conversations, flags, subscriptions
from server_lite.store.connection import Db

MAX_UNREAD: Final = 50_000
"""Older unread messages than these are not listed."""
MAX_CONVERSATIONS: Final = 1000


def newest(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """`max_message_id`: the newest message of my own history; -1 when there is none."""
    ids = query(db, asked.user, []).ids(db, limit=1, newest=True) if asked.user.id else []
    return {"max_message_id": ids[0] if ids else -1}


def starred(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """`starred_messages`: ids, ascending, also where they can not be read at the moment.

    Leaving a channel takes no star away, and nobody is told of stars when they come back.
    """
    return {"starred_messages": flags.ids_with(db, asked.user.id, "starred")}


def recent_conversations(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """`recent_private_conversations`, the most recent first."""
    mine = conversations.recent(db, asked.user.id, MAX_CONVERSATIONS)
    return {
        "recent_private_conversations": [
            {
                "max_message_id": one.max_id,
                "user_ids": [member for member in one.members if member != asked.user.id],
            }
            for one in mine
        ]
    }


def unread(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """`unread_msgs`, for clients that want both messages and flags."""
    user_id = asked.user.id
    rows = flags.unread_with_places(db, user_id, MAX_UNREAD + 1)
    missing = len(rows) > MAX_UNREAD
    in_topics: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    direct: defaultdict[int, list[int]] = defaultdict(list)
    loud = _loud_topics(db, user_id)
    counted: set[MessageId] = set()
    for message_id, channel_id, topic_id, topic, conversation_id in reversed(rows[:MAX_UNREAD]):
        if conversation_id is not None:
            direct[conversation_id].append(message_id)
            counted.add(message_id)
            continue
        assert channel_id is not None
        assert topic_id is not None
        in_topics[channel_id, topic or ""].append(message_id)
        if loud(channel_id, topic_id):
            counted.add(message_id)
    listed = {row[0] for row in rows[:MAX_UNREAD]}
    return {
        "unread_msgs": {
            "count": len(counted),
            **_direct(db, user_id, direct),
            "streams": [
                {
                    "stream_id": channel_id,
                    "topic": asked.shape.topic(topic),
                    "unread_message_ids": ids,
                }
                for (channel_id, topic), ids in sorted(in_topics.items())
            ],
            "mentions": _mentions(db, user_id, listed, counted),
            "old_unreads_missing": missing,
        }
    }


def _loud_topics(db: Db, user_id: int) -> Callable[[int, int], bool]:
    muted = {one.channel_id for one in subscriptions.of_user(db, user_id) if one.is_muted}
    policies = flags.topic_policies(db, user_id)
    return lambda channel_id, topic_id: flags.is_loud(
        channel_id in muted, policies.get(topic_id, 0)
    )


def _direct(db: Db, user_id: int, unread_in: dict[int, list[int]]) -> dict[str, object]:
    together = conversations.by_ids(db, unread_in)
    pairs: list[dict[str, object]] = []
    groups: list[dict[str, object]] = []
    for conversation_id, ids in sorted(unread_in.items()):
        members = together[conversation_id].members
        if len(members) > 2:
            key = ",".join(map(str, members))
            groups.append({"user_ids_string": key, "unread_message_ids": ids})
        else:
            other = next((member for member in members if member != user_id), user_id)
            # `sender_id` is what `other_user_id` was called first.
            pairs.append({"other_user_id": other, "sender_id": other, "unread_message_ids": ids})
    return {"pms": pairs, "huddles": groups}


def _mentions(db: Db, user_id: int, listed: set[MessageId], counted: set[MessageId]) -> list[int]:
    """Direct mentions, and wildcard mentions where nothing is muted."""
    direct = listed.intersection(flags.ids_with(db, user_id, "mentioned"))
    wild = counted.intersection(
        flags.ids_with(db, user_id, flags.CHANNEL_WILDCARD),
    ) | counted.intersection(flags.ids_with(db, user_id, flags.TOPIC_WILDCARD))
    return sorted(direct | wild)


SECTIONS: Final[dict[str, Section]] = {
    "message": newest,
    "starred_messages": starred,
    "recent_private_conversations": recent_conversations,
}
