"""Events about people and groups, as frozen types: profiles, status, presence. Pure."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import (
    GroupSetting,
    MutedUser,
    Presence,
    ProfileFieldId,
    User,
    UserGroup,
    UserGroupId,
    UserId,
    UserStatus,
)
from tui.api.wire import UNSET, DefaultWhenMissing, Key, Unset
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFieldChange:
    """A user's new value of a custom profile field; a `value` of None removes it."""

    id: ProfileFieldId
    value: str | None
    rendered_value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChange:
    """The changed fields of a user; None (or `UNSET` where null is a value) is unchanged."""

    user_id: UserId
    full_name: str | None
    email: Annotated[str | None, Key("new_email")]
    delivery_email: Annotated[str | Unset | None, DefaultWhenMissing(UNSET)]
    role: int | None
    timezone: str | None
    avatar_url: Annotated[str | Unset | None, DefaultWhenMissing(UNSET)]
    avatar_version: int | None
    bot_owner_id: UserId | None
    is_active: bool | None
    is_imported_stub: bool | None
    date_joined: str | None
    custom_profile_field: ProfileFieldChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUserUpdateEvent(BaseEvent):
    """A user changed; deactivation is one of the changes."""

    type: ClassVar = "realm_user"
    op: ClassVar = "update"
    person: PersonChange


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUserAddEvent(BaseEvent):
    """A user joined, or became visible."""

    type: ClassVar = "realm_user"
    op: ClassVar = "add"
    person: User


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUserRemoveEvent(BaseEvent):
    """A user is not visible any more (guests see only some people)."""

    type: ClassVar = "realm_user"
    op: ClassVar = "remove"
    user_id: Annotated[UserId, Key("person.user_id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStatusEvent(BaseEvent):
    """A user's status changed: None in `status` is unchanged, "" was cleared."""

    type: ClassVar = "user_status"
    user_id: UserId
    status: UserStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceEvent(BaseEvent):
    """People who came online; going offline has no event."""

    type: ClassVar = "presence"
    presences: Mapping[UserId, Presence]


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedUsersEvent(BaseEvent):
    """All users whom the user mutes now."""

    type: ClassVar = "muted_users"
    muted_users: tuple[MutedUser, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupAddEvent(BaseEvent):
    """A group was created, or reactivated."""

    type: ClassVar = "user_group"
    op: ClassVar = "add"
    group: UserGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupChange:
    """The changed fields of a group; None is unchanged."""

    name: str | None
    description: str | None
    deactivated: bool | None
    can_add_members_group: GroupSetting | None
    can_join_group: GroupSetting | None
    can_leave_group: GroupSetting | None
    can_manage_group: GroupSetting | None
    can_mention_group: GroupSetting | None
    can_remove_members_group: GroupSetting | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupUpdateEvent(BaseEvent):
    """A group was changed, or deactivated."""

    type: ClassVar = "user_group"
    op: ClassVar = "update"
    group_id: UserGroupId
    data: UserGroupChange


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupAddMembersEvent(BaseEvent):
    """Users were added to a group."""

    type: ClassVar = "user_group"
    op: ClassVar = "add_members"
    group_id: UserGroupId
    user_ids: frozenset[UserId]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupRemoveMembersEvent(BaseEvent):
    """Users were removed from a group."""

    type: ClassVar = "user_group"
    op: ClassVar = "remove_members"
    group_id: UserGroupId
    user_ids: frozenset[UserId]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupAddSubgroupsEvent(BaseEvent):
    """Subgroups were added to a group."""

    type: ClassVar = "user_group"
    op: ClassVar = "add_subgroups"
    group_id: UserGroupId
    direct_subgroup_ids: frozenset[UserGroupId]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupRemoveSubgroupsEvent(BaseEvent):
    """Subgroups were removed from a group."""

    type: ClassVar = "user_group"
    op: ClassVar = "remove_subgroups"
    group_id: UserGroupId
    direct_subgroup_ids: frozenset[UserGroupId]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroupRemoveEvent(BaseEvent):
    """A group was deleted (servers that keep deactivated groups send an update)."""

    type: ClassVar = "user_group"
    op: ClassVar = "remove"
    group_id: UserGroupId


UserEvents: TypeAlias = (
    RealmUserUpdateEvent
    | RealmUserAddEvent
    | RealmUserRemoveEvent
    | UserStatusEvent
    | PresenceEvent
    | MutedUsersEvent
    | UserGroupAddEvent
    | UserGroupUpdateEvent
    | UserGroupAddMembersEvent
    | UserGroupRemoveMembersEvent
    | UserGroupAddSubgroupsEvent
    | UserGroupRemoveSubgroupsEvent
    | UserGroupRemoveEvent
)
