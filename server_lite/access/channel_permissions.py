"""Who holds which permission in a channel. Reads only."""

from server_lite.errors import ApiError
from server_lite.store import users
from server_lite.store.channel_permissions import PERMISSIONS
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


def holds(db: Db, user: UserRow, channel: ChannelRow, permission: str) -> bool:
    """Whether the person holds the permission in the channel; a role alone is not looked at here."""
    value = channel.group_settings.get(permission)
    if value is None:
        return _by_role(user, PERMISSIONS[permission].default)
    if user.is_guest and not PERMISSIONS[permission].allow_everyone:
        return False
    return in_setting(db, user, value)


def _by_role(user: UserRow, group: str) -> bool:
    if group == "role:administrators":
        return user.is_admin
    return group == "role:everyone" and user.id > 0


def in_setting(db: Db, user: UserRow, value: GroupSetting) -> bool:
    """Whether the person is in the group, or in the members and subgroups, of a setting's value."""
    return isinstance(value, dict) and user.id in value["direct_members"]


def members_of(db: Db, value: GroupSetting) -> frozenset[int]:
    """Everybody for whom `in_setting` holds."""
    return frozenset(value["direct_members"]) if isinstance(value, dict) else frozenset()


def checked_setting(db: Db, name: str, value: GroupSetting) -> GroupSetting:
    """The value, of which every group and person must exist; raises what may not hold it."""
    if isinstance(value, dict):
        for user_id in value["direct_members"]:
            user = users.by_id(db, user_id)
            if user is None or not user.is_active:
                raise ApiError(f"Invalid user ID: {user_id}")
    return value
