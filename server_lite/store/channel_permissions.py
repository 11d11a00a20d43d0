"""Which permissions a channel has, and what they are where nothing was set. SQL only."""

from typing import Final, NamedTuple

from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db


class Permission(NamedTuple):
    """One permission of a channel."""

    default: str
    """Name of the system group that holds it where nothing was set."""
    allow_nobody: bool = True
    allow_everyone: bool = True
    """Whether guests may hold it."""


PERMISSIONS: Final[dict[str, Permission]] = {
    "can_add_subscribers_group": Permission("role:nobody", allow_everyone=False),
    "can_administer_channel_group": Permission("role:nobody", allow_everyone=False),
    "can_create_topic_group": Permission("role:everyone"),
    "can_delete_any_message_group": Permission("role:nobody"),
    "can_delete_own_message_group": Permission("role:nobody"),
    "can_move_messages_out_of_channel_group": Permission("role:nobody"),
    "can_move_messages_within_channel_group": Permission("role:nobody"),
    "can_remove_subscribers_group": Permission("role:administrators", allow_everyone=False),
    "can_resolve_topics_group": Permission("role:nobody"),
    "can_send_message_group": Permission("role:everyone"),
    "can_subscribe_group": Permission("role:nobody", allow_everyone=False),
}


def system_groups(db: Db) -> dict[str, int]:
    """Ids of the groups that stand for roles, by name."""
    return {}


def values_of(db: Db, channel: ChannelRow) -> dict[str, GroupSetting]:
    """Who holds each permission of the channel, as group-setting values."""
    groups = system_groups(db)
    return {
        name: channel.group_settings.get(name, groups.get(permission.default, 0))
        for name, permission in PERMISSIONS.items()
    }
