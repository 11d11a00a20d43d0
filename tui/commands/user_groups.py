"""Making groups of people and changing who is in them. Raises ApiError; the store changes by events."""

from __future__ import annotations

from collections.abc import Mapping, Set

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
    """A new group; who may do what with it is as the server thinks best."""
    await routes.create(
        sync.connection,
        name=name,
        description=description,
        members=sorted(members),
        subgroups=sorted(subgroups),
        groups={},
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
    """Name, description, who may do what; what is None stays. `deactivated` since level 386."""
    await routes.update(
        sync.connection,
        group_id=group_id,
        name=name,
        description=description,
        deactivated=deactivated,
        groups=groups or {},
    )


async def deactivate(sync: Sync, group_id: UserGroupId) -> None:
    """Close a group."""
    await routes.deactivate(sync.connection, group_id=group_id)


async def change_members(
    sync: Sync,
    group_id: UserGroupId,
    *,
    add: Set[UserId] = frozenset(),
    remove: Set[UserId] = frozenset(),
    add_groups: Set[UserGroupId] = frozenset(),
    remove_groups: Set[UserGroupId] = frozenset(),
) -> None:
    """Who is in a group from now on, in one change; nothing where nothing changes."""
    if add or remove:
        await routes.update_members(
            sync.connection,
            group_id=group_id,
            add=sorted(add),
            delete=sorted(remove),
            add_subgroups=sorted(add_groups),
            delete_subgroups=sorted(remove_groups),
        )
    elif add_groups or remove_groups:  # what servers of old understand too
        await routes.update_subgroups(
            sync.connection,
            group_id=group_id,
            add=sorted(add_groups),
            delete=sorted(remove_groups),
        )


async def everybody_in(sync: Sync, group_id: UserGroupId) -> frozenset[UserId]:
    """The people of a group and of the groups in it."""
    return await routes.list_members(sync.connection, group_id=group_id, direct_only=False)


async def groups_in(sync: Sync, group_id: UserGroupId) -> frozenset[UserGroupId]:
    """The groups in a group, and in those."""
    return await routes.list_subgroups(sync.connection, group_id=group_id, direct_only=False)
