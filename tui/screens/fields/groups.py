"""Fields of a form that say who may do something: a group, or people and groups listed on the spot.

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
"""A person or a group of a list: ids of the two are numbers alike."""


def group_field(store: Store, name: str, label: str, value: GroupSetting | None) -> ChoiceField:
    """Who may do something; None is a permission that the server does not know."""
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
    """What a field of `group_field` says."""
    value = answers.choice(name)
    return group_of(value) if isinstance(value, frozenset) else value


def group_changes(
    answers: Answers, before: Mapping[str, GroupSetting | None]
) -> dict[str, GroupChange]:
    """What the fields say otherwise than `before`, for a request that says both."""
    changes = {}
    for name, old in before.items():
        new = group_value(answers, name)
        if name in answers.changed and new is not None and old is not None:
            changes[name] = GroupChange(new=new, old=old)
    return changes


def group_of(parts: frozenset[Part]) -> GroupSetting:
    """People and groups as the server wants them; a single group is just that group."""
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
    """Everybody and every group, for a list made on the spot."""
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
