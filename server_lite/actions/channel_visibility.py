"""Sends events to users who gain or lose access to a channel's metadata. Changes nothing else."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from server_lite.access.channel_audience import members, who_may_see_each
from server_lite.access.channels import METADATA_PERMISSIONS, visible_channel_ids
from server_lite.events.channels import (
    ChannelsCreated,
    ChannelsDeleted,
    DefaultChannelsChanged,
    PeersAdded,
)
from server_lite.ids import UserId
from server_lite.objects.channels import channel_objects
from server_lite.store import channels, subscriptions, user_groups, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.user_groups import GroupSetting, groups_in
from server_lite.store.users import Role, UserRow

CHANNELS: Final = 20
"""Channels that users gain at once by events."""
SUBSCRIBERS: Final = 10_000
"""Subscribers of all channels that users gain at once by events."""
SETTINGS: Final = 5
"""Settings of channels whose holders are resolved when a group in them changes."""
GROUPS: Final = 500
"""Groups in those settings, with all that they contain."""


def visible_ids(db: Db, user: UserRow) -> frozenset[int]:
    """Return IDs of channels visible to the user: call it before their role or groups change."""
    return frozenset(visible_channel_ids(db, user))


def emit_channel_visibility(tx: Tx, user: UserRow, before: frozenset[int]) -> None:
    """After a change of role or groups, send events for the channels lost and gained since `visible_ids`."""
    now = visible_ids(tx, user)
    _emit_lost_channels(tx, sorted(before - now), [user.id])
    emit_gained_channels(tx, channels.by_ids(tx, now - before), [user.id])


@contextmanager
def tracking_channel_visibility(
    tx: Tx, group_id: int, people: Collection[UserId]
) -> Iterator[None]:
    """Send the channels that these users lose and gain by a change of a group's members within the block.

    Users who lose and gain the same share the events. If the group opens many channels, clients register again.
    """
    groups = user_groups.containing(tx, frozenset({group_id}))
    rows = _opened_by(tx, groups)
    if len(rows) > CHANNELS or _are_many(tx, _settings_with(rows, groups)):
        yield
        all_along = users.active_ids_up_to(tx, Role.ADMINISTRATOR)
        tx.end_queues(members(tx).intersection(people) - all_along)
        return
    before = who_may_see_each(tx, rows)
    yield
    after = who_may_see_each(tx, rows)
    lost: defaultdict[UserId, list[int]] = defaultdict(list)
    gained: defaultdict[UserId, list[int]] = defaultdict(list)
    for row in rows:
        was, now = before[row.id], after[row.id]
        for changes, changed in ((lost, was - now), (gained, now - was)):
            for user_id in changed.intersection(people):
                changes[user_id].append(row.id)
    alike: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], set[UserId]] = defaultdict(set)
    for user_id in lost.keys() | gained.keys():
        alike[tuple(lost[user_id]), tuple(gained[user_id])].add(user_id)
    for (lost_ids, gained_ids), user_ids in sorted(alike.items()):
        _emit_lost_channels(tx, lost_ids, user_ids)
        emit_gained_channels(tx, channels.by_ids(tx, gained_ids), user_ids)


def _opened_by(db: Db, groups: frozenset[int]) -> list[ChannelRow]:
    """Return the private channels with a permission that refers to one of the groups."""
    private = channels.where(db, "channel.invite_only AND channel.group_settings != '{}'")
    return [channel for channel in private if _settings_with([channel], groups)]


def _settings_with(rows: Collection[ChannelRow], groups: frozenset[int]) -> list[GroupSetting]:
    """Return the settings of these channels that refer to one of the groups."""
    return [
        value
        for channel in rows
        for permission in METADATA_PERMISSIONS
        if (value := channel.group_settings.get(permission)) is not None
        and not groups.isdisjoint(groups_in(value))
    ]


def _are_many(db: Db, settings: Collection[GroupSetting]) -> bool:
    """Whether resolving the holders of these settings takes too long for a change."""
    named = frozenset(group_id for value in settings for group_id in groups_in(value))
    return (
        len({str(value) for value in settings}) > SETTINGS
        or len(user_groups.contained(db, named)) > GROUPS
    )


def _emit_lost_channels(tx: Tx, ids: Collection[int], people: Collection[UserId]) -> None:
    if ids:
        archived = [row.id for row in channels.by_ids(tx, ids) if row.is_archived]
        tx.emit(ChannelsDeleted(channel_ids=list(ids), archived_ids=archived), to=people)


def emit_new_defaults(tx: Tx, before: UserRow, after: UserRow) -> None:
    """After a change of role, send the user's default channels: guests see none."""
    if before.is_guest != after.is_guest:
        rows = [] if after.is_guest else channels.defaults(tx)
        tx.emit(DefaultChannelsChanged(channel_ids=[row.id for row in rows]), to=[after.id])


def emit_gained_channels(tx: Tx, rows: Collection[ChannelRow], people: Collection[UserId]) -> None:
    """Send newly visible channels, and their subscribers, to these users; for many, their clients register again."""
    if not rows or not people:
        return
    ids = [row.id for row in rows]
    if len(ids) > CHANNELS or (
        len(ids) > 1 and sum(subscriptions.subscriber_counts(tx, ids).values()) > SUBSCRIBERS
    ):
        tx.end_queues(people)
        return
    tx.emit(ChannelsCreated(channels=channel_objects(tx, list(rows))), to=people)
    members = subscriptions.subscribers_of(tx, ids)
    for row in rows:
        if members[row.id]:
            event = PeersAdded(
                channel_ids=[row.id],
                user_ids=members[row.id],
                archived_ids=[row.id] if row.is_archived else [],
            )
            tx.emit(event, to=people)
