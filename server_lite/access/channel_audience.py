"""Audiences of channel events: the users for whom `access.channels.may_see` holds. Reads only."""

from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial

import orjson

from server_lite.access.channels import CONTENT_PERMISSIONS, METADATA_PERMISSIONS
from server_lite.access.user_groups import members_of
from server_lite.ids import ChannelId, UserId
from server_lite.store import guest_channels, subscriptions, users
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.user_groups import groups_in
from server_lite.store.users import Role


def who_may_see(db: Db, channel: ChannelRow) -> frozenset[UserId]:
    """Return active users who may see the channel and its subscribers."""
    if channel.is_web_public:
        return everybody(db)
    if channel.is_public:
        return db.cached(_members_and_guests_in, channel.id)
    return _who_may_see_private(db, channel, partial(_holders, db))


def who_may_see_each(
    db: Db, channels: Collection[ChannelRow]
) -> dict[ChannelId, frozenset[UserId]]:
    """Return what `who_may_see` does for each of these channels.

    The guests in all public ones are read at once, and a setting of many private ones is resolved once.
    """
    if len(channels) == 1:
        return {channel.id: who_may_see(db, channel) for channel in channels}
    guests_by_channel = _guests_in_each(db, channels)
    holders_by_setting: dict[bytes, frozenset[UserId]] = {}

    def holders(value: GroupSetting) -> frozenset[UserId]:
        key = orjson.dumps(value)
        if key not in holders_by_setting:
            holders_by_setting[key] = _holders(db, value)
        return holders_by_setting[key]

    private = [channel for channel in channels if not channel.is_public]
    settings = [value for channel in private for value in _named_settings(channel)]
    # A group is mostly made after those in it: what these have need not be found again.
    for value in sorted(settings, key=lambda value: max(groups_in(value), default=0)):
        holders(value)
    audiences: dict[ChannelId, frozenset[UserId]] = {}
    for channel in channels:
        if channel.is_web_public:
            audiences[channel.id] = everybody(db)
        elif channel.is_public:
            there = guests_by_channel.get(channel.id)
            audiences[channel.id] = db.cached(_members_and, there) if there else members(db)
        else:
            audiences[channel.id] = _who_may_see_private(db, channel, holders)
    return audiences


def _guests_in_each(db: Db, channels: Collection[ChannelRow]) -> dict[ChannelId, frozenset[UserId]]:
    """Return the active guests who are subscribed to the public ones of these channels; those without any are left out."""
    there: defaultdict[ChannelId, list[UserId]] = defaultdict(list)
    for guest_id, theirs in channels_of_guests(db, channels).items():
        for channel_id in theirs:
            there[channel_id].append(guest_id)
    return {channel_id: frozenset(guest_ids) for channel_id, guest_ids in there.items()}


def channels_of_guests(
    db: Db, channels: Collection[ChannelRow]
) -> dict[UserId, frozenset[ChannelId]]:
    """Return those of the public ones of these channels that each active guest is in; without guests in none."""
    ids = frozenset(channel.id for channel in channels if channel.is_public)
    if not ids:
        return {}
    by_guest = guest_channels.of_guests(db, users.guest_ids(db))
    return {guest_id: both for guest_id, theirs in by_guest.items() if (both := ids & theirs)}


def _who_may_see_private(
    db: Db, channel: ChannelRow, holders: Callable[[GroupSetting], frozenset[UserId]]
) -> frozenset[UserId]:
    subscribed = frozenset(subscriptions.subscriber_ids(db, channel.id))
    granted = frozenset[UserId]().union(*map(holders, _named_settings(channel)))
    return subscribed | users.active_ids_up_to(db, Role.ADMINISTRATOR) | (granted & members(db))


def _named_settings(channel: ChannelRow) -> list[GroupSetting]:
    """Return the settings of a private channel whose holders may see it."""
    named = map(channel.group_settings.get, METADATA_PERMISSIONS)
    return [value for value in named if value is not None]


def who_may_read(db: Db, channel: ChannelRow) -> frozenset[UserId]:
    """Return active users who may read the channel, as `access.channels.may_read` decides."""
    if channel.is_web_public:
        return everybody(db)
    if channel.is_public:
        return db.cached(_members_and_guests_in, channel.id)
    subscribed = frozenset(subscriptions.subscriber_ids(db, channel.id))
    granted: set[UserId] = set()
    for permission in CONTENT_PERMISSIONS:
        value = channel.group_settings.get(permission)
        if value is not None:
            granted |= _holders(db, value)
    return subscribed | (granted & members(db))


def _holders(db: Db, value: GroupSetting) -> frozenset[UserId]:
    if isinstance(value, dict) and not value["direct_subgroups"]:
        return frozenset(
            map(UserId, value["direct_members"])
        )  # the usual case, and cheaper than checking every user
    return members_of(db, value)


def _members_and_guests_in(db: Db, channel_id: ChannelId) -> frozenset[UserId]:
    """Return members, and guests who are subscribed: cheaper than loading all subscribers."""
    guests = db.cached(_guests)
    if guests == "[]":
        return members(db)
    there = db.column(
        "SELECT user_id FROM json_each(?) CROSS JOIN subscription ON user_id = value"
        " WHERE channel_id = ? AND active",
        guests,
        channel_id,
    )
    return db.cached(_members_and, frozenset(there))


def _members_and(db: Db, guests: frozenset[UserId]) -> frozenset[UserId]:
    """Return the same set for all channels with the same guests: it is hashed once, and equal to itself at once."""
    return members(db) | guests


def _guests(db: Db) -> str:
    """Return IDs of active guests as JSON: a channel's are asked for often, those of all change seldom."""
    return orjson.dumps(sorted(users.guest_ids(db))).decode()


def members(db: Db) -> frozenset[UserId]:
    """Return IDs of all active users except guests."""
    return users.active_ids_up_to(db, Role.MEMBER)


def everybody(db: Db) -> frozenset[UserId]:
    """Return IDs of all active users."""
    return users.active_ids(db)
