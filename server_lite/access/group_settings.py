"""Validates group settings: who can be given a permission. Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.access.user_groups import canonical
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.store import user_groups, users
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupSetting, SystemGroup, groups_in


def checked(
    db: Db,
    name: str,
    given: GroupSetting,
    *,
    allow_nobody: bool = True,
    allow_everyone: bool = True,
    allow_internet: bool = False,
    system_groups_only: bool = False,
) -> GroupSetting:
    """Return the value in its shortest form; all groups and users in it must exist and be active.

    `given` is a group's ID or `{direct_members, direct_subgroups}`; `name` is for the message.
    """
    value = canonical(given)
    if isinstance(value, int):
        _check_group(db, value)
    else:
        if system_groups_only:
            raise ApiError(f"'{name}' must be a system user group.")
        for user_id in value["direct_members"]:
            check_active(db, UserId(user_id))
        for group_id in value["direct_subgroups"]:
            _check_group(db, group_id)
    named = set(groups_in(value))
    if system_groups_only and not named <= _SYSTEM:
        raise ApiError(f"'{name}' must be a system user group.")
    for group, allowed in (
        (SystemGroup.NOBODY, allow_nobody),
        (SystemGroup.EVERYONE, allow_everyone),
        (SystemGroup.INTERNET, allow_internet),
    ):
        if group in named and not allowed:
            raise ApiError(f"'{name}' setting cannot be set to '{_NAMES[group]}' group.")
    return value


_NAMES: Final[Mapping[int, str]] = {group: name for name, group in user_groups.NAMES.items()}
_SYSTEM: Final = frozenset(_NAMES)


def check_active(db: Db, user_id: UserId) -> None:
    """Raise unless an active user has this ID."""
    user = users.by_id(db, user_id)
    if user is None or not user.is_active or user.is_system_bot:
        raise ApiError(f"Invalid user ID: {user_id}")


def _check_group(db: Db, group_id: int) -> None:
    group = user_groups.by_id(db, group_id)
    if group is None or group.deactivated:
        raise ApiError(f"Invalid user group ID: {group_id}")


def refers_to(value: GroupSetting | None, group_id: int) -> bool:
    """Whether a setting refers to the group directly."""
    return value is not None and group_id in groups_in(value)
