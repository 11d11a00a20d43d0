"""User groups, their members and subgroups. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import AnonymousGroup, GroupSetting, UserGroup, UserGroupId, UserId

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import UserGroupChange

_CHANGEABLE = (
    "name",
    "description",
    "deactivated",
    "can_add_members_group",
    "can_join_group",
    "can_leave_group",
    "can_manage_group",
    "can_mention_group",
    "can_remove_members_group",
)


class UserGroups:
    """Groups by ID, system groups and deactivated ones too."""

    def __init__(self, groups: Iterable[UserGroup]) -> None:
        self.by_id: dict[UserGroupId, UserGroup] = {group.id: group for group in groups}

    def add(self, group: UserGroup) -> None:
        """Add a group that was created, or reactivated."""
        self.by_id[group.id] = group

    def remove(self, group_id: UserGroupId) -> None:
        """Remove a group."""
        self.by_id.pop(group_id, None)

    def change(self, group_id: UserGroupId, change: UserGroupChange) -> None:
        """Change a group."""
        news = {n: value for n in _CHANGEABLE if (value := getattr(change, n)) is not None}
        self._replace(group_id, **news)

    def add_members(self, group_id: UserGroupId, user_ids: frozenset[UserId]) -> None:
        """Add members to a group."""
        if group_id in self.by_id:
            self._replace(group_id, members=self.by_id[group_id].members | user_ids)

    def remove_members(self, group_id: UserGroupId, user_ids: frozenset[UserId]) -> None:
        """Remove members from a group."""
        if group_id in self.by_id:
            self._replace(group_id, members=self.by_id[group_id].members - user_ids)

    def add_subgroups(self, group_id: UserGroupId, ids: frozenset[UserGroupId]) -> None:
        """Add subgroups to a group."""
        if group_id in self.by_id:
            now = self.by_id[group_id].direct_subgroup_ids | ids
            self._replace(group_id, direct_subgroup_ids=now)

    def remove_subgroups(self, group_id: UserGroupId, ids: frozenset[UserGroupId]) -> None:
        """Remove subgroups from a group."""
        if group_id in self.by_id:
            now = self.by_id[group_id].direct_subgroup_ids - ids
            self._replace(group_id, direct_subgroup_ids=now)

    def includes(self, setting: GroupSetting | None, user_id: UserId) -> bool:
        """Whether a user belongs to a group, directly or through subgroups; None includes nobody."""
        if setting is None:
            return False
        if isinstance(setting, AnonymousGroup):
            is_member = user_id in setting.direct_members
            waiting = list(setting.direct_subgroups)
        else:
            is_member, waiting = False, [setting]
        seen: set[UserGroupId] = set()
        while waiting and not is_member:
            group = self.by_id.get(waiting.pop())
            if group is None or group.id in seen:
                continue
            seen.add(group.id)
            is_member = user_id in group.members
            waiting.extend(group.direct_subgroup_ids)
        return is_member

    def _replace(self, group_id: UserGroupId, **news: object) -> None:
        group = self.by_id.get(group_id)
        if group is not None:
            self.by_id[group_id] = replace(group, **news)  # type: ignore[arg-type]  # the change's fields have the group's types
