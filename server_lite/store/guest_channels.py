"""Channels of guests who see only some users: asked at most changes, so kept in memory. SQL only.

The channels of hundreds of guests take 20 ms to read: they are kept in memory, and a subscription that starts or ends
changes them (`note_subscription`); after any other change of the table, or a rollback, they are read again.
"""

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import orjson

from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db

Channels = Mapping[UserId, frozenset[int]]
"""Users with the channels to which they are subscribed."""
_NO_CHANNELS: Final = frozenset[int]()
MOST: Final = 10_000
"""Users whose channels are kept."""


class _Kept:
    """Channels of users for the writer, valid for one generation of the table."""

    __slots__ = ("by_user", "generation")

    def __init__(self, _: Db) -> None:
        self.by_user: dict[UserId, frozenset[int]] = {}
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


def of_users(db: Db, user_ids: Collection[UserId]) -> Channels:
    """Return what `of_guests` does, read from the table."""
    by_user: dict[UserId, frozenset[int]] = dict.fromkeys(user_ids, _NO_CHANNELS)
    by_text: dict[str, frozenset[int]] = {}
    for user_id, text in db.rows(
        "SELECT user_id, json_group_array(channel_id) FROM subscription"
        " WHERE user_id IN (SELECT value FROM json_each(?)) AND active GROUP BY user_id",
        orjson.dumps(sorted(user_ids)).decode(),
    ):
        if text not in by_text:  # many users are in the same channels
            by_text[text] = frozenset(orjson.loads(text))
        by_user[user_id] = by_text[text]
    return by_user


def note_subscription(
    db: Db, before: tuple[int, ...], user_id: UserId, channel_id: ChannelId, *, active: bool | None
) -> None:
    """Note that a subscription started or ended, or another change of it (`active` None), by the only statement since
    the table's generation was `before`.
    """
    kept = db.kept(_Kept)
    if kept.generation != before:
        return
    kept.generation = db.generations("subscription")
    had = kept.by_user.get(user_id)
    if had is not None and active is not None:
        kept.by_user[user_id] = had | {channel_id} if active else had - {channel_id}
