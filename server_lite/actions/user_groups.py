"""Creates, changes and deactivates user groups. Checks no permissions: callers did."""

from collections.abc import Mapping

from server_lite.access.channel_audience import everybody
from server_lite.access.user_groups import members_of
from server_lite.actions.channel_visibility import tracking_channel_visibility
from server_lite.actions.group_members import emit_group, emit_members
from server_lite.events.users import (
    GroupAdded,
    GroupDeactivated,
    GroupReactivated,
    GroupUpdated,
    MembersAdded,
    MembersRemoved,
    SubgroupsAdded,
    SubgroupsRemoved,
)
from server_lite.ids import UserId
from server_lite.objects.user_groups import UserGroupObject, group_object
from server_lite.store import user_groups
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.user_groups import GroupRow, GroupSetting
from server_lite.store.users import UserRow


def create(
    tx: Tx,
    creator: UserRow,
    *,
    name: str,
    description: str,
    members: list[UserId],
    subgroups: list[int],
    group_settings: Mapping[str, GroupSetting],
) -> GroupRow:
    """Create a group, with an event to all users. By default its creator may manage it and add members."""
    own: GroupSetting = {"direct_members": [creator.id], "direct_subgroups": []}
    chosen = {"can_manage_group": own, "can_add_members_group": own, **group_settings}
    group_id = user_groups.insert(
        tx,
        name=name,
        description=description,
        creator_id=creator.id,
        now=tx.now,
        group_settings=chosen,
    )
    user_groups.add_members(tx, group_id, members)
    user_groups.add_subgroups(tx, group_id, subgroups)
    group = user_groups.by_id(tx, group_id)
    assert group is not None
    emit_group(tx, GroupAdded, _object(tx, group))
    return group


def _object(db: Db, group: GroupRow) -> UserGroupObject:
    members = user_groups.members_listed(db, group.id)
    return group_object(group, members, user_groups.direct_subgroups(db).get(group.id, []))


def update(
    tx: Tx,
    group: GroupRow,
    *,
    name: str | None = None,
    description: str | None = None,
    group_settings: Mapping[str, GroupSetting] | None = None,
) -> None:
    """Change the values that are not None, and the given settings; the event holds only changed ones."""
    news: list[dict[str, object]] = []
    if name is not None and name != group.name:
        user_groups.set_name(tx, group.id, name)
        news.append({"name": name})
    if description is not None and description != group.description:
        user_groups.set_description(tx, group.id, description)
        news.append({"description": description})
    if group_settings:
        user_groups.set_settings(tx, group.id, {**group.settings, **group_settings})
        news += [{setting: value} for setting, value in group_settings.items()]
    for data in news:
        event = GroupUpdated(group_id=group.id, data=data, is_deactivated=group.deactivated)
        tx.emit(event, to=everybody(tx))


def deactivate(tx: Tx, group: GroupRow) -> None:
    """Deactivate a group that no setting refers to."""
    user_groups.set_deactivated(tx, group.id, True)
    tx.emit(GroupDeactivated(group_id=group.id), to=everybody(tx))


def reactivate(tx: Tx, group: GroupRow) -> None:
    """Reactivate a group, with its members."""
    user_groups.set_deactivated(tx, group.id, False)
    opened = user_groups.by_id(tx, group.id)
    assert opened is not None
    emit_group(tx, GroupReactivated, _object(tx, opened))


def fill(
    tx: Tx,
    group: GroupRow,
    *,
    add: list[UserId],
    remove: list[UserId],
    add_groups: list[int],
    remove_groups: list[int],
) -> None:
    """Add and remove members and subgroups: removals first."""
    moved = {*add, *remove}
    if subgroups := [*add_groups, *remove_groups]:
        moved |= members_of(tx, {"direct_members": [], "direct_subgroups": subgroups})
    with tracking_channel_visibility(tx, group.id, moved):
        everyone = everybody(tx)
        if remove:
            user_groups.remove_members(tx, group.id, remove)
            emit_members(tx, MembersRemoved, group.id, remove, is_closed=False)
        if add:
            user_groups.add_members(tx, group.id, add)
            emit_members(tx, MembersAdded, group.id, add, is_closed=False)
        if remove_groups:
            user_groups.remove_subgroups(tx, group.id, remove_groups)
            tx.emit(SubgroupsRemoved(group_id=group.id, subgroup_ids=remove_groups), to=everyone)
        if add_groups:
            user_groups.add_subgroups(tx, group.id, add_groups)
            tx.emit(SubgroupsAdded(group_id=group.id, subgroup_ids=add_groups), to=everyone)
