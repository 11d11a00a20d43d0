"""Sends events to users who gain or lose access to a channel's metadata. Changes nothing else."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from server_lite.access.channel_audience import who_may_see
from server_lite.access.channels import METADATA_PERMISSIONS, visible_channel_ids
from server_lite.access.group_settings import refers_to
from server_lite.events.channels import (
    ChannelsCreated,
    ChannelsDeleted,
    DefaultChannelsChanged,
    PeersAdded,
)
from server_lite.ids import UserId
from server_lite.objects.channels import channel_objects
from server_lite.store import channels, subscriptions, user_groups
from server_lite.store.channels import DEFAULTS, ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

CHANNELS: Final = 20
"""Channels that users gain at once by events."""
SUBSCRIBERS: Final = 10_000
"""Subscribers of all channels that users gain at once by events."""


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

    Users who lose and gain the same share the events.
    """
    rows = _opened_by(tx, group_id)
    before = {row.id: who_may_see(tx, row) for row in rows}
    yield
    lost: defaultdict[UserId, list[int]] = defaultdict(list)
    gained: defaultdict[UserId, list[int]] = defaultdict(list)
    for row in rows:
        now = who_may_see(tx, row)
        for changes, changed in ((lost, before[row.id] - now), (gained, now - before[row.id])):
            for user_id in changed.intersection(people):
                changes[user_id].append(row.id)
    alike: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], set[UserId]] = defaultdict(set)
    for user_id in lost.keys() | gained.keys():
        alike[tuple(lost[user_id]), tuple(gained[user_id])].add(user_id)
    for (lost_ids, gained_ids), users in sorted(alike.items()):
        _emit_lost_channels(tx, lost_ids, users)
        emit_gained_channels(tx, channels.by_ids(tx, gained_ids), users)


def _opened_by(db: Db, group_id: int) -> list[ChannelRow]:
    """Return the private channels with a permission that refers to the group, or to a group that contains it."""
    groups = user_groups.containing(db, frozenset({group_id}))
    return [
        channel
        for channel in channels.where(db, "channel.invite_only")
        if any(
            refers_to(channel.group_settings.get(permission), one)
            for permission in METADATA_PERMISSIONS
            for one in groups
        )
    ]


def _emit_lost_channels(tx: Tx, ids: Collection[int], people: Collection[UserId]) -> None:
    if ids:
        archived = [row.id for row in channels.by_ids(tx, ids) if row.is_archived]
        tx.emit(ChannelsDeleted(channel_ids=list(ids), archived_ids=archived), to=people)


def emit_new_defaults(tx: Tx, before: UserRow, after: UserRow) -> None:
    """After a change of role, send the user's default channels: guests see none."""
    if before.is_guest != after.is_guest:
        rows = [] if after.is_guest else channels.where(tx, DEFAULTS)
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
