"""A user's unread messages by place, and those that mention the user. SQL only."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from server_lite.ids import MessageId, TopicId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db, placeholders
from server_lite.store.shared_flags import ANY_FLAG
from server_lite.store.unread_messages import WAITING_OF_USER, indexed_until


class UnreadPlaces(NamedTuple):
    """Where a user has unread messages: their IDs, ascending."""

    by_topic: dict[TopicId, list[MessageId]]
    by_conversation: dict[int, list[MessageId]]


def places(db: Db, user_id: UserId, *, above: int) -> UnreadPlaces:
    """Return a user's unread messages above an ID by their places."""
    listed = (
        "unread_by_user AS listed CROSS JOIN message ON message.id = listed.message_id"
        f" WHERE listed.user_id = ? AND listed.message_id > ?{outdated_rows.unread_counts(db, 'listed')}"
    )
    ids_by_place: defaultdict[int, list[MessageId]] = defaultdict(list)
    for unread, after in (
        (listed, above),
        (WAITING_OF_USER, max(above, indexed_until(db, user_id))),
    ):
        # Two arrays as texts: a row for each message would take three times as long.
        row = db.row(
            "SELECT json_group_array(coalesce(topic_id, -conversation_id)),"
            f" json_group_array(message.id) FROM {unread}",
            user_id,
            after,
        )
        assert row is not None
        for place, message_id in zip(*map(orjson.loads, row), strict=True):
            ids_by_place[place].append(message_id)
    for ids in ids_by_place.values():
        ids.sort()
    return UnreadPlaces(
        {TopicId(place): ids for place, ids in ids_by_place.items() if place > 0},
        {-place: ids for place, ids in ids_by_place.items() if place < 0},
    )


class UnreadMention(NamedTuple):
    """An unread message that mentions the user, and its place."""

    message_id: MessageId
    flag: str
    topic_id: TopicId | None


def with_flags(db: Db, user_id: UserId, flags: Sequence[str], *, above: int) -> list[UnreadMention]:
    """Return a user's unread messages above an ID with one of these stored flags, a row for each flag."""
    sql = (
        f"SELECT any_flag.message_id, any_flag.flag, message.topic_id FROM {ANY_FLAG} AS any_flag CROSS JOIN {{}} AS unread"
        " ON unread.user_id = any_flag.user_id AND unread.message_id = any_flag.message_id"
        " CROSS JOIN message ON message.id = any_flag.message_id WHERE any_flag.user_id = ?"
        f" AND any_flag.flag IN ({placeholders(flags)}) AND any_flag.message_id > ?"
    )
    listed = f"{sql.format('unread_by_user')}{outdated_rows.unread_counts(db, 'unread')}"
    rows = db.rows(
        f"{listed} UNION ALL {sql.format('unread')}",
        user_id,
        *flags,
        above,
        user_id,
        *flags,
        max(above, indexed_until(db, user_id)),
    )
    return [UnreadMention(*row) for row in rows]
