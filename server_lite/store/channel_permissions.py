"""Permissions of a channel and their defaults. No SQL."""

from typing import Final, NamedTuple

from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.user_groups import SystemGroup


class Permission(NamedTuple):
    """A permission of a channel."""

    default: SystemGroup
    """System group that holds the permission by default."""
    allow_everyone: bool = True
    """Whether guests may hold the permission."""


PERMISSIONS: Final[dict[str, Permission]] = {
    "can_add_subscribers_group": Permission(SystemGroup.NOBODY, allow_everyone=False),
    "can_administer_channel_group": Permission(SystemGroup.NOBODY, allow_everyone=False),
    "can_create_topic_group": Permission(SystemGroup.EVERYONE),
    "can_delete_any_message_group": Permission(SystemGroup.NOBODY),
    "can_delete_own_message_group": Permission(SystemGroup.NOBODY),
    "can_move_messages_out_of_channel_group": Permission(SystemGroup.NOBODY),
    "can_move_messages_within_channel_group": Permission(SystemGroup.NOBODY),
    "can_remove_subscribers_group": Permission(SystemGroup.ADMINISTRATORS, allow_everyone=False),
    "can_resolve_topics_group": Permission(SystemGroup.NOBODY),
    "can_send_message_group": Permission(SystemGroup.EVERYONE),
    "can_subscribe_group": Permission(SystemGroup.NOBODY, allow_everyone=False),
}


def value_of(channel: ChannelRow, name: str) -> GroupSetting:
    """Return the group setting of one permission of the channel."""
    return channel.group_settings.get(name, int(PERMISSIONS[name].default))


def values_of(channel: ChannelRow) -> dict[str, GroupSetting]:
    """Return the group settings of all permissions of the channel."""
    return {name: value_of(channel, name) for name in PERMISSIONS}
