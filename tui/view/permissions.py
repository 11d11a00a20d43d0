"""The user's permissions in the organization, to offer only what is allowed. Pure; the server decides."""

from __future__ import annotations

from tui.api.model import GroupSetting, Role, UserGroup
from tui.store import Store


def role(store: Store) -> int:
    """Return the user's role; lower numbers have more permissions. Unknown users are guests."""
    user = store.users.get(store.self_id)
    return Role.GUEST if user is None else user.role


def is_administrator(store: Store) -> bool:
    """Whether the user is an owner or administrator of the organization."""
    return role(store) <= Role.ADMINISTRATOR


def is_owner(store: Store) -> bool:
    """Whether the user is an owner of the organization."""
    return role(store) <= Role.OWNER


def is_member(store: Store) -> bool:
    """Whether the user is at least a member, and no guest."""
    return role(store) <= Role.MEMBER


def is_in(store: Store, setting: GroupSetting | None) -> bool:
    """Whether a group setting includes the user; where an older server has none, administrators only."""
    if setting is None:
        return is_administrator(store)
    return store.groups.includes(setting, store.self_id)


def may_create_groups(store: Store) -> bool:
    """Whether the user may create user groups."""
    return is_member(store) and is_in(store, store.realm.settings.can_create_groups)


def may_manage_group(store: Store, group: UserGroup) -> bool:
    """Whether the user may change everything about a group."""
    if group.is_system_group or not is_member(store):
        return False
    everywhere = store.realm.settings.can_manage_all_groups
    return is_in(store, everywhere) or is_in(store, group.can_manage_group)


def may_add_members(store: Store, group: UserGroup) -> bool:
    """Whether the user may add others to a group."""
    named = is_in(store, group.can_add_members_group) and is_member(store)
    return may_manage_group(store, group) or (named and not group.is_system_group)


def may_remove_members(store: Store, group: UserGroup) -> bool:
    """Whether the user may remove others from a group."""
    named = is_in(store, group.can_remove_members_group) and is_member(store)
    return may_manage_group(store, group) or (named and not group.is_system_group)


def may_join_group(store: Store, group: UserGroup) -> bool:
    """Whether the user may join a group."""
    joins = is_in(store, group.can_join_group) and not group.is_system_group
    return joins or may_add_members(store, group)


def may_leave_group(store: Store, group: UserGroup) -> bool:
    """Whether the user may leave a group."""
    leaves = is_in(store, group.can_leave_group) and not group.is_system_group
    return leaves or may_remove_members(store, group)


def may_invite_people(store: Store) -> bool:
    """Whether the user may invite people by email."""
    return is_member(store) and is_in(store, store.realm.settings.can_invite_users_group)


def may_make_links(store: Store) -> bool:
    """Whether the user may create reusable invitation links."""
    return is_member(store) and is_in(store, store.realm.settings.create_multiuse_invite_group)


def may_invite(store: Store) -> bool:
    """Whether the user may invite in any way."""
    return may_invite_people(store) or may_make_links(store)
