"""Events about people and groups as the API's JSON: their fields, for the description. Holds types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.events.base import EventBase
from server_lite.objects.personal import StatusObject
from server_lite.objects.presence import Timestamps, Website
from server_lite.objects.user_groups import UserGroupObject
from server_lite.objects.users import UserObject
from server_lite.store.user_groups import GroupSetting


class UserAddEvent(EventBase):
    """There is a new account."""

    type: Literal["realm_user"]
    op: Literal["add"]
    person: UserObject


class ChangedProfileValue(TypedDict):
    """What the person says in a field of the profile now."""

    id: int
    value: str | None
    rendered_value: NotRequired[str]


class ChangedUser(TypedDict):
    """The person, and what is new."""

    user_id: UserId
    full_name: NotRequired[str]
    email: NotRequired[str]
    new_email: NotRequired[str]
    delivery_email: NotRequired[str | None]
    avatar_url: NotRequired[str]
    avatar_url_medium: NotRequired[str]
    avatar_source: NotRequired[str]
    avatar_version: NotRequired[int]
    timezone: NotRequired[str]
    bot_owner_id: NotRequired[UserId]
    role: NotRequired[int]
    custom_profile_field: NotRequired[ChangedProfileValue]
    is_active: NotRequired[bool]
    is_imported_stub: NotRequired[bool]
    date_joined: NotRequired[str]


class UserUpdateEvent(EventBase):
    """One thing about an account changed."""

    type: Literal["realm_user"]
    op: Literal["update"]
    person: ChangedUser


class NamedUser(TypedDict):
    """Somebody of whom the person may no longer know."""

    user_id: UserId
    full_name: str


class UserRemoveEvent(EventBase):
    """A guest may no longer know of somebody."""

    type: Literal["realm_user"]
    op: Literal["remove"]
    person: NamedUser


class UserStatusEvent(EventBase, StatusObject):
    """What somebody says of themselves: only what changed, '' for what they took back."""

    type: Literal["user_status"]
    user_id: UserId


class ModernPresenceEvent(EventBase):
    """Somebody is here; by user ID, to clients with `simplified_presence_events`."""

    type: Literal["presence"]
    presences: dict[str, Timestamps]


class WebsitePresence(TypedDict):
    """What the one client that is told of says."""

    website: Website


class PresenceEvent(EventBase):
    """The same to older clients; `email` to those without `slim_presence`."""

    type: Literal["presence"]
    user_id: UserId
    email: NotRequired[str]
    server_timestamp: float
    presence: WebsitePresence


class MutedUser(TypedDict):
    """Somebody whom the person muted, and when (UNIX seconds)."""

    id: int
    timestamp: int


class MutedUsersEvent(EventBase):
    """Everybody whom the person muted."""

    type: Literal["muted_users"]
    muted_users: list[MutedUser]


class UserGroupAddEvent(EventBase):
    """There is a new group."""

    type: Literal["user_group"]
    op: Literal["add"]
    group: UserGroupObject


class UserGroupChange(TypedDict, total=False):
    """What changed."""

    name: str
    description: str
    deactivated: bool
    can_add_members_group: GroupSetting
    can_join_group: GroupSetting
    can_leave_group: GroupSetting
    can_manage_group: GroupSetting
    can_mention_group: GroupSetting
    can_remove_members_group: GroupSetting


class UserGroupUpdateEvent(EventBase):
    """A group was changed."""

    type: Literal["user_group"]
    op: Literal["update"]
    group_id: int
    data: UserGroupChange


class UserGroupMembersEvent(EventBase):
    """People were added to a group, or removed."""

    type: Literal["user_group"]
    op: Literal["add_members", "remove_members"]
    group_id: int
    user_ids: list[UserId]


class UserGroupSubgroupsEvent(EventBase):
    """Groups were added to a group, or removed."""

    type: Literal["user_group"]
    op: Literal["add_subgroups", "remove_subgroups"]
    group_id: int
    direct_subgroup_ids: list[int]


class UserGroupRemoveEvent(EventBase):
    """A group was deactivated; to clients without `include_deactivated_groups`."""

    type: Literal["user_group"]
    op: Literal["remove"]
    group_id: int


class ExportConsentEvent(EventBase):
    """Somebody allows an export of their private data, or not; to administrators."""

    type: Literal["realm_export_consent"]
    user_id: UserId
    consented: bool


UserEvents = (
    UserAddEvent
    | UserUpdateEvent
    | UserRemoveEvent
    | UserStatusEvent
    | ModernPresenceEvent
    | PresenceEvent
    | MutedUsersEvent
    | UserGroupAddEvent
    | UserGroupUpdateEvent
    | UserGroupMembersEvent
    | UserGroupSubgroupsEvent
    | UserGroupRemoveEvent
    | ExportConsentEvent
)
