"""Channels: joining, leaving, creating, changing. Raises ApiError; no Textual."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from tui.api.connection import Connection
from tui.api.features import CHANNEL_CREATION
from tui.api.model import ChannelFolderId, ChannelId, GroupSetting, UserId
from tui.api.routes import channels as channel_routes
from tui.api.routes import subscriptions as routes
from tui.api.routes.channels import GroupChange
from tui.api.routes.subscriptions import NewSubscription, PropertyChange
from tui.api.wire import UNSET, Unset
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError, NotSupported
from tui.narrow import TopicNarrow
from tui.sync.machine import Sync
from tui.view.channels import FOREVER, Privacy


async def subscribe(
    sync: Sync, channel_id: ChannelId, *, user_ids: Sequence[UserId] | None = None
) -> None:
    """Subscribe the user to a channel, or others."""
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
    """Unsubscribe the user from a channel, or others."""
    name = sync.store.channel_names[channel_id]
    await routes.remove(sync.connection, names=[name], user_ids=user_ids)


async def set_muted(sync: Sync, channel_id: ChannelId, *, muted: bool) -> None:
    """Mute or unmute a channel: its messages do not count or notify."""
    await set_property(sync, channel_id, "is_muted", muted)


async def set_pinned(sync: Sync, channel_id: ChannelId, *, pinned: bool) -> None:
    """Pin or unpin a channel."""
    await set_property(sync, channel_id, "pin_to_top", pinned)


async def set_property(
    sync: Sync, channel_id: ChannelId, name: str, value: bool | str | None
) -> None:
    """Change one of the user's own settings of a channel."""
    await set_properties(sync, channel_id, {name: value})


async def set_properties(
    sync: Sync, channel_id: ChannelId, values: Mapping[str, bool | str | None]
) -> None:
    """Change several of them: all or none."""
    changes = [
        PropertyChange(channel_id=channel_id, property=name, value=value)
        for name, value in values.items()
    ]
    await routes.set_properties(sync.connection, changes=changes)


async def create(
    sync: Sync,
    *,
    name: str,
    description: str,
    subscribers: Sequence[UserId],
    privacy: Privacy,
    announce: bool = False,
    folder_id: ChannelFolderId | None = None,
    topics_policy: str | None = None,
    groups: Mapping[str, GroupSetting] = MappingProxyType({}),
) -> ChannelId:
    """Create a channel with the user and `subscribers`; return its ID. Raises ConfigError if the name is
    taken.
    """
    readers = _READERS[privacy]
    if not CHANNEL_CREATION.is_in(sync.store.realm.feature_level):
        # Old servers create a channel by subscribing to a new name; an existing one would be joined.
        if sync.store.channel_id(name) is not None:
            raise ConfigError(f"There is already a channel called “{sanitize_line(name)}”.")
        await routes.add(
            sync.connection,
            channels=[NewSubscription(name=name, description=description)],
            user_ids=sorted({*subscribers, sync.store.self_id}),
            invite_only=readers.is_private,
            announce=announce,
            is_web_public=readers.is_web_public or None,
            history_public_to_subscribers=readers.history_public,
        )
        return await channel_routes.get_id(sync.connection, name=name)
    return await channel_routes.create(
        sync.connection,
        name=name,
        description=description,
        subscribers=sorted({*subscribers, sync.store.self_id}),
        invite_only=readers.is_private,
        is_web_public=readers.is_web_public,
        announce=announce,
        folder_id=folder_id,
        topics_policy=topics_policy,
        history_public_to_subscribers=readers.history_public,
        groups=groups,
    )


async def update(
    sync: Sync,
    channel_id: ChannelId,
    *,
    name: str | None = None,
    description: str | None = None,
    privacy: Privacy | None = None,
    folder_id: ChannelFolderId | Unset | None = UNSET,
    topics_policy: str | None = None,
    retention_days: int | Unset | None = UNSET,
    groups: Mapping[str, GroupChange] = MappingProxyType({}),
) -> None:
    """Change a channel; None or UNSET keeps a value. Days: -1 keeps messages for ever, None follows the
    organization.
    """
    readers = None if privacy is None else _READERS[privacy]
    await channel_routes.update(
        sync.connection,
        channel_id=channel_id,
        new_name=name,
        description=description,
        is_private=None if readers is None else readers.is_private,
        is_web_public=None if readers is None else readers.is_web_public,
        history_public_to_subscribers=None if readers is None else readers.history_public,
        is_archived=None,
        is_default=None,
        folder_id=folder_id,
        topics_policy=topics_policy,
        message_retention_days=_days(retention_days),
        groups=groups,
    )


async def set_archived(sync: Sync, channel_id: ChannelId, *, archived: bool) -> None:
    """Archive a channel, which ends writing there, or restore it."""
    if archived:
        await channel_routes.archive(sync.connection, channel_id=channel_id)
        return
    await channel_routes.update(
        sync.connection,
        channel_id=channel_id,
        new_name=None,
        description=None,
        is_private=None,
        is_web_public=None,
        history_public_to_subscribers=None,
        is_archived=False,
        is_default=None,
        folder_id=UNSET,
        topics_policy=None,
        message_retention_days=None,
        groups={},
    )


async def set_default(sync: Sync, channel_id: ChannelId, *, default: bool) -> None:
    """Make a channel a default for new users, or end that."""
    ask = channel_routes.add_default if default else channel_routes.remove_default
    await ask(sync.connection, channel_id=channel_id)


async def members(sync: Sync, channel_id: ChannelId) -> frozenset[UserId]:
    """Return the channel's subscribers."""
    return await channel_routes.list_members(sync.connection, channel_id=channel_id)


async def email_address(sync: Sync, channel_id: ChannelId) -> str:
    """Return the email address that posts to the channel."""
    return await email_address_of(sync.connection, channel_id)


async def email_address_of(connection: Connection, channel_id: ChannelId) -> str:
    """As `email_address`, for a connection without a store. Raises NotSupported where the server has none."""
    try:
        return await channel_routes.get_email_address(connection, channel_id=channel_id)
    except NotSupported:
        address = await routes.fetch_email_address(connection, channel_id=channel_id)
        if address is None:
            raise
        return address


async def delete_topic(sync: Sync, topic: TopicNarrow) -> None:
    """Delete a topic with all its messages, for everybody."""
    complete = False
    while not complete:
        complete = await channel_routes.delete_topic(
            sync.connection, channel_id=topic.channel_id, topic=topic.topic
        )


class _Readers(NamedTuple):
    """The API's fields for a channel's visibility."""

    is_private: bool
    is_web_public: bool
    history_public: bool


_READERS: Final = {
    Privacy.OPEN: _Readers(is_private=False, is_web_public=False, history_public=True),
    Privacy.PRIVATE: _Readers(is_private=True, is_web_public=False, history_public=True),
    Privacy.PROTECTED: _Readers(is_private=True, is_web_public=False, history_public=False),
    Privacy.WEB: _Readers(is_private=False, is_web_public=True, history_public=True),
}


def _days(days: int | Unset | None) -> int | str | None:
    if days is UNSET:
        return None
    return "realm_default" if days is None else "unlimited" if days == FOREVER else days


def _new_subscription(name: str) -> NewSubscription:
    return NewSubscription(name=name, description="")
