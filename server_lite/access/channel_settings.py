"""Validates a channel's settings, and permissions to set them. Reads only."""

import unicodedata
from collections.abc import Iterable
from typing import Final, Literal

from server_lite.access.channel_permissions import has_permission
from server_lite.access.channels import may_see
from server_lite.access.user_groups import is_in_group_setting
from server_lite.errors import ApiError, Insufficient, NotAllowed
from server_lite.ids import ChannelId
from server_lite.store import channel_folders, channels, realm
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

MAX_NAME: Final = 60
MAX_DESCRIPTION: Final = 1024
MAX_RETENTION_DAYS: Final = 2**31 - 1
KEEP_FOREVER: Final = -1

RESERVED: Final = {
    "topics_policy": "can_set_topics_policy_group",
    "can_delete_any_message_group": "can_set_delete_message_policy_group",
    "can_delete_own_message_group": "can_set_delete_message_policy_group",
}
"""Settings that require a permission of the organization, beside that to administer the channel."""

TopicsPolicy = Literal["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"]


def checked_name(name: str) -> str:
    """Return the name, trimmed; raises ApiError if it is not valid for a channel."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise ApiError("Channel name can't be empty.")
    if len(name) > MAX_NAME:
        raise ApiError(f"Channel name too long (limit: {MAX_NAME} characters).")
    for position, character in enumerate(name, start=1):
        if unicodedata.category(character) in ("Cc", "Cs", "Cn"):
            raise ApiError(f"Invalid character in channel name, at position {position}.")
    return name


def checked_description(description: str) -> str:
    """Return the description on one line; raises ApiError if it is too long or contains null bytes."""
    if "\0" in description:
        raise ApiError("description must not contain null bytes")
    if len(description) > MAX_DESCRIPTION:
        raise ApiError(f"description is too long (limit: {MAX_DESCRIPTION} characters)")
    return " ".join(description.splitlines()).strip()


def checked_retention(user: UserRow, value: int | str | None) -> int | None:
    """Return days to keep messages: None inherits, -1 is unlimited. Only owners may set it."""
    if value is None or value == "realm_default":
        days = None
    elif value in ("unlimited", "forever"):
        days = KEEP_FOREVER
    elif isinstance(value, int) and 0 < value <= MAX_RETENTION_DAYS:
        days = value
    else:
        raise ApiError("Bad value for 'message_retention_days'")
    if value is not None and not user.is_owner:
        raise Insufficient("Must be an organization owner")
    return days


def checked_folder(db: Db, folder_id: int | None) -> int | None:
    """Return the ID of an existing folder that is not archived; None for no folder."""
    if folder_id is not None:
        folder = channel_folders.by_id(db, folder_id)
        if folder is None or folder.is_archived:
            raise ApiError("Invalid channel folder ID")
    return folder_id


def check_topics_policy(db: Db, channel: ChannelRow, policy: TopicsPolicy) -> None:
    """Refuse a policy of only the empty topic for a channel that has other topics."""
    if policy == "empty_topic_only" and db.row(
        "SELECT 1 FROM topic WHERE channel_id = ? AND max_id > 0 AND name != ''", channel.id
    ):
        raise ApiError("To enable this configuration, all messages must be in the empty topic.")


def check_privacy(*, invite_only: bool, is_web_public: bool, is_default: bool) -> None:
    """Refuse contradictory combinations."""
    if is_web_public and invite_only:
        raise ApiError("Invalid parameters")
    if is_default and invite_only:
        raise ApiError("A default channel cannot be private.")


def check_may_create(db: Db, user: UserRow, *, invite_only: bool, is_web_public: bool) -> None:
    """Raise unless the user may create channels of this kind."""
    if user.is_guest:
        raise NotAllowed("Not allowed for guest users")
    if is_web_public and not realm.setting(db, "enable_spectator_access"):
        raise ApiError("Web-public channels are not enabled.")
    kind = "web_public" if is_web_public else "private" if invite_only else "public"
    if not is_in_group_setting(db, user, realm.permission(db, f"can_create_{kind}_channel_group")):
        raise ApiError("Insufficient permission")


def check_may_set(db: Db, user: UserRow, names: Iterable[str]) -> None:
    """Raise if the organization denies the user one of these channel settings."""
    for name in names:
        permission = RESERVED.get(name)
        if permission and not is_in_group_setting(db, user, realm.permission(db, permission)):
            raise ApiError("Insufficient permission")


def may_administer(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the user may change the settings of a visible channel."""
    return user.is_admin or has_permission(db, user, channel, "can_administer_channel_group")


def access_channel_to_administer(db: Db, user: UserRow, channel_id: ChannelId) -> ChannelRow:
    """Return the channel if the user may administer it."""
    channel = channels.by_id(db, channel_id)
    if channel is None or not may_see(db, user, channel):
        raise ApiError("Invalid channel ID")
    if not may_administer(db, user, channel):
        raise Insufficient("You do not have permission to administer this channel.")
    return channel
