"""Which values the organisation's settings may have. Reads only; raises ApiError with the reason."""

from typing import Any, Final

from server_lite.access.user_groups import canonical as canonical
from server_lite.errors import BadParameter
from server_lite.store import channels, user_groups, users
from server_lite.store.connection import Db
from server_lite.store.realm import PERMISSIONS, SETTINGS
from server_lite.store.user_groups import GroupSetting, SystemGroup

CHANNEL_SETTINGS: Final = frozenset(name for name in SETTINGS if name.endswith("_id"))
SYSTEM: Final = frozenset(SystemGroup)


def checked_setting(db: Db, name: str, value: Any) -> Any:
    """The value as it is stored; a word may stand for what has no number."""
    entry = SETTINGS[name]
    if value in ("unlimited", "default") and entry.nullable:
        return None
    if value == "unlimited" and name == "message_retention_days":
        return -1
    if value is None:
        if entry.nullable:
            return None
        raise BadParameter(f"Invalid {name}")
    if not isinstance(value, entry.type) or not entry.accepts(value):
        raise BadParameter(f"Invalid {name}")
    if name in CHANNEL_SETTINGS and value != -1 and channels.by_id(db, value) is None:
        raise BadParameter("Invalid channel ID")
    return value.strip() if isinstance(value, str) else value


def checked_permission(db: Db, name: str, given: GroupSetting) -> GroupSetting:
    """The value in its shortest form; raises if it names who does not exist, or may not hold it."""
    value, entry = canonical(given), PERMISSIONS[name]
    groups = [value] if isinstance(value, int) else value["direct_subgroups"]
    for group_id in groups:
        group = user_groups.by_id(db, group_id)
        if group is None or group.deactivated:
            raise BadParameter("Invalid user group ID")
    if not isinstance(value, int):
        for user_id in value["direct_members"]:
            user = users.by_id(db, user_id)
            if user is None or not user.is_active:
                raise BadParameter(f"Invalid user ID: {user_id}")
    if entry.system_groups_only and (not isinstance(value, int) or value not in SYSTEM):
        raise BadParameter(f"'{name}' must be a system user group.")
    allowed = {
        SystemGroup.NOBODY: entry.allow_nobody,
        SystemGroup.EVERYONE: entry.allow_everyone,
        SystemGroup.INTERNET: entry.allow_internet,
    }
    for group, may in allowed.items():
        if group in groups and not may:
            label = next(word for word, number in user_groups.NAMES.items() if number == group)
            raise BadParameter(f"'{name}' setting cannot be set to '{label}' group.")
    return value
