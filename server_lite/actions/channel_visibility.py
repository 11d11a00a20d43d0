"""Sends events to users who gain or lose access to a channel's metadata. Changes nothing else."""

from collections.abc import Collection

from server_lite.access.channels import visible_channel_ids
from server_lite.events.channels import (
    ChannelsCreated,
    ChannelsDeleted,
    DefaultChannelsChanged,
    PeersAdded,
)
from server_lite.ids import UserId
from server_lite.objects.channels import channel_objects
from server_lite.store import channels, subscriptions
from server_lite.store.channels import DEFAULTS, ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def visible_ids(db: Db, user: UserRow) -> frozenset[int]:
    """Return IDs of channels visible to the user: call it before their role or groups change."""
    return frozenset(visible_channel_ids(db, user))


def emit_channel_visibility(tx: Tx, user: UserRow, before: frozenset[int]) -> None:
    """After a change of role or groups, send events for the channels lost and gained since `visible_ids`."""
    now = visible_ids(tx, user)
    lost = sorted(before - now)
    if lost:
        archived = [row.id for row in channels.by_ids(tx, lost) if row.is_archived]
        tx.emit(ChannelsDeleted(channel_ids=lost, archived_ids=archived), to=[user.id])
    emit_gained_channels(tx, channels.by_ids(tx, now - before), [user.id])


def emit_new_defaults(tx: Tx, before: UserRow, after: UserRow) -> None:
    """After a change of role, send the user's default channels: guests see none."""
    if before.is_guest != after.is_guest:
        rows = [] if after.is_guest else channels.where(tx, DEFAULTS)
        tx.emit(DefaultChannelsChanged(channel_ids=[row.id for row in rows]), to=[after.id])


def emit_gained_channels(tx: Tx, rows: Collection[ChannelRow], people: Collection[UserId]) -> None:
    """Send newly visible channels, and their subscribers, to these users."""
    if not rows or not people:
        return
    tx.emit(ChannelsCreated(channels=channel_objects(tx, list(rows))), to=people)
    members = subscriptions.subscribers_of(tx, [row.id for row in rows])
    for row in rows:
        if members[row.id]:
            event = PeersAdded(
                channel_ids=[row.id],
                user_ids=members[row.id],
                archived_ids=[row.id] if row.is_archived else [],
            )
            tx.emit(event, to=people)
