"""The layout of a full server's export, and differences between major versions. Data only.

The import refuses unknown columns, and uses defaults for missing ones: so rows have few columns, and later
ones only for versions that require them.
"""

from typing import Final

VERSIONS: Final = (8, 9, 10, 11, 12)
"""Major server versions that an export can be written for."""

REALM_ID: Final = 1
CLIENT: Final = "ZulipDataImport"
NOTIFICATION_BOT: Final = "notification-bot@zulip.com"
"""Address by which the import recognizes the notification bot."""
MESSAGES: Final = 1000
"""Messages in one file."""

REQUIRED_TABLES: Final = (
    "zerver_realm",
    "zerver_client",
    "zerver_userprofile",
    "zerver_userprofile_mirrordummy",
    "zerver_userprofile_crossrealm",
    "zerver_stream",
    "zerver_defaultstream",
    "zerver_huddle",
    "zerver_recipient",
    "zerver_subscription",
    "zerver_reaction",
    "zerver_realmemoji",
    "zerver_realmdomain",
    "zerver_realmfilter",
    "zerver_realmplayground",
    "zerver_realmauthenticationmethod",
    "zerver_userpresence",
    "zerver_useractivity",
    "zerver_useractivityinterval",
    "zerver_customprofilefield",
    "zerver_customprofilefieldvalue",
)
"""Tables that the import requires; they may be empty."""

PERSON, CHANNEL, PEOPLE = 1, 2, 3
"""Types of recipients: a user, a channel, a group conversation."""

FLAGS: Final = {
    "read": 1,
    "starred": 2,
    "collapsed": 4,
    "mentioned": 8,
    "stream_wildcard_mentioned": 16,
    "topic_wildcard_mentioned": 32,
    "has_alert_word": 512,
    "historical": 1024,
}
"""Bits of `flags_mask` by the API's names of flags."""
IS_PRIVATE: Final = 2048
"""Set on every direct message."""
TOPIC_OF_DIRECT: Final = "\x07"
"""The topic of direct messages in the newest versions; empty in earlier ones."""
NO_TOPIC: Final = "(no topic)"
"""Replaces the empty topic in versions that require a name."""

PERSONAL_SETTINGS: Final = frozenset(
    {
        "color_scheme",
        "default_language",
        "demote_inactive_streams",
        "desktop_icon_count_display",
        "display_emoji_reaction_users",
        "email_address_visibility",
        "email_notifications_batching_period_seconds",
        "emojiset",
        "enable_desktop_notifications",
        "enable_digest_emails",
        "enable_drafts_synchronization",
        "enable_followed_topic_audible_notifications",
        "enable_followed_topic_desktop_notifications",
        "enable_followed_topic_email_notifications",
        "enable_followed_topic_push_notifications",
        "enable_followed_topic_wildcard_mentions_notify",
        "enable_login_emails",
        "enable_marketing_emails",
        "enable_offline_email_notifications",
        "enable_offline_push_notifications",
        "enable_online_push_notifications",
        "enable_sounds",
        "enable_stream_audible_notifications",
        "enable_stream_desktop_notifications",
        "enable_stream_email_notifications",
        "enable_stream_push_notifications",
        "enter_sends",
        "fluid_layout_width",
        "high_contrast_mode",
        "left_side_userlist",
        "message_content_in_email_notifications",
        "notification_sound",
        "pm_content_in_desktop_notifications",
        "presence_enabled",
        "realm_name_in_email_notifications_policy",
        "automatically_follow_topics_policy",
        "automatically_unmute_topics_in_muted_streams_policy",
        "send_private_typing_notifications",
        "send_read_receipts",
        "send_stream_typing_notifications",
        "starred_message_counts",
        "translate_emoticons",
        "twenty_four_hour_time",
        "user_list_style",
        "web_mark_read_on_scroll_policy",
        "web_stream_unreads_count_display_policy",
        "wildcard_mentions_notify",
    }
)
"""Personal settings that are columns in all versions."""

ORGANIZATION_SETTINGS: Final = frozenset(
    {
        "allow_message_editing",
        "avatar_changes_disabled",
        "default_code_block_language",
        "default_language",
        "description",
        "digest_emails_enabled",
        "digest_weekday",
        "disallow_disposable_email_addresses",
        "email_changes_disabled",
        "emails_restricted_to_domains",
        "enable_guest_user_indicator",
        "enable_read_receipts",
        "enable_spectator_access",
        "inline_image_preview",
        "inline_url_embed_preview",
        "invite_required",
        "jitsi_server_url",
        "message_content_allowed_in_email_notifications",
        "message_content_delete_limit_seconds",
        "message_content_edit_limit_seconds",
        "message_retention_days",
        "move_messages_between_streams_limit_seconds",
        "move_messages_within_stream_limit_seconds",
        "name_changes_disabled",
        "org_type",
        "send_welcome_emails",
        "waiting_period_threshold",
        "want_advertise_in_communities_directory",
    }
)
"""Organization settings that are columns in all versions."""


def announcement_columns(version: int) -> dict[str, str]:
    """Return settings that refer to a channel, with their column in this version."""
    if version < 9:
        return {
            "new_stream_announcements_stream_id": "notifications_stream",
            "signup_announcements_stream_id": "signup_notifications_stream",
        }
    columns = {
        "new_stream_announcements_stream_id": "new_stream_announcements_stream",
        "signup_announcements_stream_id": "signup_announcements_stream",
        "zulip_update_announcements_stream_id": "zulip_update_announcements_stream",
    }
    if version >= 10:
        columns["moderation_request_channel_id"] = "moderation_request_channel"
    return columns


def has_groups(version: int) -> bool:
    """Whether user groups are written: later versions require all their permissions."""
    return version == 8


def has_empty_topics(version: int) -> bool:
    """Whether a topic may be empty."""
    return version >= 10


def has_folders(version: int) -> bool:
    """Whether channels have folders, and a policy on empty topics."""
    return version >= 11


def has_newer_tables(version: int) -> bool:
    """Whether submessages and saved snippets are imported."""
    return version >= 10


def reaction_type(name: str) -> str:
    """Return the layout's name of an emoji type."""
    return "zulip_extra_emoji" if name == "service_extra_emoji" else name
