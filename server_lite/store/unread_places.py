"""A user's unread messages by place. SQL only."""

from collections import defaultdict
from typing import NamedTuple, cast

import orjson

from server_lite.ids import MessageId, TopicId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db
from server_lite.store.unread_messages import WAITING_OF_USER, indexed_until


class UnreadPlaces(NamedTuple):
    """A user's unread messages: all IDs, and those of each place; ascending."""

    ids: list[MessageId]
    by_topic: dict[TopicId, list[MessageId]]
    by_conversation: dict[int, list[MessageId]]


def places(db: Db, user_id: UserId, *, above: int) -> UnreadPlaces:
    """Return a user's unread messages above an ID by their places."""
    listed = (
        "unread_by_user AS listed CROSS JOIN message_place USING (message_id)"
        f" WHERE listed.user_id = ? AND listed.message_id > ?{outdated_rows.unread_counts(db, 'listed')}"
    )
    ids: list[MessageId] = []
    ids_by_place: defaultdict[int, list[MessageId]] = defaultdict(list)
    for place, unread, after in (
        ("place", listed, above),
        (
            "coalesce(topic_id, -conversation_id)",
            WAITING_OF_USER,
            max(above, indexed_until(db, user_id)),
        ),
    ):
        # Two arrays as texts: a row for each message would take three times as long. In the order of the walk, by ID.
        row = db.row(
            f"SELECT json_group_array({place}), json_group_array(message_id) FROM {unread}",
            user_id,
            after,
        )
        assert row is not None
        places, some = map(orjson.loads, row)
        ids += some
        for place_id, message_id in zip(places, some, strict=True):
            ids_by_place[place_id].append(message_id)
    by_topic = {place: ids for place, ids in ids_by_place.items() if place > 0}
    return UnreadPlaces(
        ids,
        cast(dict[TopicId, list[MessageId]], by_topic),
        {-place: ids for place, ids in ids_by_place.items() if place < 0},
    )
