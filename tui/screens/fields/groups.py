"""Form fields for permissions: a group, or people and groups listed for one setting.

Reads the store, changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from tui.api.model import AnonymousGroup, GroupSetting, UserGroupId, UserId
from tui.api.routes.channels import GroupChange
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField
from tui.store import Store
from tui.view import names, user_groups

_PERSON: Final = "person"
_GROUP: Final = "group"
Part: TypeAlias = tuple[str, int]
"""A person or a group of a list, with the kind, as IDs of the two overlap."""


def group_field(store: Store, name: str, label: str, value: GroupSetting | None) -> ChoiceField:
    """Return the field of a permission; a `value` of None is a permission that the server does not know."""
    internet = {
        each.id for each in user_groups.system_groups(store) if each.name == "role:internet"
    }
    named = [
        *user_groups.system_groups(store),
        *user_groups.named_groups(store),
    ]
    choices = [
        Choice(value=each.id, label=user_groups.group(store, each.id))
        for each in named
        if each.id not in internet or each.id == value
    ]
    selected = _parts(value) if isinstance(value, AnonymousGroup) else value
    return ChoiceField(
        name=name, label=label, choices=choices, value=selected, parts=part_choices(store)
    )


def group_value(answers: Answers, name: str) -> GroupSetting | None:
    """Return the value of a field made by `group_field`."""
    value = answers.choice(name)
    return group_of(value) if isinstance(value, frozenset) else value


def group_changes(
    answers: Answers, before: Mapping[str, GroupSetting | None]
) -> dict[str, GroupChange]:
    """Return the changed permissions by name, each with its old and new value as the API wants them."""
    changes = {}
    for name, old in before.items():
        new = group_value(answers, name)
        if name in answers.changed and new is not None and old is not None:
            changes[name] = GroupChange(new=new, old=old)
    return changes


def group_of(parts: frozenset[Part]) -> GroupSetting:
    """Return people and groups as the API wants them; a single group as its ID."""
    people = frozenset(UserId(each) for kind, each in parts if kind == _PERSON)
    groups = frozenset(UserGroupId(each) for kind, each in parts if kind == _GROUP)
    if len(groups) == 1 and not people:
        return next(iter(groups))
    return AnonymousGroup(direct_members=people, direct_subgroups=groups)


def _parts(value: AnonymousGroup) -> frozenset[Part]:
    people = ((_PERSON, int(each)) for each in value.direct_members)
    groups = ((_GROUP, int(each)) for each in value.direct_subgroups)
    return frozenset((*people, *groups))


def part_choices(store: Store) -> list[Choice[Part]]:
    """Return the choices of all people and groups, for a list of one setting."""
    groups = [*user_groups.named_groups(store), *user_groups.system_groups(store)]
    people = [
        each for each in store.users.by_id.values() if each.is_active and not each.is_system_bot
    ]
    people.sort(key=lambda each: each.full_name.casefold())
    return [
        *(
            Choice(value=(_PERSON, int(each.user_id)), label=names.person(store, each.user_id))
            for each in people
        ),
        *(
            Choice(
                value=(_GROUP, int(each.id)),
                label=user_groups.group(store, each.id),
                detail="group",
            )
            for each in groups
            if each.name not in user_groups.NO_ROLE
        ),
    ]
