"""The user's settings that the server keeps for all clients, in sections. Data only, pure."""

from typing import Final

from tui.view.settings import (
    BoolSetting,
    ChoiceSetting,
    SettingsSection,
    TextSetting,
    parse_span,
    span,
)

_WHEN: Final = (
    (1, "topics you participate in"),
    (2, "topics you send messages to"),
    (3, "topics you start"),
    (4, "never automatically"),
)

SECTIONS: Final = (
    SettingsSection(
        name="notifications",
        label="Notifications",
        help="desktop, sound, push and email",
        text="Channels can override these: press I on a channel, then s.",
        settings=(
            BoolSetting(
                name="enable_desktop_notifications", label="direct messages and mentions: desktop"
            ),
            BoolSetting(name="enable_sounds", label="direct messages and mentions: sound"),
            BoolSetting(
                name="enable_offline_push_notifications",
                label="direct messages and mentions: push when away",
            ),
            BoolSetting(name="enable_online_push_notifications", label="push even when online"),
            BoolSetting(
                name="enable_offline_email_notifications",
                label="direct messages and mentions: email when away",
            ),
            BoolSetting(name="wildcard_mentions_notify", label="@all counts as a mention"),
            BoolSetting(name="enable_stream_desktop_notifications", label="all channels: desktop"),
            BoolSetting(name="enable_stream_audible_notifications", label="all channels: sound"),
            BoolSetting(name="enable_stream_push_notifications", label="all channels: push"),
            BoolSetting(name="enable_stream_email_notifications", label="all channels: email"),
            BoolSetting(
                name="pm_content_in_desktop_notifications",
                label="show direct message content in notifications",
            ),
            BoolSetting(
                name="message_content_in_email_notifications",
                label="show message content in emails",
            ),
            ChoiceSetting(
                name="email_notifications_batching_period_seconds",
                label="Batch emails for",
                values=tuple((each, span(each)) for each in (60, 120, 300, 600, 3600)),
                parse=parse_span,
                says=span,
            ),
            ChoiceSetting(
                name="desktop_icon_count_display",
                label="Unread badge",
                values=(
                    (1, "all unread messages"),
                    (2, "direct messages, mentions, followed topics"),
                    (3, "direct messages and mentions"),
                    (4, "none"),
                ),
            ),
        ),
    ),
    SettingsSection(
        name="topics",
        label="Topics",
        help="automatic following and unmuting, notifications",
        settings=(
            ChoiceSetting(
                name="automatically_follow_topics_policy",
                label="Automatically follow",
                values=_WHEN,
            ),
            BoolSetting(
                name="automatically_follow_topics_where_mentioned",
                label="automatically follow topics that mention you",
            ),
            ChoiceSetting(
                name="automatically_unmute_topics_in_muted_streams_policy",
                label="Unmute in muted channels",
                values=_WHEN,
            ),
            BoolSetting(
                name="enable_followed_topic_desktop_notifications",
                label="followed topics: desktop",
            ),
            BoolSetting(
                name="enable_followed_topic_audible_notifications", label="followed topics: sound"
            ),
            BoolSetting(
                name="enable_followed_topic_push_notifications", label="followed topics: push"
            ),
            BoolSetting(
                name="enable_followed_topic_email_notifications", label="followed topics: email"
            ),
            BoolSetting(
                name="enable_followed_topic_wildcard_mentions_notify",
                label="followed topics: @all counts as a mention",
            ),
            ChoiceSetting(
                name="resolved_topic_notice_auto_read_policy",
                label='Read "resolved" notices',
                values=(
                    ("always", "always"),
                    ("except_followed", "except in followed topics"),
                    ("never", "never"),
                ),
            ),
        ),
    ),
    SettingsSection(
        name="reading",
        label="Reading",
        help="marking as read, counts, clock",
        settings=(
            ChoiceSetting(
                name="web_mark_read_on_scroll_policy",
                label="Mark as read on scroll",
                values=(
                    (1, "everywhere"),
                    (2, "in conversations, not in feeds"),
                    (3, "only by hand"),
                ),
            ),
            BoolSetting(name="starred_message_counts", label="show the count of starred messages"),
            ChoiceSetting(
                name="twenty_four_hour_time",
                label="Clock in other clients",
                values=((None, "language default"), (True, "14:05"), (False, "2:05 PM")),
            ),
            TextSetting(name="timezone", label="Time zone", hint="Europe/Berlin"),
            BoolSetting(name="enter_sends", label="Enter sends in other clients"),
            BoolSetting(name="enable_drafts_synchronization", label="sync drafts with the server"),
            BoolSetting(name="display_emoji_reaction_users", label="show names on reactions"),
            BoolSetting(name="translate_emoticons", label="convert :) to emoji"),
            ChoiceSetting(
                name="demote_inactive_streams",
                label="Demote inactive channels",
                values=((1, "automatically"), (2, "always"), (3, "never")),
            ),
        ),
        text="This client's clock and Enter key are among its settings on this machine.",
    ),
    SettingsSection(
        name="privacy",
        label="Privacy",
        help="what others can see about you",
        settings=(
            BoolSetting(name="presence_enabled", label="show when you are online"),
            BoolSetting(name="send_read_receipts", label="send read receipts"),
            BoolSetting(
                name="send_private_typing_notifications",
                label="send typing notifications in direct messages",
            ),
            BoolSetting(
                name="send_stream_typing_notifications",
                label="send typing notifications in channels",
            ),
            BoolSetting(name="receives_typing_notifications", label="show when others are typing"),
            ChoiceSetting(
                name="email_address_visibility",
                label="Email address visible to",
                values=(
                    (1, "everyone"),
                    (2, "members"),
                    (5, "moderators"),
                    (3, "administrators"),
                    (4, "nobody"),
                ),
            ),
            BoolSetting(
                name="allow_private_data_export",
                label="include your direct messages in exports",
            ),
        ),
    ),
)
"""In the order of the list."""
