"""Channels of guests, who are asked for at most changes of channels and users: kept in memory. SQL only.

The channels of hundreds of guests take 20 ms to read: they are kept in memory, and a subscription that starts or ends
changes them (`note_subscriptions`); after any other change of the table, or a rollback, they are read again.
"""

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import orjson

from server_lite.ids import ChannelId, UserId
from server_lite.store import users
from server_lite.store.connection import Db

Channels = Mapping[UserId, frozenset[ChannelId]]
"""Users with the channels to which they are subscribed."""
_NO_CHANNELS: Final = frozenset[ChannelId]()
MOST: Final = 10_000
"""Users whose channels are kept."""


class _Kept:
    """Channels of users for the writer, valid for one generation of the table."""

    __slots__ = ("by_user", "generation")

    def __init__(self, _: Db) -> None:
        self.by_user: dict[UserId, frozenset[ChannelId]] = {}
        self.generation: tuple[int, ...] = ()


def of_guests(db: Db, user_ids: AbstractSet[UserId]) -> Channels:
    """Return the channels of each of these users."""
    generation = db.generations("subscription")
    if not (db.can_write and generation):  # threads that read see other generations
        return db.cached(of_users, frozenset(user_ids))
    kept = db.kept(_Kept)
    if kept.generation != generation or len(kept.by_user) > MOST:
        kept.by_user.clear()
        kept.generation = generation
    missing = user_ids - kept.by_user.keys()
    if missing:
        kept.by_user.update(of_users(db, missing))
    return {user_id: kept.by_user[user_id] for user_id in user_ids}


def keep_all(db: Db) -> None:
    """Read the channels of all guests, if they are not kept: before a change waits for it."""
    of_guests(db, users.guest_ids(db))


def of_users(db: Db, user_ids: Collection[UserId]) -> Channels:
    """Return what `of_guests` does, read from the table."""
    by_user: dict[UserId, frozenset[ChannelId]] = dict.fromkeys(user_ids, _NO_CHANNELS)
    by_text: dict[str, frozenset[ChannelId]] = {}
    for user_id, text in db.rows(
        "SELECT user_id, json_group_array(channel_id) FROM subscription"
        " WHERE user_id IN (SELECT value FROM json_each(?)) AND active GROUP BY user_id",
        orjson.dumps(sorted(user_ids)).decode(),
    ):
        if text not in by_text:  # many users are in the same channels
            by_text[text] = frozenset(orjson.loads(text))
        by_user[user_id] = by_text[text]
    return by_user


def note_subscriptions(
    db: Db,
    before: tuple[int, ...],
    changed: Mapping[UserId, Collection[ChannelId]],
    *,
    active: bool | None,
) -> None:
    """Note that subscriptions started or ended, or another change of them (`active` None), by the only statement since
    the table's generation was `before`.
    """
    kept = db.kept(_Kept)
    if kept.generation != before:
        return
    kept.generation = db.generations("subscription")
    if active is None:
        return
    for user_id, channel_ids in changed.items():
        had = kept.by_user.get(user_id)
        if had is not None:
            kept.by_user[user_id] = (
                had.union(channel_ids) if active else had.difference(channel_ids)
            )
