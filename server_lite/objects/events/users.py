"""Events about users and groups: their fields, for the API description. Contains types only."""

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
    """An account was created."""

    type: Literal["realm_user"]
    op: Literal["add"]
    person: UserObject


class ChangedProfileValue(TypedDict):
    """The user's new value of a profile field."""

    id: int
    value: str | None
    rendered_value: NotRequired[str]


class ChangedUser(TypedDict):
    """The user, with the changed values."""

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
    """A value of an account was changed."""

    type: Literal["realm_user"]
    op: Literal["update"]
    person: ChangedUser


class NamedUser(TypedDict):
    """A user who became invisible."""

    user_id: UserId
    full_name: str


class UserRemoveEvent(EventBase):
    """A user became invisible to the guest."""

    type: Literal["realm_user"]
    op: Literal["remove"]
    person: NamedUser


class UserStatusEvent(EventBase, StatusObject):
    """A user's status was changed: only changed fields, '' for cleared ones."""

    type: Literal["user_status"]
    user_id: UserId


class ModernPresenceEvent(EventBase):
    """Presence by user ID; for clients with `simplified_presence_events`."""

    type: Literal["presence"]
    presences: dict[str, Timestamps]


class WebsitePresence(TypedDict):
    """Presence reported by a single client."""

    website: Website


class PresenceEvent(EventBase):
    """Presence of a user, for older clients; `email` is included without `slim_presence`."""

    type: Literal["presence"]
    user_id: UserId
    email: NotRequired[str]
    server_timestamp: float
    presence: WebsitePresence


class MutedUser(TypedDict):
    """A user whom the user muted, and when (UNIX seconds)."""

    id: int
    timestamp: int


class MutedUsersEvent(EventBase):
    """All users whom the user muted."""

    type: Literal["muted_users"]
    muted_users: list[MutedUser]


class UserGroupAddEvent(EventBase):
    """A group was created."""

    type: Literal["user_group"]
    op: Literal["add"]
    group: UserGroupObject


class UserGroupChange(TypedDict, total=False):
    """The changed values."""

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
    """Members were added to a group, or removed."""

    type: Literal["user_group"]
    op: Literal["add_members", "remove_members"]
    group_id: int
    user_ids: list[UserId]


class UserGroupSubgroupsEvent(EventBase):
    """Subgroups were added to a group, or removed."""

    type: Literal["user_group"]
    op: Literal["add_subgroups", "remove_subgroups"]
    group_id: int
    direct_subgroup_ids: list[int]


class UserGroupRemoveEvent(EventBase):
    """A group was deactivated; for clients without `include_deactivated_groups`."""

    type: Literal["user_group"]
    op: Literal["remove"]
    group_id: int


class ExportConsentEvent(EventBase):
    """A user allowed or forbade exporting their private data; for administrators."""

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
