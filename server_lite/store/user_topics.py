"""Rows of users' visibility policies for topics: muted, unmuted, followed. SQL only.

A row may refer to a topic without messages yet, so it contains the name and not a topic's ID.
"""

from collections.abc import Collection
from enum import IntEnum
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows
from server_lite.store.topics import name_key


class Policy(IntEnum):
    """Visibility policies, numbered as in the API; NONE has no row."""

    NONE = 0
    MUTED = 1
    UNMUTED = 2
    FOLLOWED = 3


@dataclass(frozen=True, slots=True)
class UserTopicRow:
    """A row of `user_topic`; time in UNIX seconds."""

    user_id: UserId
    channel_id: ChannelId
    name: str
    policy: int
    last_updated: float


_ROWS: Final = Rows(UserTopicRow, "user_topic", columns={"policy": "visibility_policy"})


def get(db: Db, user_id: UserId, channel_id: ChannelId, name: str) -> UserTopicRow | None:
    """Return the user's policy for the topic; None if there is none."""
    return _ROWS.one(
        db,
        "WHERE user_id = ? AND channel_id = ? AND name_key = ?",
        user_id,
        channel_id,
        name_key(name),
    )


def of_user(db: Db, user_id: UserId) -> list[UserTopicRow]:
    """Return all of a user's policies."""
    return _ROWS.all(db, "WHERE user_id = ? ORDER BY channel_id, user_topic.name_key", user_id)


def of_topic(
    db: Db, channel_id: ChannelId, name: str, *, but_spelled: str | None = None
) -> dict[int, frozenset[UserId]]:
    """Return the users with each policy for the topic, except those whose rows have this spelling."""
    rows = db.rows(  # one for each policy: thousands of users are read faster as an array
        "SELECT visibility_policy, json_group_array(user_id) FROM user_topic"
        " WHERE channel_id = ? AND name_key = ? AND name IS NOT ? GROUP BY visibility_policy",
        channel_id,
        name_key(name),
        but_spelled,
    )
    return {policy: frozenset(orjson.loads(user_ids)) for policy, user_ids in rows}


def store(
    db: Db, user_id: UserId, channel_id: ChannelId, name: str, policy: int, now: float
) -> None:
    """Set a user's policy, as `store_for` does."""
    store_for(db, [user_id], channel_id, name, policy, now)


def store_for(
    db: Db,
    user_ids: Collection[UserId],
    channel_id: ChannelId,
    name: str,
    policy: int,
    now: float,
) -> None:
    """Set the policy of users, with this spelling of the topic; NONE deletes the rows."""
    given = orjson.dumps(sorted(user_ids)).decode()
    if policy == Policy.NONE:
        db.run(
            "DELETE FROM user_topic WHERE user_id IN (SELECT value FROM json_each(?))"
            " AND channel_id = ? AND name_key = ?",
            given,
            channel_id,
            name_key(name),
        )
        return
    db.run(
        "INSERT INTO user_topic (user_id, channel_id, name_key, name, visibility_policy, last_updated)"
        " SELECT value, ?, ?, ?, ?, ? FROM json_each(?) WHERE TRUE"  # or ON would belong to the FROM
        " ON CONFLICT (user_id, channel_id, name_key) DO UPDATE SET name = excluded.name,"
        " visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated",
        channel_id,
        name_key(name),
        name,
        policy,
        now,
        given,
    )


def move(
    db: Db,
    user_ids: Collection[UserId],
    old: tuple[ChannelId, str],
    new: tuple[ChannelId, str],
    now: float,
) -> None:
    """Move the policies of users, who have one, to another topic, where they replace theirs. Topics by channel and name."""
    (old_channel, old_name), (new_channel, new_name) = old, new
    db.run(
        "UPDATE OR REPLACE user_topic SET channel_id = ?, name_key = ?, name = ?, last_updated = ?"
        " WHERE channel_id = ? AND name_key = ? AND user_id IN (SELECT value FROM json_each(?))",
        new_channel,
        name_key(new_name),
        new_name,
        now,
        old_channel,
        name_key(old_name),
        orjson.dumps(sorted(user_ids)).decode(),
    )


def muted_with_channels(db: Db, user_id: UserId) -> list[tuple[str, str, float]]:
    """Return (channel name, topic, UNIX seconds) of all topics that a user muted."""
    return [
        (channel, topic, since)
        for channel, topic, since in db.rows(
            "SELECT channel.name, user_topic.name, last_updated FROM user_topic"
            " CROSS JOIN channel ON channel.id = channel_id"
            " WHERE user_topic.user_id = ? AND visibility_policy = ? ORDER BY channel_id, user_topic.name_key",
            user_id,
            Policy.MUTED,
        )
    ]
