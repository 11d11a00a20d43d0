"""User groups as the API's JSON. Reads only."""

from collections.abc import Mapping, Sequence
from typing import Final

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store import user_groups, users
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupRow, GroupSetting, SystemGroup

PERMISSIONS: Final[Mapping[str, SystemGroup]] = {
    "can_add_members_group": SystemGroup.NOBODY,
    "can_join_group": SystemGroup.NOBODY,
    "can_leave_group": SystemGroup.EVERYONE,
    "can_manage_group": SystemGroup.NOBODY,
    "can_mention_group": SystemGroup.EVERYONE,
    "can_remove_members_group": SystemGroup.NOBODY,
}
"""Permissions of a group with their defaults. The creator may manage it."""


class UserGroupObject(TypedDict):
    """A group; `members` and `direct_subgroup_ids` are direct ones.

    `date_created` is in UNIX seconds; system groups have none, and no creator.
    """

    id: int
    name: str
    description: str
    date_created: int | None
    creator_id: UserId | None
    members: list[UserId]
    direct_subgroup_ids: Sequence[int]
    is_system_group: bool
    deactivated: bool
    can_add_members_group: GroupSetting
    can_join_group: GroupSetting
    can_leave_group: GroupSetting
    can_manage_group: GroupSetting
    can_mention_group: GroupSetting
    can_remove_members_group: GroupSetting


def permission(group: GroupRow, name: str) -> GroupSetting:
    """Return the holders of the group's permission. Nobody holds any on system groups."""
    if group.is_system:
        return int(SystemGroup.NOBODY)
    return group.settings.get(name, int(PERMISSIONS[name]))


def group_objects(db: Db, *, deactivated: bool) -> list[UserGroupObject]:
    """Return all groups by ID; `deactivated` includes deactivated ones."""
    members = all_members(db)
    subgroups = user_groups.direct_subgroups(db)
    return [
        group_object(group, members.get(group.id, []), subgroups.get(group.id, []))
        for group in user_groups.every(db)
        if deactivated or not group.deactivated
    ]


def group_object(
    group: GroupRow, members: list[UserId], subgroups: Sequence[int]
) -> UserGroupObject:
    """Return one UserGroup object."""
    return {
        "id": group.id,
        "name": group.name,
        "description": group.description,
        "date_created": None if group.date_created is None else int(group.date_created),
        "creator_id": group.creator_id,
        "members": members,
        "direct_subgroup_ids": subgroups,
        "is_system_group": group.is_system,
        "deactivated": group.deactivated,
        "can_add_members_group": permission(group, "can_add_members_group"),
        "can_join_group": permission(group, "can_join_group"),
        "can_leave_group": permission(group, "can_leave_group"),
        "can_manage_group": permission(group, "can_manage_group"),
        "can_mention_group": permission(group, "can_mention_group"),
        "can_remove_members_group": permission(group, "can_remove_members_group"),
    }


def all_members(db: Db) -> dict[int, list[UserId]]:
    """Return group ID -> IDs of direct members, ascending; members of system groups follow from roles."""
    members = user_groups.direct_members(db)
    waiting = user_groups.waiting(db)
    for user in users.everyone(db):
        if user.is_active and not user.is_system_bot:
            for group in user_groups.direct_system_groups(user, waiting):
                members.setdefault(group, []).append(user.id)
    return members
