"""Telling people that channels came into their sight or went out of it. Changes nothing else."""

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
    """The channels the person may know of: ask before their role or groups change."""
    return frozenset(visible_channel_ids(db, user))


def emit_channel_visibility(tx: Tx, user: UserRow, before: frozenset[int]) -> None:
    """The person's role or groups changed: tell what `visible_ids` were lost and gained."""
    now = visible_ids(tx, user)
    lost = sorted(before - now)
    if lost:
        archived = [row.id for row in channels.by_ids(tx, lost) if row.is_archived]
        tx.emit(ChannelsDeleted(channel_ids=lost, archived_ids=archived), to=[user.id])
    emit_gained_channels(tx, channels.by_ids(tx, now - before), [user.id])


def emit_new_defaults(tx: Tx, before: UserRow, after: UserRow) -> None:
    """The person's role changed: guests are shown no default channels."""
    if before.is_guest != after.is_guest:
        rows = [] if after.is_guest else channels.where(tx, DEFAULTS)
        tx.emit(DefaultChannelsChanged(channel_ids=[row.id for row in rows]), to=[after.id])


def emit_gained_channels(tx: Tx, rows: Collection[ChannelRow], people: Collection[UserId]) -> None:
    """Tell people of channels that they may know of from now on, and who is in them."""
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
