"""Permissions to create, change and fill user groups, and validation of their values. Reads only.

System groups follow from roles and cannot be changed.
"""

import unicodedata
from collections.abc import Collection, Mapping
from typing import Final

from server_lite.access.channels import may_see
from server_lite.access.group_settings import check_active, refers_to
from server_lite.access.user_groups import access_group, is_in_group_setting
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.objects.user_groups import PERMISSIONS, permission
from server_lite.store import channels, realm, user_groups, users
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupRow, GroupSetting
from server_lite.store.users import UserRow

MAX_NAME: Final = 100
MAX_DESCRIPTION: Final = 1024
_PREFIXES: Final = ("@", "role:", "user:", "stream:", "channel:")
"""Prefixes that would be ambiguous in a mention or a setting."""

INSUFFICIENT: Final = "Insufficient permission"


class GroupInUse(ApiError):
    """Raised when a group cannot be deactivated because other groups or settings refer to it."""

    code = "CANNOT_DEACTIVATE_GROUP_IN_USE"

    def __init__(self, objections: list[dict[str, object]]) -> None:
        super().__init__("Cannot deactivate user group in use.", objections=objections)


# Validation


def check_name(db: Db, name: str, *, other_than: int = 0) -> str:
    """Return the name, trimmed; it must be unique, deactivated groups included."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise ApiError("User group name can't be empty!")
    if len(name) > MAX_NAME:
        raise ApiError(f"User group name cannot exceed {MAX_NAME} characters.")
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            raise ApiError(f"User group name cannot start with '{prefix}'.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise ApiError("Invalid characters in user group name!")
    taken = user_groups.by_name(db, name)
    if taken is not None and taken.id != other_than:
        raise ApiError(f"User group '{name}' already exists.")
    return name


def check_members(db: Db, user_ids: Collection[UserId]) -> list[UserId]:
    """Return the IDs, ascending and distinct; all must be of active users."""
    member_ids = sorted(set(user_ids))
    active_ids = users.active_ids(db)
    for user_id in member_ids:
        if user_id not in active_ids or user_id == users.NOTIFICATION_BOT:
            check_active(db, user_id)  # a thousand look-ups take longer than all the rest
    return member_ids


# Permissions


def check_may_create(db: Db, user: UserRow) -> None:
    """Raise unless the user may create groups."""
    if user.is_guest or not is_in_group_setting(
        db, user, realm.permission(db, "can_create_groups")
    ):
        raise ApiError(INSUFFICIENT)


def may_manage(db: Db, user: UserRow, group: GroupRow) -> bool:
    """Whether the user may change everything about the group."""
    return (
        not group.is_system
        and not user.is_guest
        and (
            is_in_group_setting(db, user, realm.permission(db, "can_manage_all_groups"))
            or is_in_group_setting(db, user, permission(group, "can_manage_group"))
        )
    )


def access_group_to_manage(db: Db, user: UserRow, group_id: int) -> GroupRow:
    """Return the group, deactivated or not, if the user may change it."""
    group = access_group(db, group_id)
    if not may_manage(db, user, group):
        raise ApiError(INSUFFICIENT)
    return group


def access_group_to_fill(
    db: Db,
    user: UserRow,
    group_id: int,
    *,
    add: Collection[UserId] = (),
    remove: Collection[UserId] = (),
    has_subgroups: bool = False,
) -> GroupRow:
    """Return the group if the user may add and remove these members, and subgroups if `has_subgroups`."""
    group = access_group(db, group_id)
    if group.is_system:
        raise ApiError(INSUFFICIENT)
    if not may_manage(db, user, group) and (
        has_subgroups
        or (add and not _may_list(db, user, group, add, "can_join_group", "can_add_members_group"))
        or (
            remove
            and not _may_list(
                db, user, group, remove, "can_leave_group", "can_remove_members_group"
            )
        )
    ):
        raise ApiError(INSUFFICIENT)
    if group.deactivated:
        raise ApiError("User group is deactivated.")
    return group


def _may_list(
    db: Db, user: UserRow, group: GroupRow, people: Collection[UserId], own: str, others: str
) -> bool:
    """Whether the user has permission `own`, for only themselves, or permission `others`, for anyone."""
    if set(people) == {user.id} and is_in_group_setting(db, user, permission(group, own)):
        return True
    return not user.is_guest and is_in_group_setting(db, user, permission(group, others))


# Members and subgroups


def check_changes(
    db: Db,
    group: GroupRow,
    *,
    add: Collection[UserId],
    remove: Collection[UserId],
    add_groups: Collection[int],
    remove_groups: Collection[int],
) -> None:
    """Raise unless every addition and removal changes something and no group contains itself."""
    listed = frozenset(user_groups.members_listed(db, group.id))
    for user_id in sorted(remove):
        if user_id not in listed:
            raise ApiError(f"There is no user '{user_id}' in this user group")
    for user_id in sorted(add):
        if user_id in listed and user_id not in remove:
            raise ApiError(f"User {user_id} is already a member of this group.")
    subgroups = user_groups.direct_subgroups(db).get(group.id, [])
    for group_id in sorted(remove_groups):
        if group_id not in subgroups:
            raise ApiError(f"User group {group_id} is not a subgroup of this group.")
    for group_id in sorted(add_groups):
        _check_subgroup(db, group_id)
        if group_id in subgroups and group_id not in remove_groups:
            raise ApiError(f"User group {group_id} is already a subgroup of this group.")
    if group.id in user_groups.contained(db, frozenset(add_groups)):
        raise ApiError(
            f"User group {group.id} is already a subgroup of one of the passed subgroups."
        )


def _check_subgroup(db: Db, group_id: int) -> None:
    group = user_groups.by_id(db, group_id)
    if group is None or group.deactivated:
        raise ApiError(f"Invalid user group ID: {group_id}")


def check_subgroups(db: Db, group_ids: Collection[int]) -> list[int]:
    """Return the IDs, ascending and distinct; all must be of active groups."""
    for group_id in group_ids:
        _check_subgroup(db, group_id)
    return sorted(set(group_ids))


# Deactivating


def check_unused(db: Db, user: UserRow, group: GroupRow) -> None:
    """Raise GroupInUse if an active group or setting refers to the group."""
    objections = [
        *_containing(db, group),
        *_named_by_realm(db, group),
        *_named_by_channels(db, user, group),
        *_named_by_groups(db, group),
    ]
    if objections:
        raise GroupInUse(objections)


def _containing(db: Db, group: GroupRow) -> list[dict[str, object]]:
    closed = user_groups.deactivated_ids(db)
    supergroups = [
        parent
        for parent, subgroups in user_groups.direct_subgroups(db).items()
        if group.id in subgroups and parent not in closed
    ]
    return [{"type": "subgroup", "supergroup_ids": sorted(supergroups)}] if supergroups else []


def _named_by_realm(db: Db, group: GroupRow) -> list[dict[str, object]]:
    values = {name: realm.permission(db, name) for name in realm.PERMISSIONS}
    named = _names(values, group)
    return [{"type": "realm", "settings": named}] if named else []


def _named_by_channels(db: Db, user: UserRow, group: GroupRow) -> list[dict[str, object]]:
    """Return the channels that refer to the group; those invisible to the user without ID."""
    objections: list[dict[str, object]] = []
    for channel in channels.where(db, "NOT channel.is_archived"):
        if named := _names(channel.group_settings, group):
            visible_id = channel.id if may_see(db, user, channel) else None
            objections.append({"type": "channel", "channel_id": visible_id, "settings": named})
    return objections


def _named_by_groups(db: Db, group: GroupRow) -> list[dict[str, object]]:
    objections: list[dict[str, object]] = []
    for other in user_groups.every(db):
        if other.deactivated or other.id == group.id:
            continue
        if named := _names({name: permission(other, name) for name in PERMISSIONS}, group):
            objections.append({"type": "user_group", "group_id": other.id, "settings": named})
    return objections


def _names(values: Mapping[str, GroupSetting | None], group: GroupRow) -> list[str]:
    return sorted(name for name, value in values.items() if refers_to(value, group.id))
