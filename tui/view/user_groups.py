"""User groups and the members of permissions, by name. Sanitized, of one line; pure."""

from __future__ import annotations

from typing import Final

from tui.api.model import AnonymousGroup, GroupSetting, UserGroup, UserGroupId
from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names
from tui.view.counts import counted

_ROLES: Final = {
    "role:nobody": "nobody",
    "role:owners": "owners",
    "role:administrators": "administrators",
    "role:moderators": "moderators",
    "role:fullmembers": "full members",
    "role:members": "members",
    "role:everyone": "everyone",
    "role:internet": "everyone on the internet",
}
"""The role-based system groups, smallest first; each includes those before it."""

NO_ROLE: Final = frozenset({"role:nobody", "role:internet"})
"""System groups that have no members to list."""


def group(store: Store, group_id: UserGroupId) -> str:
    """Return a group's name; for system groups a description of the members."""
    user_group = store.groups.by_id.get(group_id)
    return "unknown group" if user_group is None else _name(user_group)


def _name(user_group: UserGroup) -> str:
    role_name = _ROLES.get(user_group.name) if user_group.is_system_group else None
    return role_name or sanitize_line(user_group.name)


def who(store: Store, setting: GroupSetting | None) -> str:
    """Return a permission's people: `moderators`, or `testers, Ann and Ben`; "" if unknown."""
    if setting is None:
        return ""
    if not isinstance(setting, AnonymousGroup):
        return group(store, setting)
    groups = (group(store, each) for each in setting.direct_subgroups)
    people = (names.person(store, each) for each in setting.direct_members)
    listed = [*sorted(groups, key=str.casefold), *sorted(people, key=str.casefold)]
    return names.listed(listed) or "nobody"


def system_groups(store: Store) -> list[UserGroup]:
    """Return the role-based system groups, smallest first."""
    by_name = {each.name: each for each in store.groups.by_id.values() if each.is_system_group}
    return [by_name[name] for name in _ROLES if name in by_name]


def named_groups(store: Store, *, deactivated: bool = False) -> list[UserGroup]:
    """Return the groups that people created, by name."""
    own_groups = (each for each in store.groups.by_id.values() if not each.is_system_group)
    shown_groups = (each for each in own_groups if deactivated or not each.deactivated)
    return sorted(shown_groups, key=lambda each: (each.deactivated, each.name.casefold(), each.id))


def detail(store: Store, user_group: UserGroup) -> str:
    """Return `2 people and testers · description`, of direct members and groups; of a role all members."""
    if user_group.is_system_group:
        return f"{_people(_count(store, user_group))} · by role"
    parts = sorted(
        (group(store, each) for each in user_group.direct_subgroup_ids), key=str.casefold
    )
    inside = f" and {names.listed(parts)}" if parts else ""
    details = [
        "deactivated" if user_group.deactivated else "",
        f"{_people(len(user_group.members))}{inside}",
        "you are a member" if store.self_id in user_group.members else "",
        sanitize_line(user_group.description),
    ]
    return " · ".join(each for each in details if each)


def _people(count: int) -> str:
    return counted(count, "person", "people")


def _count(store: Store, user_group: UserGroup) -> int:
    active_ids = (each.user_id for each in store.users.by_id.values() if each.is_active)
    return sum(store.groups.includes(user_group.id, each) for each in active_ids)


PERMISSIONS: Final = {
    "can_manage_group": "Manage the group",
    "can_mention_group": "Mention the group",
    "can_join_group": "Join the group",
    "can_leave_group": "Leave the group",
    "can_add_members_group": "Add people",
    "can_remove_members_group": "Remove people",
}
"""The permissions of a group: the setting's name, and its label."""


def permissions(user_group: UserGroup) -> dict[str, GroupSetting | None]:
    """Return the group's permissions by the settings' names."""
    return {name: getattr(user_group, name) for name in PERMISSIONS}


def possible_parts(store: Store, user_group: UserGroup | None) -> list[UserGroup]:
    """Return the groups that can be put into a group: not itself, and none that contains it."""
    active = [*named_groups(store), *system_groups(store)]
    if user_group is None:
        return active
    return [each for each in active if user_group.id not in _with_parts(store, each.id)]


def _with_parts(store: Store, group_id: UserGroupId) -> set[UserGroupId]:
    seen: set[UserGroupId] = set()
    waiting = [group_id]
    while waiting:
        one = waiting.pop()
        if one not in seen and (known := store.groups.by_id.get(one)) is not None:
            waiting.extend(known.direct_subgroup_ids)
        seen.add(one)
    return seen
