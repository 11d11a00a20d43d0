"""Custom user groups as records; system groups follow from roles. Reads only."""

from collections import defaultdict
from collections.abc import Iterator

from server_lite.data_import.checked import checked
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import FIRST_GROUP, Numbers
from server_lite.export import format as form
from server_lite.store.user_groups import GroupSetting, SystemGroup

PERMISSIONS = {
    "can_add_members_group": SystemGroup.NOBODY,
    "can_join_group": SystemGroup.NOBODY,
    "can_leave_group": SystemGroup.EVERYONE,
    "can_manage_group": None,
    "can_mention_group": SystemGroup.EVERYONE,
    "can_remove_members_group": SystemGroup.NOBODY,
}
"""Permission columns of a group, with their defaults."""


def groups(dump: Dump, numbers: Numbers) -> Iterator[Placed]:
    """Yield the groups with their members and subgroups."""
    people: dict[int, set[int]] = defaultdict(set)
    inside: dict[int, set[int]] = defaultdict(set)
    for where, one in dump.table("zerver_usergroupmembership", rows.GroupMember):
        people[one.user_group].add(numbers.person(one.user_profile, where))
    for pair in dump.rows("zerver_groupgroupmembership", rows.GroupInGroup):
        subgroup = numbers.group(pair.subgroup)
        if subgroup is not None:
            inside[pair.supergroup].add(subgroup)
    for table in ("zerver_usergroup", "zerver_namedusergroup"):
        for where, raw in dump.raw(table):
            number, row = _named(raw, where, table)
            here = None if number is None else numbers.group(number)
            if row is None or number is None or here is None or here < FIRST_GROUP:
                continue
            yield (
                where,
                form.Group(
                    id=here,
                    name=row.name,
                    description=row.description[:20_000],
                    creator=numbers.perhaps(row.creator),
                    created=row.date_created,
                    is_active=not row.deactivated,
                    members=sorted(people[number]),
                    groups=sorted(inside[number]),
                    permissions=_permissions(raw, numbers),
                ),
            )


def _named(
    raw: dict[str, object], where: str, table: str
) -> tuple[int | None, rows.NamedGroup | None]:
    if table == "zerver_namedusergroup":
        named = checked(rows.NamedGroup, raw, where)
        return named.usergroup_ptr, named
    group = checked(rows.Group, raw, where)
    if group.name is None:
        return None, None
    return group.id, checked(rows.NamedGroup, {**raw, "usergroup_ptr": group.id}, where)


def _permissions(raw: dict[str, object], numbers: Numbers) -> dict[str, GroupSetting]:
    permissions = {}
    for name, default in PERMISSIONS.items():
        holders = numbers.holders(raw.get(name))
        if holders is not None and holders != default:
            permissions[name] = holders
    return permissions
