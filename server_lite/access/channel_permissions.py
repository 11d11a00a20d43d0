"""Holders of a channel's permissions, and validation of their values. Reads only."""

from server_lite.access.group_settings import checked
from server_lite.access.user_groups import is_in_group_setting
from server_lite.store.channel_permissions import PERMISSIONS, value_of
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import UserRow


def has_permission(
    db: Db, user: UserRow, channel: ChannelRow, name: str, groups: frozenset[int] | None = None
) -> bool:
    """Whether the user holds the permission in the channel; their role alone is not considered.

    `groups`: those of the user, where many channels are checked.
    """
    value = value_of(channel, name)
    if value == SystemGroup.EVERYONE:
        return user.id > 0
    if user.is_guest and not PERMISSIONS[name].allow_everyone:
        return False
    return value != SystemGroup.NOBODY and is_in_group_setting(db, user, value, groups)


def checked_setting(db: Db, name: str, given: GroupSetting) -> GroupSetting:
    """Return the value in its shortest form; raises ApiError for unknown members, or values not allowed."""
    return checked(db, name, given, allow_everyone=PERMISSIONS[name].allow_everyone)
