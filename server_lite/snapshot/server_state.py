"""Register's fields about the server and its limits, as a type. Reads nothing.

The organization's settings are further fields, made from their table in `objects.settings`.
"""

from typing_extensions import TypedDict


class AuthenticationMethod(TypedDict):
    """A way to sign in."""

    enabled: bool
    available: bool


class VideoProvider(TypedDict):
    """A provider of video calls, or the option of none."""

    name: str
    id: int


class ReportType(TypedDict):
    """A reason for reporting a message."""

    key: str
    name: str


class RatingPolicy(TypedDict):
    """A content rating of GIFs."""

    name: str
    id: int


class ExternalAccount(TypedDict):
    """A provider of external accounts in profiles."""

    name: str
    text: str
    hint: str
    url_pattern: str


class PermissionObject(TypedDict):
    """The values that a permission accepts."""

    require_system_group: bool
    allow_internet_group: bool
    allow_nobody_group: bool
    allow_everyone_group: bool
    default_group_name: str
    default_for_system_groups: str | None
    allowed_system_groups: list[str]


class SupportedPermissions(TypedDict):
    """All permissions of the organization, of channels, of groups."""

    realm: dict[str, PermissionObject]
    stream: dict[str, PermissionObject]
    group: dict[str, PermissionObject]


class Billing(TypedDict):
    """Billing, which does not exist here."""

    has_pending_sponsorship_request: bool


class IncomingWebhook(TypedDict):
    """A service whose webhooks are supported."""

    name: str
    display_name: str
    all_event_types: list[str] | None
    config_options: list[dict[str, str]]
    url_options: list[dict[str, str]]


class ServerState(TypedDict, total=False):
    """Lengths in characters, sizes in MiB, periods in the unit of their names."""

    realm_date_created: int
    realm_uuid: str
    realm_url: str
    realm_uri: str
    realm_bot_domain: str
    realm_icon_url: str
    realm_icon_source: str
    realm_logo_url: str
    realm_logo_source: str
    realm_night_logo_url: str
    realm_night_logo_source: str
    realm_empty_topic_display_name: str
    realm_authentication_methods: dict[str, AuthenticationMethod]
    realm_email_auth_enabled: bool
    realm_password_auth_enabled: bool
    realm_push_notifications_enabled: bool
    realm_push_notifications_enabled_end_timestamp: int | None
    realm_upload_quota_mib: int | None
    realm_plan_type: int
    realm_available_video_chat_providers: dict[str, VideoProvider]
    realm_default_external_accounts: dict[str, ExternalAccount]
    max_stream_name_length: int
    max_stream_description_length: int
    max_channel_folder_name_length: int
    max_channel_folder_description_length: int
    max_topic_length: int
    max_message_length: int
    max_reminder_note_length: int
    max_bulk_new_subscription_messages: int
    max_avatar_file_size_mib: int
    max_icon_file_size_mib: int
    max_logo_file_size_mib: int
    max_file_upload_size_mib: int
    password_min_length: int
    password_max_length: int
    password_min_guesses: int
    server_presence_ping_interval_seconds: int
    server_presence_offline_threshold_seconds: int
    server_typing_started_expiry_period_milliseconds: int
    server_typing_started_wait_period_milliseconds: int
    server_typing_stopped_wait_period_milliseconds: int
    event_queue_longpoll_timeout_seconds: int
    server_min_deactivated_realm_deletion_days: int | None
    server_max_deactivated_realm_deletion_days: int | None
    zulip_plan_is_not_limited: bool
    upgrade_text_for_wide_organization_logo: str
    jitsi_server_url: str
    server_jitsi_server_url: str | None
    server_inline_image_preview: bool
    server_inline_url_embed_preview: bool
    server_thumbnail_formats: list[dict[str, object]]
    server_avatar_changes_disabled: bool
    server_name_changes_disabled: bool
    server_needs_upgrade: bool
    server_web_public_streams_enabled: bool
    server_can_summarize_topics: bool
    settings_send_digest_emails: bool
    server_report_message_types: list[ReportType]
    gif_rating_policy_options: dict[str, RatingPolicy]
    development_environment: bool
    server_generation: int
    server_emoji_data_url: str
    server_supported_permission_settings: SupportedPermissions
    realm_embedded_bots: list[dict[str, object]]
    realm_incoming_webhook_bots: list[IncomingWebhook]
    realm_billing: Billing
    stop_words: list[str]
    giphy_api_key: str
    tenor_api_key: str
    onboarding_steps: list[dict[str, str]]
    navigation_tour_video_url: str | None
