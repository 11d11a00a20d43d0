"""The snapshot as a type: every field that register can return. Reads nothing."""

from typing import Annotated

from typing_extensions import TypedDict

from server_lite.ids import MessageId, UserId
from server_lite.objects.bots import BotObject
from server_lite.objects.channels import ChannelFolderObject, ChannelObject, UserTopicObject
from server_lite.objects.events.users import MutedUser
from server_lite.objects.json_schema import JsonSchema
from server_lite.objects.organization import (
    DomainObject,
    EmojiObject,
    LinkifierObject,
    PlaygroundObject,
)
from server_lite.objects.personal import (
    DraftObject,
    NavigationViewObject,
    ReminderObject,
    SavedSnippetObject,
    ScheduledMessageObject,
    StatusObject,
)
from server_lite.objects.presence import LegacyPresence, Timestamps
from server_lite.objects.profile_fields import ProfileFieldObject
from server_lite.objects.settings import DEFAULT_USER_SETTINGS, USER_SETTINGS
from server_lite.objects.subscriptions import NeverSubscribed, SubscriptionObject
from server_lite.objects.user_groups import UserGroupObject
from server_lite.objects.users import UserObject
from server_lite.snapshot.server_state import ServerState


class RecentConversation(TypedDict):
    """A direct conversation, by its other participants."""

    max_message_id: MessageId
    user_ids: list[UserId]


class UnreadDirect(TypedDict):
    """Unread direct messages of one other user; `sender_id` is the deprecated name."""

    other_user_id: int
    sender_id: UserId
    unread_message_ids: list[int]


class UnreadTopic(TypedDict):
    """Unread messages of a topic."""

    stream_id: int
    topic: str
    unread_message_ids: list[int]


class UnreadGroup(TypedDict):
    """Unread messages of a group conversation; IDs of all participants, joined by commas."""

    user_ids_string: str
    unread_message_ids: list[int]


class UnreadMessages(TypedDict):
    """`count` excludes muted messages."""

    count: int
    pms: list[UnreadDirect]
    streams: list[UnreadTopic]
    huddles: list[UnreadGroup]
    mentions: list[int]
    old_unreads_missing: bool


class DeviceObject(TypedDict):
    """The state of a device's push registration."""

    push_key_id: int | None
    push_token_id: str | None
    pending_push_token_id: str | None
    push_token_last_updated_timestamp: int | None
    push_registration_error_code: str | None


class ProfileFieldType(TypedDict):
    """A type of profile fields."""

    id: int
    name: str


class Myself(TypedDict, total=False):
    """The user's own account and permissions."""

    user_id: UserId
    email: str
    delivery_email: str
    full_name: str
    avatar_source: str
    avatar_url: str
    avatar_url_medium: str
    is_owner: bool
    is_admin: bool
    is_moderator: bool
    is_guest: bool
    can_create_streams: bool
    can_create_public_streams: bool
    can_create_private_streams: bool
    can_create_web_public_streams: bool
    can_subscribe_other_users: bool
    can_invite_others_to_realm: bool


class State(ServerState, Myself, total=False):
    """A field is present if its section was requested (`fetch_event_types`)."""

    realm_users: list[UserObject]
    realm_non_active_users: list[UserObject]
    cross_realm_bots: list[UserObject]
    realm_bots: list[BotObject]
    realm_user_groups: list[UserGroupObject]
    user_status: dict[str, StatusObject]
    subscriptions: list[SubscriptionObject]
    unsubscribed: list[SubscriptionObject]
    streams: list[ChannelObject]
    realm_default_streams: list[int]
    channel_folders: list[ChannelFolderObject]
    user_topics: list[UserTopicObject]
    max_message_id: MessageId
    starred_messages: list[int]
    drafts: list[DraftObject]
    saved_snippets: list[SavedSnippetObject]
    scheduled_messages: list[ScheduledMessageObject]
    reminders: list[ReminderObject]
    navigation_views: list[NavigationViewObject]
    alert_words: list[str]
    realm_linkifiers: list[LinkifierObject]
    realm_emoji: dict[str, EmojiObject]
    custom_profile_fields: list[ProfileFieldObject]
    realm_playgrounds: list[PlaygroundObject]
    realm_domains: list[DomainObject]
    realm_filters: list[list[int | str]]
    custom_profile_field_types: dict[str, ProfileFieldType]
    presences: dict[str, Timestamps | LegacyPresence]
    presence_last_update_id: int
    server_timestamp: float
    never_subscribed: list[NeverSubscribed]
    realm_default_stream_groups: list[dict[str, object]]
    muted_topics: list[list[str | int]]
    recent_private_conversations: list[RecentConversation]
    user_settings: Annotated[dict[str, object], JsonSchema(USER_SETTINGS)]
    realm_user_settings_defaults: Annotated[dict[str, object], JsonSchema(DEFAULT_USER_SETTINGS)]
    muted_users: list[MutedUser]
    devices: dict[str, DeviceObject]
    unread_msgs: UnreadMessages
    has_zoom_token: bool
    has_webex_token: bool
