"""The organization's settings in sections, for its administrators and owners. Data only, pure."""

from typing import Final

from tui.view.settings import (
    BoolSetting,
    ChannelSetting,
    ChoiceSetting,
    PermissionSetting,
    SettingsSection,
    TextSetting,
    days,
    limit,
    parse_days,
)

FOREVER: Final = -1
"""Message retention in days: messages are never deleted automatically."""

SECTIONS: Final = (
    SettingsSection(
        name="about",
        label="Name and welcome",
        help="name, description, welcome message, announcements",
        settings=(
            TextSetting(name="name", label="Name", longest=40),
            TextSetting(name="description", label="Description", longest=1000, lines=3),
            TextSetting(
                name="welcome_message_custom_text",
                label="Welcome message",
                longest=8000,
                lines=3,
            ),
            TextSetting(name="default_language", label="Default language", hint="en, de, fr…"),
            ChannelSetting(
                name="new_stream_announcements_stream_id", label="Announce new channels in"
            ),
            ChannelSetting(name="signup_announcements_stream_id", label="Announce new members in"),
            ChannelSetting(name="moderation_request_channel_id", label="Send reports to"),
            ChoiceSetting(
                name="default_avatar_source",
                label="Default profile picture",
                values=(("G", "Gravatar"), ("J", "generated pattern")),
            ),
        ),
    ),
    SettingsSection(
        name="messages",
        label="Messages",
        help="editing, deleting, moving, retention",
        settings=(
            BoolSetting(name="allow_message_editing", label="allow message editing"),
            limit("message_content_edit_limit_seconds", "Time limit for editing"),
            limit("message_content_delete_limit_seconds", "Time limit for deleting"),
            limit("move_messages_within_stream_limit_seconds", "Time limit to change topic"),
            limit(
                "move_messages_between_streams_limit_seconds",
                "Time limit to change channel",
            ),
            ChoiceSetting(
                name="message_edit_history_visibility_policy",
                label="Edit history visibility",
                values=(
                    ("all", "content and moves"),
                    ("moves", "moves only"),
                    ("none", "none"),
                ),
            ),
            ChoiceSetting(
                name="message_retention_days",
                label="Message retention",
                values=((FOREVER, "forever"), (30, "30 days"), (90, "90 days"), (365, "365 days")),
                parse=parse_days,
                says=days,
                owner_only=True,
            ),
            BoolSetting(name="enable_read_receipts", label="enable read receipts"),
        ),
    ),
    SettingsSection(
        name="topics",
        label="Topics and content",
        help="unnamed topics, code, previews, video calls",
        settings=(
            ChoiceSetting(
                name="topics_policy",
                label="Unnamed topics",
                values=(("allow_empty_topic", "allowed"), ("disable_empty_topic", "not allowed")),
            ),
            TextSetting(
                name="default_code_block_language",
                label="Default code language",
                hint="python",
            ),
            BoolSetting(name="inline_image_preview", label="show image previews"),
            BoolSetting(name="inline_url_embed_preview", label="show link previews"),
            ChoiceSetting(
                name="media_preview_size",
                label="Preview size",
                values=((1, "small"), (2, "medium"), (3, "large")),
            ),
            ChoiceSetting(
                name="gif_rating_policy",
                label="GIFs",
                values=(
                    (0, "none"),
                    (1, "general audience (G)"),
                    (2, "parental guidance (PG)"),
                    (3, "13 and older (PG-13)"),
                    (4, "adults (R)"),
                ),
            ),
            ChoiceSetting(
                name="video_chat_provider",
                label="Video calls",
                values=((0, "none"), (1, "Jitsi Meet")),
            ),
            TextSetting(
                name="jitsi_server_url",
                label="Jitsi server",
                hint="https://…; leave empty for the server's default",
                longest=200,
            ),
            BoolSetting(
                name="send_channel_events_messages", label="post channel events as messages"
            ),
        ),
    ),
    SettingsSection(
        name="joining",
        label="Joining",
        help="invitations, email domains, waiting period, names",
        settings=(
            BoolSetting(
                name="invite_required", label="require an invitation to join", owner_only=True
            ),
            BoolSetting(
                name="emails_restricted_to_domains",
                label="restrict email domains",
                owner_only=True,
            ),
            BoolSetting(
                name="disallow_disposable_email_addresses", label="block disposable email addresses"
            ),
            ChoiceSetting(
                name="waiting_period_threshold",
                label="Waiting period",
                values=((0, "none"), (3, "3 days"), (7, "7 days"), (30, "30 days")),
                parse=parse_days,
                says=days,
                owner_only=True,
            ),
            BoolSetting(name="name_changes_disabled", label="only administrators can change names"),
            BoolSetting(
                name="email_changes_disabled", label="only administrators can change emails"
            ),
            BoolSetting(
                name="avatar_changes_disabled", label="only administrators can change pictures"
            ),
            BoolSetting(name="require_unique_names", label="require unique names"),
            BoolSetting(name="send_welcome_emails", label="send welcome emails"),
        ),
    ),
    SettingsSection(
        name="privacy",
        label="Privacy",
        help="presence, guests, email and push content",
        settings=(
            BoolSetting(name="presence_disabled", label="hide who is online"),
            BoolSetting(name="enable_guest_user_indicator", label="mark guests after their names"),
            BoolSetting(
                name="enable_guest_user_dm_warning", label="warn before direct messages to guests"
            ),
            BoolSetting(
                name="enable_spectator_access",
                label="let people without an account read public content",
                owner_only=True,
            ),
            BoolSetting(
                name="owner_full_content_access",
                label="let owners read all private channels",
                owner_only=True,
            ),
            BoolSetting(
                name="message_content_allowed_in_email_notifications",
                label="include message content in emails",
            ),
            BoolSetting(
                name="require_e2ee_push_notifications",
                label="require encrypted push notifications",
            ),
            BoolSetting(name="digest_emails_enabled", label="send digest emails"),
            ChoiceSetting(
                name="digest_weekday",
                label="Digest day",
                values=tuple(
                    enumerate(
                        (
                            "Monday",
                            "Tuesday",
                            "Wednesday",
                            "Thursday",
                            "Friday",
                            "Saturday",
                            "Sunday",
                        )
                    )
                ),
            ),
            BoolSetting(
                name="want_advertise_in_communities_directory",
                label="list in the communities directory",
            ),
        ),
    ),
    SettingsSection(
        name="may-channels",
        label="Channel permissions",
        help="create channels, add people, set policies",
        settings=(
            PermissionSetting(
                name="can_create_public_channel_group", label="Create public channels"
            ),
            PermissionSetting(
                name="can_create_private_channel_group", label="Create private channels"
            ),
            PermissionSetting(
                name="can_create_web_public_channel_group", label="Create web-public channels"
            ),
            PermissionSetting(name="can_add_subscribers_group", label="Add people to channels"),
            PermissionSetting(name="can_set_topics_policy_group", label="Set topic policies"),
            PermissionSetting(
                name="can_set_delete_message_policy_group", label="Set deletion policies"
            ),
        ),
        text="Applies to all channels; a channel can allow more people.",
    ),
    SettingsSection(
        name="may-messages",
        label="Message permissions",
        help="move, delete, resolve, wildcard mentions, direct messages",
        settings=(
            PermissionSetting(
                name="can_move_messages_between_topics_group", label="Move between topics"
            ),
            PermissionSetting(
                name="can_move_messages_between_channels_group", label="Move between channels"
            ),
            PermissionSetting(name="can_resolve_topics_group", label="Resolve topics"),
            PermissionSetting(name="can_delete_any_message_group", label="Delete any message"),
            PermissionSetting(name="can_delete_own_message_group", label="Delete own messages"),
            PermissionSetting(name="can_mention_many_users_group", label="Use wildcard mentions"),
            PermissionSetting(name="direct_message_permission_group", label="Use direct messages"),
            PermissionSetting(name="direct_message_initiator_group", label="Start direct messages"),
            PermissionSetting(name="can_summarize_topics_group", label="Use topic summaries"),
        ),
        text="Applies to all channels; a channel can allow more people.",
    ),
    SettingsSection(
        name="may-people",
        label="Member permissions",
        help="invite, manage groups, create bots, add emoji",
        settings=(
            PermissionSetting(
                name="can_invite_users_group", label="Invite by email", owner_only=True
            ),
            PermissionSetting(
                name="create_multiuse_invite_group",
                label="Create invitation links",
                owner_only=True,
            ),
            PermissionSetting(
                name="can_access_all_users_group", label="See all users", owner_only=True
            ),
            PermissionSetting(name="can_create_groups", label="Create groups"),
            PermissionSetting(name="can_manage_all_groups", label="Manage all groups"),
            PermissionSetting(
                name="can_create_bots_group", label="Create any bot", owner_only=True
            ),
            PermissionSetting(
                name="can_create_write_only_bots_group",
                label="Create incoming webhooks",
                owner_only=True,
            ),
            PermissionSetting(name="can_add_custom_emoji_group", label="Add custom emoji"),
            PermissionSetting(name="workplace_users_group", label="Workplace users"),
            PermissionSetting(
                name="can_manage_billing_group", label="Manage billing", owner_only=True
            ),
        ),
    ),
)
"""In the order of the list."""
