"""Joining, leaving, making and arranging channels. Raises ApiError; no Textual."""

from collections.abc import Sequence

from tui.api.model import ChannelFolderId, ChannelId, UserId
from tui.api.routes import channels as channel_routes
from tui.api.routes import subscriptions as routes
from tui.api.routes.subscriptions import NewSubscription, PropertyChange
from tui.sync.machine import Sync


async def subscribe(
    sync: Sync, channel_id: ChannelId, *, user_ids: Sequence[UserId] | None = None
) -> None:
    """Join a channel, or let others join it."""
    await routes.add(
        sync.connection,
        channels=[_new_subscription(sync.store.channel_names[channel_id])],
        user_ids=user_ids,
        invite_only=False,
        announce=False,
    )


async def unsubscribe(
    sync: Sync, channel_id: ChannelId, *, user_ids: Sequence[UserId] | None = None
) -> None:
    """Leave a channel, or remove others from it."""
    name = sync.store.channel_names[channel_id]
    await routes.remove(sync.connection, names=[name], user_ids=user_ids)


async def set_muted(sync: Sync, channel_id: ChannelId, *, muted: bool) -> None:
    """Leave a channel's messages out of counts and notifications, or not."""
    await set_property(sync, channel_id, "is_muted", muted)


async def set_pinned(sync: Sync, channel_id: ChannelId, *, pinned: bool) -> None:
    """Show a channel above the others, or not."""
    await set_property(sync, channel_id, "pin_to_top", pinned)


async def set_property(sync: Sync, channel_id: ChannelId, name: str, value: bool | str) -> None:
    """One of the person's own settings of a channel."""
    change = PropertyChange(channel_id=channel_id, property=name, value=value)
    await routes.set_properties(sync.connection, changes=[change])


async def create(
    sync: Sync,
    *,
    name: str,
    description: str,
    subscribers: Sequence[UserId],
    invite_only: bool,
    announce: bool,
    folder_id: ChannelFolderId | None = None,
    history_public_to_subscribers: bool | None = None,
) -> ChannelId:
    """Make a channel with the person and `subscribers` in it."""
    return await channel_routes.create(
        sync.connection,
        name=name,
        description=description,
        subscribers=sorted({*subscribers, sync.store.self_id}),
        invite_only=invite_only,
        announce=announce,
        folder_id=folder_id,
        topics_policy=None,
        history_public_to_subscribers=history_public_to_subscribers,
        groups={},
    )


def _new_subscription(name: str) -> NewSubscription:
    return NewSubscription(name=name, description="")
