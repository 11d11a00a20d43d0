"""Validates the organization's settings. Reads only; raises ApiError with the reason."""

from typing import Final

from server_lite.access.group_settings import checked
from server_lite.errors import BadParameter
from server_lite.ids import ChannelId
from server_lite.store import channels
from server_lite.store.connection import Db
from server_lite.store.realm import PERMISSIONS, SETTINGS, available_call_providers
from server_lite.store.user_groups import GroupSetting

CHANNEL_SETTINGS: Final = frozenset(name for name in SETTINGS if name.endswith("_id"))


def checked_setting(db: Db, name: str, value: object) -> object:
    """Return the value as stored; words such as "unlimited" are converted."""
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
    if name == "video_chat_provider":
        offered = available_call_providers(db)
        if value not in [one["id"] for one in offered.values()]:
            raise BadParameter(f"Invalid {name}")
    channel_id = int(value) if name in CHANNEL_SETTINGS else -1
    if channel_id != -1 and channels.by_id(db, ChannelId(channel_id)) is None:
        raise BadParameter("Invalid channel ID")
    return value.strip() if isinstance(value, str) else value


def checked_permission(db: Db, name: str, given: GroupSetting) -> GroupSetting:
    """Return the value in its shortest form; raises ApiError for unknown members, or values not allowed."""
    entry = PERMISSIONS[name]
    return checked(
        db,
        name,
        given,
        allow_nobody=entry.allow_nobody,
        allow_everyone=entry.allow_everyone,
        allow_internet=entry.allow_internet,
        system_groups_only=entry.system_groups_only,
    )
