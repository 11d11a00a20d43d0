"""What groups of people are called, and who a permission names. Sanitised, of one line; pure."""

from __future__ import annotations

from typing import Final

from tui.api.model import AnonymousGroup, GroupSetting, UserGroup, UserGroupId
from tui.content.sanitise import sanitise_line
from tui.store import Store
from tui.view import names

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
"""The groups that every organisation has, the smallest first; who may do more is in each of them."""


def group(store: Store, group_id: UserGroupId) -> str:
    """A group's name; the organisation's own groups by who is in them."""
    found = store.groups.by_id.get(group_id)
    return "unknown group" if found is None else _name(found)


def _name(found: UserGroup) -> str:
    known = _ROLES.get(found.name) if found.is_system_group else None
    return known or sanitise_line(found.name)


def who(store: Store, setting: GroupSetting | None) -> str:
    """The people that a permission names: `moderators`, or `testers, Ann and Ben`; "" if not known."""
    if setting is None:
        return ""
    if not isinstance(setting, AnonymousGroup):
        return group(store, setting)
    groups = (group(store, each) for each in setting.direct_subgroups)
    people = (names.person(store, each) for each in setting.direct_members)
    said = [*sorted(groups, key=str.casefold), *sorted(people, key=str.casefold)]
    return names.listed(said) or "nobody"


def system_groups(store: Store) -> list[UserGroup]:
    """The groups that every organisation has, the smallest first."""
    by_name = {each.name: each for each in store.groups.by_id.values() if each.is_system_group}
    return [by_name[name] for name in _ROLES if name in by_name]


def named_groups(store: Store, *, deactivated: bool = False) -> list[UserGroup]:
    """The groups that people made, by name."""
    made = (each for each in store.groups.by_id.values() if not each.is_system_group)
    wanted = (each for each in made if deactivated or not each.deactivated)
    return sorted(wanted, key=lambda each: (each.deactivated, each.name.casefold(), each.id))
