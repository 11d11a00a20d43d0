"""User groups: create, update, deactivate; members and subgroups. Thin."""

from dataclasses import fields
from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.group_settings import checked
from server_lite.access.user_group_changes import (
    MAX_DESCRIPTION,
    access_group_to_fill,
    access_group_to_manage,
    check_changes,
    check_may_create,
    check_members,
    check_name,
    check_subgroups,
    check_unused,
)
from server_lite.access.user_groups import access_group, canonical, groups_of, members_of
from server_lite.access.users import access_user, inaccessible_user_ids
from server_lite.actions import user_groups as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.api.params import ParameterGroup
from server_lite.dataclass import dataclass
from server_lite.endpoints.channel_parameters import Change, Given, plain
from server_lite.errors import ApiError, Conflict
from server_lite.ids import UserId
from server_lite.objects.user_groups import PERMISSIONS, all_members, permission
from server_lite.store import user_groups
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.user_groups import GroupRow, GroupSetting, SystemGroup
from server_lite.store.users import UserRow

Description = Annotated[str, MaxLength(MAX_DESCRIPTION)]
_GUESTS_MAY = frozenset(
    name for name, default in PERMISSIONS.items() if default == SystemGroup.EVERYONE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """Permissions of a user group to be created."""

    can_add_members_group: Given | None = None
    can_join_group: Given | None = None
    can_leave_group: Given | None = None
    can_manage_group: Given | None = None
    can_mention_group: Given | None = None
    can_remove_members_group: Given | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionChanges:
    """Changes of a user group's permissions."""

    can_add_members_group: Change | None = None
    can_join_group: Change | None = None
    can_leave_group: Change | None = None
    can_manage_group: Change | None = None
    can_mention_group: Change | None = None
    can_remove_members_group: Change | None = None


class Created(TypedDict):
    """ID of the created user group."""

    group_id: int


class Members(TypedDict):
    """User IDs, ascending."""

    members: list[UserId]


class Membership(TypedDict):
    """Whether the user is a member."""

    is_user_group_member: bool


class Subgroups(TypedDict):
    """User group IDs, ascending."""

    subgroups: list[int]


def create(
    tx: Tx,
    user: UserRow,
    *,
    name: str,
    description: Description,
    members: list[UserId],
    subgroups: list[int] | None = None,
    permissions: Annotated[Permissions, ParameterGroup()],
) -> Created:
    """Create a user group."""
    check_may_create(tx, user)
    given = {field.name: getattr(permissions, field.name) for field in fields(permissions)}
    group = actions.create(
        tx,
        user,
        name=check_name(tx, name),
        description=description.strip(),
        members=check_members(tx, members),
        subgroups=check_subgroups(tx, subgroups or []),
        group_settings={
            setting: _checked(tx, setting, value)
            for setting, value in given.items()
            if value is not None
        },
    )
    return {"group_id": group.id}


def _checked(tx: Tx, name: str, value: Given) -> GroupSetting:
    return checked(tx, name, plain(value), allow_everyone=name in _GUESTS_MAY)


def update(
    tx: Tx,
    user: UserRow,
    user_group_id: int,
    *,
    name: str | None = None,
    description: Annotated[str | None, MaxLength(MAX_DESCRIPTION)] = None,
    deactivated: bool | None = None,
    permissions: Annotated[PermissionChanges, ParameterGroup()],
) -> Done:
    """Update a user group; either all given values change or none."""
    group = access_group_to_manage(tx, user, user_group_id)
    news = _news(tx, group, permissions)
    if news is None and name is None and description is None and deactivated is None:
        raise ApiError("No new data supplied")
    actions.update(
        tx,
        group,
        name=None if name is None else check_name(tx, name, other_than=group.id),
        description=None if description is None else description.strip(),
        group_settings=news,
    )
    if deactivated is not None and deactivated != group.deactivated:
        if deactivated:
            check_unused(tx, user, group)
            actions.deactivate(tx, group)
        else:
            actions.reactivate(tx, group)
    return {}


def _news(tx: Tx, group: GroupRow, requested: PermissionChanges) -> dict[str, GroupSetting] | None:
    """Return the settings that change; None if no setting was sent."""
    changes: dict[str, Change] = {
        field.name: change
        for field in fields(requested)
        if (change := getattr(requested, field.name)) is not None
    }
    if not changes:
        return None
    news: dict[str, GroupSetting] = {}
    for name, change in changes.items():
        current = permission(group, name)
        if change.old is not None and canonical(plain(change.old)) != current:
            raise Conflict("'old' value does not match the expected value.")
        new = _checked(tx, name, change.new)
        if new != current:
            news[name] = new
    return news


def deactivate(tx: Tx, user: UserRow, user_group_id: int) -> Done:
    """Deactivate a user group that no setting and no other group refers to."""
    group = access_group_to_manage(tx, user, user_group_id)
    if group.deactivated:
        raise ApiError("User group is already deactivated.")
    check_unused(tx, user, group)
    actions.deactivate(tx, group)
    return {}


def fill(
    tx: Tx,
    user: UserRow,
    user_group_id: int,
    *,
    delete: list[UserId] | None = None,
    add: list[UserId] | None = None,
    delete_subgroups: list[int] | None = None,
    add_subgroups: list[int] | None = None,
) -> Done:
    """Add and remove members and subgroups, in one transaction."""
    if not (delete or add or delete_subgroups or add_subgroups):
        raise ApiError('Nothing to do. Specify at least one of "add" or "delete".')
    _fill(
        tx,
        user,
        user_group_id,
        add=add or [],
        remove=delete or [],
        add_groups=add_subgroups or [],
        remove_groups=delete_subgroups or [],
    )
    return {}


def fill_subgroups(
    tx: Tx,
    user: UserRow,
    user_group_id: int,
    *,
    delete: list[int] | None = None,
    add: list[int] | None = None,
) -> Done:
    """Add and remove subgroups."""
    if not (delete or add):
        raise ApiError('Nothing to do. Specify at least one of "add" or "delete".')
    _fill(
        tx,
        user,
        user_group_id,
        add=[],
        remove=[],
        add_groups=add or [],
        remove_groups=delete or [],
    )
    return {}


def _fill(
    tx: Tx,
    user: UserRow,
    group_id: int,
    *,
    add: list[UserId],
    remove: list[UserId],
    add_groups: list[int],
    remove_groups: list[int],
) -> None:
    group = access_group_to_fill(
        tx, user, group_id, add=add, remove=remove, has_subgroups=bool(add_groups or remove_groups)
    )
    adding, removing = check_members(tx, add), check_members(tx, remove)
    check_changes(
        tx, group, add=adding, remove=removing, add_groups=add_groups, remove_groups=remove_groups
    )
    actions.fill(
        tx,
        group,
        add=adding,
        remove=removing,
        add_groups=sorted(set(add_groups)),
        remove_groups=sorted(set(remove_groups)),
    )


def members(
    db: Db, user: UserRow, user_group_id: int, *, direct_member_only: bool = False
) -> Members:
    """Get IDs of active members, by default including those of subgroups."""
    inside = _members(db, user_group_id, direct_only=direct_member_only)
    return {"members": sorted(inside - inaccessible_user_ids(db, user, inside))}


def _members(db: Db, group_id: int, *, direct_only: bool) -> frozenset[UserId]:
    group = access_group(db, group_id)
    if direct_only:
        return frozenset(all_members(db).get(group.id, ()))
    return members_of(db, group.id)


def is_member(
    db: Db,
    user: UserRow,
    user_group_id: int,
    user_id: UserId,
    *,
    direct_member_only: bool = False,
) -> Membership:
    """Get whether a user is a member of the group."""
    person = access_user(db, user, user_id)
    if direct_member_only:
        inside = person.id in _members(db, user_group_id, direct_only=True)
    else:
        inside = access_group(db, user_group_id).id in groups_of(db, person)
    return {"is_user_group_member": inside}


def subgroups(
    db: Db, user: UserRow, user_group_id: int, *, direct_subgroup_only: bool = False
) -> Subgroups:
    """Get IDs of the group's subgroups, by default including nested ones."""
    group = access_group(db, user_group_id)
    if direct_subgroup_only:
        return {"subgroups": sorted(user_groups.direct_subgroups(db).get(group.id, ()))}
    return {"subgroups": sorted(user_groups.contained(db, frozenset({group.id})) - {group.id})}
