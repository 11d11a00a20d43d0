"""One's own settings that the server keeps for all clients, in themes. Data only, pure."""

from typing import Final

from tui.view.settings import OneOf, Switch, Theme, Words, parse_span, span

_WHEN: Final = (
    (1, "in which you take part"),
    (2, "in which you write"),
    (3, "that you begin"),
    (4, "never by themselves"),
)

THEMES: Final = (
    Theme(
        name="notifications",
        label="Notifications",
        help="what makes itself felt on a desktop, by push, by e-mail",
        words="A channel can say otherwise: I on the channel, then s.",
        settings=(
            Switch(
                name="enable_desktop_notifications", label="direct messages and mentions: desktop"
            ),
            Switch(name="enable_sounds", label="direct messages and mentions: sound"),
            Switch(
                name="enable_offline_push_notifications",
                label="direct messages and mentions: push while away",
            ),
            Switch(name="enable_online_push_notifications", label="push also while here"),
            Switch(
                name="enable_offline_email_notifications",
                label="direct messages and mentions: e-mail while away",
            ),
            Switch(name="wildcard_mentions_notify", label="@all counts as a mention"),
            Switch(name="enable_stream_desktop_notifications", label="all channels: desktop"),
            Switch(name="enable_stream_audible_notifications", label="all channels: sound"),
            Switch(name="enable_stream_push_notifications", label="all channels: push"),
            Switch(name="enable_stream_email_notifications", label="all channels: e-mail"),
            Switch(
                name="pm_content_in_desktop_notifications",
                label="notifications say what direct messages say",
            ),
            Switch(
                name="message_content_in_email_notifications",
                label="e-mails say what messages say",
            ),
            OneOf(
                name="email_notifications_batching_period_seconds",
                label="E-mails wait for more",
                values=tuple((each, span(each)) for each in (60, 120, 300, 600, 3600)),
                parse=parse_span,
                says=span,
            ),
            OneOf(
                name="desktop_icon_count_display",
                label="Count beside the icon",
                values=(
                    (1, "everything unread"),
                    (2, "direct, mentions, followed topics"),
                    (3, "direct messages and mentions"),
                    (4, "none"),
                ),
            ),
        ),
    ),
    Theme(
        name="topics",
        label="Topics",
        help="which are followed or unmuted by themselves, and how they are heard",
        settings=(
            OneOf(name="automatically_follow_topics_policy", label="Follow topics", values=_WHEN),
            Switch(
                name="automatically_follow_topics_where_mentioned",
                label="follow topics where you are mentioned",
            ),
            OneOf(
                name="automatically_unmute_topics_in_muted_streams_policy",
                label="Unmute in muted ones",
                values=_WHEN,
            ),
            Switch(
                name="enable_followed_topic_desktop_notifications",
                label="followed topics: desktop",
            ),
            Switch(
                name="enable_followed_topic_audible_notifications", label="followed topics: sound"
            ),
            Switch(name="enable_followed_topic_push_notifications", label="followed topics: push"),
            Switch(
                name="enable_followed_topic_email_notifications", label="followed topics: e-mail"
            ),
            Switch(
                name="enable_followed_topic_wildcard_mentions_notify",
                label="followed topics: @all counts as a mention",
            ),
            OneOf(
                name="resolved_topic_notice_auto_read_policy",
                label='"Resolved" notices are',
                values=(
                    ("always", "read by themselves"),
                    ("except_followed", "read, but in followed topics"),
                    ("never", "unread as everything"),
                ),
            ),
        ),
    ),
    Theme(
        name="reading",
        label="Reading",
        help="what marks messages as read, counts, the clock",
        settings=(
            OneOf(
                name="web_mark_read_on_scroll_policy",
                label="Seen messages are read",
                values=(
                    (1, "everywhere"),
                    (2, "in conversations, not in feeds"),
                    (3, "only when you say so"),
                ),
            ),
            Switch(name="starred_message_counts", label="count starred messages"),
            OneOf(
                name="twenty_four_hour_time",
                label="Clock of other clients",
                values=((None, "as the language has it"), (True, "14:05"), (False, "2:05 PM")),
            ),
            Words(name="timezone", label="Time zone others see", hint="Europe/Berlin"),
            Switch(name="enter_sends", label="Enter sends, in other clients"),
            Switch(name="enable_drafts_synchronization", label="drafts are kept on the server too"),
            Switch(name="display_emoji_reaction_users", label="names beside few reactions"),
            Switch(name="translate_emoticons", label="turn :) into emoji"),
            OneOf(
                name="demote_inactive_streams",
                label="Quiet channels go down",
                values=((1, "if there are many"), (2, "always"), (3, "never")),
            ),
        ),
        words="The clock and Enter of this client are in its own settings file.",
    ),
    Theme(
        name="privacy",
        label="Privacy",
        help="what others learn of you",
        settings=(
            Switch(name="presence_enabled", label="others see when you are here"),
            Switch(name="send_read_receipts", label="others see what you have read"),
            Switch(
                name="send_private_typing_notifications",
                label="others see you typing direct messages",
            ),
            Switch(
                name="send_stream_typing_notifications", label="others see you typing in channels"
            ),
            Switch(name="receives_typing_notifications", label="you see others typing"),
            OneOf(
                name="email_address_visibility",
                label="Your e-mail address",
                values=(
                    (1, "for everyone"),
                    (2, "for members"),
                    (5, "for moderators"),
                    (3, "for administrators"),
                    (4, "for nobody"),
                ),
            ),
            Switch(
                name="allow_private_data_export",
                label="exports may hold your direct messages",
            ),
        ),
    ),
)
"""In the order of the list."""
