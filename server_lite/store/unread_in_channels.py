"""Unread messages of many users in some channels, read by few statements. SQL only.

For those who are unsubscribed together. See `unread_messages` for the two tables.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

import orjson

from server_lite.ids import ChannelId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db
from server_lite.store.unread_messages import indexed_until


def count_examined(
    db: Db, user_ids: Collection[UserId], channel_ids: Collection[ChannelId], *, most: int
) -> dict[UserId, int]:
    """Return how many messages `of_users` examines at most for each of these users, counted up to `most`."""
    waiting: int = db.value(
        "SELECT count(*) FROM (SELECT 1 FROM json_each(?) CROSS JOIN message"
        " ON channel_id = value AND message.id > ? LIMIT ?)",
        *(_json(channel_ids), _least_listed(db, user_ids), most),
    )
    return {
        user_id: min(most, listed + waiting)
        for user_id, listed in db.rows(
            "SELECT value, (SELECT count(*) FROM (SELECT 1 FROM unread_by_user WHERE user_id = value LIMIT ?))"
            " FROM json_each(?)",
            *(most, _json(user_ids)),
        )
    }


def of_users(
    db: Db, above: Mapping[UserId, int], channel_ids: Collection[ChannelId]
) -> dict[UserId, list[int]]:
    """Return the unread messages of users in these channels, above an ID for each user; those without any are left out."""
    ids_by_user: defaultdict[UserId, list[int]] = defaultdict(list)
    for user_id, ids in db.rows(
        "SELECT user_id, json_group_array(listed.message_id) FROM json_each(?) AS person"
        " CROSS JOIN unread_by_user AS listed ON user_id = person.value ->> 0"
        " AND listed.message_id > person.value ->> 1"
        " CROSS JOIN message ON message.id = listed.message_id"
        " WHERE channel_id IN (SELECT value FROM json_each(?))"
        f"{outdated_rows.unread_counts(db, 'listed')} GROUP BY user_id",
        *(orjson.dumps(sorted(above.items())).decode(), _json(channel_ids)),
    ):
        ids_by_user[user_id] = orjson.loads(ids)
    for message_id, user_ids in db.rows(
        "SELECT message.id, json_group_array(user_id) FROM json_each(?) AS place CROSS JOIN message"
        " ON channel_id = place.value AND message.id > ? CROSS JOIN json_each(?) AS person"
        " CROSS JOIN unread ON message_id = message.id AND user_id = person.value GROUP BY message.id",
        *(_json(channel_ids), _least_listed(db, above), _json(above)),
    ):
        for user_id in orjson.loads(user_ids):
            if message_id > max(above[user_id], indexed_until(db, user_id)):
                ids_by_user[user_id].append(message_id)
    return {user_id: sorted(ids) for user_id, ids in ids_by_user.items()}


def _least_listed(db: Db, user_ids: Iterable[UserId]) -> int:
    return min((indexed_until(db, user_id) for user_id in user_ids), default=0)


def _json(ids: Iterable[int]) -> str:
    return orjson.dumps(sorted(ids)).decode()
