"""User groups: creating, changing, members. Raises ApiError; the store changes by events."""

from __future__ import annotations

from collections.abc import Mapping, Set

from tui.api.features import GROUP_DEACTIVATION, SUBGROUPS
from tui.api.model import UserGroupId, UserId
from tui.api.routes import user_groups as routes
from tui.api.routes.channels import GroupChange
from tui.sync.machine import Sync


async def create(
    sync: Sync,
    *,
    name: str,
    description: str,
    members: Set[UserId],
    subgroups: Set[UserGroupId],
) -> None:
    """Create a group; the server sets its permissions."""
    at_once = SUBGROUPS.is_in(sync.store.realm.feature_level)
    await routes.create(
        sync.connection,
        name=name,
        description=description,
        members=sorted(members),
        subgroups=sorted(subgroups) if at_once else [],
        groups={},
    )
    if subgroups and not at_once:
        there = await routes.fetch(sync.connection, include_deactivated=False)
        group_id = next(each.id for each in there if each.name == name)
        await routes.update_subgroups(
            sync.connection, group_id=group_id, add=sorted(subgroups), delete=[]
        )


async def change(
    sync: Sync,
    group_id: UserGroupId,
    *,
    name: str | None = None,
    description: str | None = None,
    deactivated: bool | None = None,
    groups: Mapping[str, GroupChange] | None = None,
) -> None:
    """Change a group's name, description, permissions; None keeps a value. `deactivated` since level 386."""
    await routes.update(
        sync.connection,
        group_id=group_id,
        name=name,
        description=description,
        deactivated=deactivated,
        groups=groups or {},
    )


async def deactivate(sync: Sync, group_id: UserGroupId) -> None:
    """Deactivate a group."""
    if GROUP_DEACTIVATION.is_in(sync.store.realm.feature_level):
        await routes.deactivate(sync.connection, group_id=group_id)
    else:
        await routes.delete(sync.connection, group_id=group_id)


async def change_members(
    sync: Sync,
    group_id: UserGroupId,
    *,
    add: Set[UserId] = frozenset(),
    remove: Set[UserId] = frozenset(),
    add_groups: Set[UserGroupId] = frozenset(),
    remove_groups: Set[UserGroupId] = frozenset(),
) -> None:
    """Change a group's members, in one request if the server can; no request without a change."""
    at_once = SUBGROUPS.is_in(sync.store.realm.feature_level)
    if add or remove:
        await routes.update_members(
            sync.connection,
            group_id=group_id,
            add=sorted(add),
            delete=sorted(remove),
            add_subgroups=sorted(add_groups) if at_once else [],
            delete_subgroups=sorted(remove_groups) if at_once else [],
        )
        if at_once:
            return
    if add_groups or remove_groups:  # the form that old servers understand too
        await routes.update_subgroups(
            sync.connection,
            group_id=group_id,
            add=sorted(add_groups),
            delete=sorted(remove_groups),
        )


async def everybody_in(sync: Sync, group_id: UserGroupId) -> frozenset[UserId]:
    """Return the members of a group and of its subgroups."""
    return await routes.list_members(sync.connection, group_id=group_id, direct_only=False)


async def groups_in(sync: Sync, group_id: UserGroupId) -> frozenset[UserGroupId]:
    """Return the subgroups of a group, and theirs."""
    return await routes.list_subgroups(sync.connection, group_id=group_id, direct_only=False)
