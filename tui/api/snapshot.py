"""The answer of /register: the client's whole initial state, as one frozen type. Pure.

Only fields that this client uses. A field that an older server or a smaller request leaves out is None where
that differs from empty, else empty.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from tui.api.model import (
    Channel,
    ChannelFolder,
    ChannelId,
    DeviceId,
    Draft,
    EmojiId,
    EventId,
    GroupSetting,
    MessageId,
    MutedUser,
    NavigationView,
    NotUnlessSent,
    Presence,
    QueueId,
    RecentDm,
    Reminder,
    SavedSnippet,
    ScheduledMessage,
    Subscription,
    UnreadMessages,
    User,
    UserGroup,
    UserId,
    UserStatus,
    UserTopic,
)
from tui.api.organization import (
    BotSettings,
    CustomEmoji,
    CustomProfileField,
    EmbeddedBot,
    IncomingWebhook,
    Linkifier,
    OnboardingStep,
    Playground,
    RealmDomain,
)
from tui.api.wire import DefaultWhenMissing, Key
from tui.dataclass import dataclass

Subscriptions: TypeAlias = Annotated[tuple[Subscription, ...], DefaultWhenMissing(())]
Channels: TypeAlias = Annotated[tuple[Channel, ...], DefaultWhenMissing(())]
Users: TypeAlias = Annotated[tuple[User, ...], DefaultWhenMissing(())]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """Lengths in characters, sizes in MiB, periods as their names say."""

    max_message_length: Annotated[int, DefaultWhenMissing(10_000)]
    max_topic_length: Annotated[int, DefaultWhenMissing(60)]
    max_channel_name_length: Annotated[int, Key("max_stream_name_length"), DefaultWhenMissing(60)]
    max_channel_description_length: Annotated[
        int, Key("max_stream_description_length"), DefaultWhenMissing(1024)
    ]
    max_reminder_note_length: Annotated[int, DefaultWhenMissing(1000)]
    max_file_upload_size_mib: Annotated[int, DefaultWhenMissing(25)]
    max_avatar_file_size_mib: Annotated[int, DefaultWhenMissing(5)]
    presence_ping_interval_seconds: Annotated[
        int, Key("server_presence_ping_interval_seconds"), DefaultWhenMissing(60)
    ]
    presence_offline_threshold_seconds: Annotated[
        int, Key("server_presence_offline_threshold_seconds"), DefaultWhenMissing(140)
    ]
    typing_started_expiry_period_milliseconds: Annotated[
        int, Key("server_typing_started_expiry_period_milliseconds"), DefaultWhenMissing(15_000)
    ]
    typing_started_wait_period_milliseconds: Annotated[
        int, Key("server_typing_started_wait_period_milliseconds"), DefaultWhenMissing(10_000)
    ]
    typing_stopped_wait_period_milliseconds: Annotated[
        int, Key("server_typing_stopped_wait_period_milliseconds"), DefaultWhenMissing(5_000)
    ]
    event_queue_longpoll_timeout_seconds: Annotated[int, DefaultWhenMissing(90)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmSettings:
    """The organization's settings, as far as this client uses them.

    Periods are in seconds; for them None means unlimited. For others: the server is older.
    """

    name: Annotated[str, DefaultWhenMissing("")]
    url: Annotated[str, Key("url", "uri"), DefaultWhenMissing("")]
    description: Annotated[str, DefaultWhenMissing("")]
    icon_url: str | None
    empty_topic_display_name: Annotated[str, DefaultWhenMissing("general chat")]
    mandatory_topics: NotUnlessSent
    topics_policy: str | None
    allow_message_editing: Annotated[bool, DefaultWhenMissing(True)]
    message_content_edit_limit_seconds: int | None
    message_content_delete_limit_seconds: int | None
    move_messages_within_stream_limit_seconds: int | None
    move_messages_between_streams_limit_seconds: int | None
    message_edit_history_visibility_policy: Annotated[str, DefaultWhenMissing("all")]
    enable_read_receipts: NotUnlessSent
    presence_disabled: NotUnlessSent
    name_changes_disabled: NotUnlessSent
    avatar_changes_disabled: NotUnlessSent
    waiting_period_threshold: Annotated[int, DefaultWhenMissing(0)]
    default_code_block_language: str | None
    default_language: str | None
    default_avatar_source: str | None
    org_type: int | None
    welcome_message_custom_text: str | None
    message_retention_days: int | None
    jitsi_server_url: str | None
    video_chat_provider: int | None
    gif_rating_policy: int | None
    media_preview_size: int | None
    inline_image_preview: bool | None
    inline_url_embed_preview: bool | None
    plan_type: int | None
    enable_guest_user_indicator: NotUnlessSent
    enable_guest_user_dm_warning: bool | None
    enable_spectator_access: bool | None
    send_channel_events_messages: bool | None
    owner_full_content_access: bool | None
    invite_required: bool | None
    emails_restricted_to_domains: bool | None
    disallow_disposable_email_addresses: bool | None
    email_changes_disabled: bool | None
    require_unique_names: bool | None
    send_welcome_emails: bool | None
    digest_emails_enabled: bool | None
    digest_weekday: int | None
    message_content_allowed_in_email_notifications: bool | None
    require_e2ee_push_notifications: bool | None
    want_advertise_in_communities_directory: bool | None
    new_stream_announcements_stream_id: int | None
    signup_announcements_stream_id: int | None
    moderation_request_channel_id: int | None
    can_access_all_users_group: GroupSetting | None
    can_add_custom_emoji_group: GroupSetting | None
    can_add_subscribers_group: GroupSetting | None
    can_create_groups: GroupSetting | None
    can_create_bots_group: GroupSetting | None
    can_create_private_channel_group: GroupSetting | None
    can_create_public_channel_group: GroupSetting | None
    can_create_web_public_channel_group: GroupSetting | None
    can_create_write_only_bots_group: GroupSetting | None
    can_delete_any_message_group: GroupSetting | None
    can_delete_own_message_group: GroupSetting | None
    can_invite_users_group: GroupSetting | None
    can_manage_all_groups: GroupSetting | None
    can_manage_billing_group: GroupSetting | None
    can_mention_many_users_group: GroupSetting | None
    can_move_messages_between_channels_group: GroupSetting | None
    can_move_messages_between_topics_group: GroupSetting | None
    can_resolve_topics_group: GroupSetting | None
    can_set_delete_message_policy_group: GroupSetting | None
    can_set_topics_policy_group: GroupSetting | None
    can_summarize_topics_group: GroupSetting | None
    create_multiuse_invite_group: GroupSetting | None
    direct_message_initiator_group: GroupSetting | None
    direct_message_permission_group: GroupSetting | None
    workplace_users_group: GroupSetting | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettings:
    """The user's settings, as far as this client uses them. None: the server is older."""

    twenty_four_hour_time: bool | None
    starred_message_counts: Annotated[bool, DefaultWhenMissing(True)]
    receives_typing_notifications: Annotated[bool, DefaultWhenMissing(True)]
    send_private_typing_notifications: Annotated[bool, DefaultWhenMissing(True)]
    send_stream_typing_notifications: Annotated[bool, DefaultWhenMissing(True)]
    send_read_receipts: Annotated[bool, DefaultWhenMissing(True)]
    presence_enabled: Annotated[bool, DefaultWhenMissing(True)]
    display_emoji_reaction_users: Annotated[bool, DefaultWhenMissing(True)]
    translate_emoticons: NotUnlessSent
    enter_sends: NotUnlessSent
    color_scheme: Annotated[int, DefaultWhenMissing(1)]
    default_language: Annotated[str, DefaultWhenMissing("en")]
    timezone: Annotated[str, DefaultWhenMissing("")]
    web_home_view: Annotated[str, DefaultWhenMissing("inbox")]
    web_mark_read_on_scroll_policy: Annotated[int, DefaultWhenMissing(1)]
    web_channel_default_view: Annotated[int, DefaultWhenMissing(1)]
    demote_inactive_streams: Annotated[int, DefaultWhenMissing(1)]
    user_list_style: Annotated[int, DefaultWhenMissing(2)]
    enable_drafts_synchronization: Annotated[bool, DefaultWhenMissing(True)]
    enable_stream_desktop_notifications: NotUnlessSent
    enable_stream_audible_notifications: NotUnlessSent
    enable_followed_topic_desktop_notifications: Annotated[bool, DefaultWhenMissing(True)]
    enable_followed_topic_audible_notifications: Annotated[bool, DefaultWhenMissing(True)]
    enable_followed_topic_wildcard_mentions_notify: Annotated[bool, DefaultWhenMissing(True)]
    enable_desktop_notifications: Annotated[bool, DefaultWhenMissing(True)]
    enable_sounds: Annotated[bool, DefaultWhenMissing(True)]
    wildcard_mentions_notify: Annotated[bool, DefaultWhenMissing(True)]
    pm_content_in_desktop_notifications: Annotated[bool, DefaultWhenMissing(True)]
    desktop_icon_count_display: Annotated[int, DefaultWhenMissing(1)]
    automatically_follow_topics_policy: Annotated[int, DefaultWhenMissing(4)]
    automatically_unmute_topics_in_muted_streams_policy: Annotated[int, DefaultWhenMissing(4)]
    automatically_follow_topics_where_mentioned: NotUnlessSent
    email_address_visibility: Annotated[int, DefaultWhenMissing(1)]
    enable_stream_push_notifications: bool | None
    enable_stream_email_notifications: bool | None
    enable_followed_topic_push_notifications: bool | None
    enable_followed_topic_email_notifications: bool | None
    enable_offline_push_notifications: bool | None
    enable_online_push_notifications: bool | None
    enable_offline_email_notifications: bool | None
    message_content_in_email_notifications: bool | None
    email_notifications_batching_period_seconds: int | None
    resolved_topic_notice_auto_read_policy: str | None
    allow_private_data_export: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device of the user; with a token it gets push notifications."""

    push_token_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoProvider:
    """A service for video calls; `id` is the organization's `video_chat_provider`."""

    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialSnapshot:
    """The state of the organization as the user sees it, at one position of the event stream.

    The user's own ID is `user_id`, and is among `users`. `users` leaves out deactivated people
    (`non_active_users`) and system bots (`cross_realm_bots`).
    """

    queue_id: QueueId
    last_event_id: EventId
    feature_level: Annotated[
        int, Key("service_feature_level", "zulip_feature_level"), DefaultWhenMissing(0)
    ]
    version: Annotated[str, Key("zulip_version"), DefaultWhenMissing("")]
    idle_queue_timeout_seconds: Annotated[
        int, Key("idle_queue_timeout_secs"), DefaultWhenMissing(600)
    ]
    idempotency_keys: NotUnlessSent
    """The server carries out requests with the same `Idempotency-Key` only once."""
    event_stream: NotUnlessSent
    """The server sends events in one long answer to a client that asks for it."""
    organization_generation: Annotated[str, DefaultWhenMissing("")]
    """Changes after a restore from a backup; empty where the server has none."""

    user_id: UserId
    users: Annotated[Users, Key("realm_users")]
    non_active_users: Annotated[Users, Key("realm_non_active_users")]
    cross_realm_bots: Users
    user_groups: Annotated[tuple[UserGroup, ...], Key("realm_user_groups"), DefaultWhenMissing(())]
    user_status: Annotated[Mapping[UserId, UserStatus], DefaultWhenMissing({})]
    presences: Annotated[Mapping[UserId, Presence], DefaultWhenMissing({})]
    presence_last_update_id: Annotated[int, DefaultWhenMissing(-1)]
    server_timestamp: float | None
    muted_users: Annotated[tuple[MutedUser, ...], DefaultWhenMissing(())]

    subscriptions: Subscriptions
    unsubscribed: Subscriptions
    never_subscribed: Channels
    default_channel_ids: Annotated[
        frozenset[ChannelId], Key("realm_default_streams"), DefaultWhenMissing(frozenset())
    ]
    channel_folders: Annotated[tuple[ChannelFolder, ...], DefaultWhenMissing(())]
    user_topics: Annotated[tuple[UserTopic, ...], DefaultWhenMissing(())]

    max_message_id: Annotated[MessageId, DefaultWhenMissing(-1)]
    unread_messages: Annotated[UnreadMessages | None, Key("unread_msgs")]
    starred_messages: Annotated[frozenset[MessageId], DefaultWhenMissing(frozenset())]
    recent_dms: Annotated[
        tuple[RecentDm, ...], Key("recent_private_conversations"), DefaultWhenMissing(())
    ]

    drafts: Annotated[tuple[Draft, ...], DefaultWhenMissing(())]
    saved_snippets: Annotated[tuple[SavedSnippet, ...], DefaultWhenMissing(())]
    scheduled_messages: Annotated[tuple[ScheduledMessage, ...], DefaultWhenMissing(())]
    reminders: Annotated[tuple[Reminder, ...], DefaultWhenMissing(())]
    navigation_views: Annotated[tuple[NavigationView, ...], DefaultWhenMissing(())]
    onboarding_steps: Annotated[tuple[OnboardingStep, ...], DefaultWhenMissing(())]
    alert_words: Annotated[tuple[str, ...], DefaultWhenMissing(())]
    devices: Annotated[Mapping[DeviceId, Device], DefaultWhenMissing({})]
    user_settings: UserSettings

    realm: RealmSettings
    emoji: Annotated[Mapping[EmojiId, CustomEmoji], Key("realm_emoji"), DefaultWhenMissing({})]
    linkifiers: Annotated[tuple[Linkifier, ...], Key("realm_linkifiers"), DefaultWhenMissing(())]
    playgrounds: Annotated[tuple[Playground, ...], Key("realm_playgrounds"), DefaultWhenMissing(())]
    domains: Annotated[tuple[RealmDomain, ...], Key("realm_domains"), DefaultWhenMissing(())]
    custom_profile_fields: Annotated[tuple[CustomProfileField, ...], DefaultWhenMissing(())]
    bots: Annotated[tuple[BotSettings, ...], Key("realm_bots"), DefaultWhenMissing(())]
    embedded_bots: Annotated[
        tuple[EmbeddedBot, ...], Key("realm_embedded_bots"), DefaultWhenMissing(())
    ]
    incoming_webhooks: Annotated[
        tuple[IncomingWebhook, ...], Key("realm_incoming_webhook_bots"), DefaultWhenMissing(())
    ]
    new_user_settings: Annotated[UserSettings | None, Key("realm_user_settings_defaults")]
    """The default settings of new users."""
    limits: ServerLimits
    emoji_data_url: Annotated[str | None, Key("server_emoji_data_url")]
    jitsi_server_url: Annotated[str | None, Key("server_jitsi_server_url", "jitsi_server_url")]
    """The server for video calls if the organization names none of its own."""
    video_providers: Annotated[
        Mapping[str, VideoProvider],
        Key("realm_available_video_chat_providers"),
        DefaultWhenMissing({}),
    ]
    """By their names in the API: those that the organization may choose."""
