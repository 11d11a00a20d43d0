"""Snapshot: the user's newest, unread and starred messages. Reads only."""

from collections.abc import Sequence
from typing import Final

from orjson import Fragment

from server_lite.ids import UserId
from server_lite.narrow.query import query
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import conversations, flags, subscriptions, unread_messages, unread_places
from server_lite.store.connection import Db
from server_lite.store.unread_places import UnreadPlace

MAX_UNREAD: Final = 50_000
"""Maximum of unread messages listed; older ones are left out."""
MAX_CONVERSATIONS: Final = 1000


def newest(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `max_message_id`: the newest message of the user's own history; -1 without messages."""
    ids = query(db, request.user, []).ids(db, limit=1, newest=True) if request.user.id else []
    return {"max_message_id": ids[0] if ids else -1}


def starred(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `starred_messages`: IDs, ascending, unreadable ones included.

    Unsubscribing removes no star, and no event sends stars when access is regained.
    """
    return {"starred_messages": flags.ids_with(db, request.user.id, "starred")}


def recent_conversations(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `recent_private_conversations`, most recent first."""
    objects = conversations.recent(db, request.user.id, MAX_CONVERSATIONS)
    return {"recent_private_conversations": Fragment(f"[{','.join(objects)}]")}


def unread(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `unread_msgs`, for clients that want both messages and flags."""
    user_id = request.user.id
    beyond = unread_messages.newest_beyond(db, user_id, MAX_UNREAD)
    above = beyond or 0
    places = unread_places.places(db, user_id, above=above)
    quiet = _quiet_topics(db, user_id, places)
    return {
        "unread_msgs": {
            "count": sum(one.unread_count for one in places if one.topic_id not in quiet),
            **_direct(db, user_id, [place for place in places if place.topic_id is None]),
            "streams": [
                {
                    "stream_id": place.channel_id,
                    "topic": request.shape.topic(place.topic or ""),
                    "unread_message_ids": Fragment(place.ids),
                }
                for place in places
                if place.topic_id is not None
            ],
            "mentions": sorted(
                {
                    mention.message_id
                    for mention in unread_places.with_flags(
                        db, user_id, flags.MENTIONS, above=above
                    )
                    # Wildcard mentions count only outside muted channels and topics.
                    if mention.flag == flags.MENTIONED or mention.topic_id not in quiet
                }
            ),
            "old_unreads_missing": beyond is not None,
        }
    }


def _quiet_topics(db: Db, user_id: UserId, places: Sequence[UnreadPlace]) -> frozenset[int]:
    """Return which of the topics are muted, or in a muted channel."""
    muted = subscriptions.muted_channel_ids(db, user_id)
    policies = flags.topic_policies(db, user_id) if places else {}
    if not muted and not policies:
        return frozenset()
    return frozenset(
        place.topic_id
        for place in places
        if place.topic_id is not None
        and not flags.is_unmuted(place.channel_id in muted, policies.get(place.topic_id, 0))
    )


def _direct(db: Db, user_id: UserId, unread_in: Sequence[UnreadPlace]) -> dict[str, object]:
    ids = {place.conversation_id: Fragment(place.ids) for place in unread_in}
    together = conversations.by_ids(db, [one for one in ids if one is not None])
    pairs: list[dict[str, object]] = []
    groups: list[dict[str, object]] = []
    for conversation_id, conversation in sorted(together.items()):
        members, unread_ids = conversation.members, ids[conversation_id]
        if len(members) > 2:
            key = ",".join(map(str, members))
            groups.append({"user_ids_string": key, "unread_message_ids": unread_ids})
        else:
            other = next((member for member in members if member != user_id), user_id)
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
