"""Who holds which permission in a channel, and to whom one may be given. Reads only."""

from typing import Final

from server_lite.access.user_groups import canonical, in_setting
from server_lite.errors import ApiError
from server_lite.store import user_groups, users
from server_lite.store.channel_permissions import PERMISSIONS, value_of
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import UserRow

NAMES: Final = {group: name for name, group in user_groups.NAMES.items()}


def holds(db: Db, user: UserRow, channel: ChannelRow, name: str) -> bool:
    """Whether the person holds the permission in the channel; a role alone is not looked at here."""
    value = value_of(channel, name)
    if value == SystemGroup.EVERYONE:
        return user.id > 0
    if user.is_guest and not PERMISSIONS[name].allow_everyone:
        return False
    return value != SystemGroup.NOBODY and in_setting(db, user, value)


def checked_setting(db: Db, name: str, given: GroupSetting) -> GroupSetting:
    """The value in its shortest form; raises if it names who does not exist, or may not hold it."""
    value = canonical(given)
    groups = [value] if isinstance(value, int) else value["direct_subgroups"]
    for group_id in groups:
        group = user_groups.by_id(db, group_id)
        if group is None or group.deactivated:
            raise ApiError("Invalid user group ID")
    for user_id in [] if isinstance(value, int) else value["direct_members"]:
        user = users.by_id(db, user_id)
        if user is None or not user.is_active:
            raise ApiError(f"Invalid user ID: {user_id}")
    permission = PERMISSIONS[name]
    refused = {SystemGroup.INTERNET}
    if not permission.allow_everyone:
        refused.add(SystemGroup.EVERYONE)
    for system in refused.intersection(groups):
        raise ApiError(f"'{name}' setting cannot be set to '{NAMES[SystemGroup(system)]}' group.")
    return value
