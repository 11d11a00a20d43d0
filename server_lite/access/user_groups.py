"""Membership in user groups, and thus in the holders of permissions. Reads only.

The holders of a permission are a *group setting*: a group's ID, or listed members and subgroups.
"""

from typing import Final

from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.store import group_members, user_groups, users
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupRow, GroupSetting, SystemGroup, groups_in
from server_lite.store.users import UserRow

_SYSTEM: Final = frozenset(SystemGroup)


def groups_of(db: Db, user: UserRow) -> frozenset[int]:
    """Return all groups of the user, direct and containing ones; none for deactivated users."""
    if user.id == 0:
        return frozenset({SystemGroup.INTERNET})
    if not user.is_active:
        return frozenset()
    own = user_groups.system_groups_of(user, user_groups.waiting(db))
    return db.cached(_all_with, user.id, own)


def _all_with(db: Db, user_id: UserId, own: frozenset[int]) -> frozenset[int]:
    """Return the groups that list a user or contain one that does, or one of `own`: a list of channels asks for each."""
    return user_groups.containing(db, own | frozenset(user_groups.listed_in(db, user_id)))


def is_in_group_setting(
    db: Db, user: UserRow, value: GroupSetting, groups: frozenset[int] | None = None
) -> bool:
    """Whether the user is included in a group setting. `groups`: those of the user, where many settings are checked."""
    if isinstance(value, int):
        if groups is not None:
            return value in groups
        if value in _SYSTEM and user.is_active:  # checked for every message: a fast path
            return value in user_groups.system_groups_of(user, user_groups.waiting(db))
        return value in groups_of(db, user)
    if user.is_active and user.id in value["direct_members"]:
        return True
    subgroups = value["direct_subgroups"]
    if groups is None and subgroups:
        groups = groups_of(db, user)
    return groups is not None and not groups.isdisjoint(subgroups)


def members_of(db: Db, value: GroupSetting) -> frozenset[UserId]:
    """Return IDs of all active users for whom `is_in_group_setting` holds."""
    asked = frozenset(groups_in(value))
    listed, groups = group_members.members_within(db, asked, user_groups.direct_subgroups)
    if isinstance(value, dict):
        listed = listed.union(map(UserId, value["direct_members"])) - {users.NOTIFICATION_BOT}
    return user_groups.system_group_members(db, groups & _SYSTEM) | (listed & users.active_ids(db))


def access_group(db: Db, group_id: int) -> GroupRow:
    """Return a group, deactivated or not; visible to all except guests. Raises `Invalid user group`."""
    group = user_groups.by_id(db, group_id)
    if group is None:
        raise ApiError("Invalid user group")
    return group


def canonical(value: GroupSetting) -> GroupSetting:
    """Return a group setting in its shortest form: sorted, and a single group as its ID."""
    if isinstance(value, int):
        return value
    members = sorted(set(value["direct_members"]))
    subgroups = sorted(set(value["direct_subgroups"]))
    if not members and not subgroups:
        return int(SystemGroup.NOBODY)
    if not members and len(subgroups) == 1:
        return int(subgroups[0])
    return {"direct_members": members, "direct_subgroups": subgroups}
