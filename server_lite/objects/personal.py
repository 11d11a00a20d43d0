"""One person's own settings and lists as the API's JSON. Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.ids import UserId
from server_lite.store import muted_users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import (
    EMOJISETS,
    NOTIFICATION_SOUNDS,
    with_defaults,
)
from server_lite.store.users import UserRow

CHOICES: Final[Mapping[str, object]] = {
    "available_notification_sounds": list(NOTIFICATION_SOUNDS),
    "emojiset_choices": [{"key": key, "text": text} for key, text in EMOJISETS],
}
"""What the settings with a list of values can be."""

OLD_DISPLAY: Final = (
    "color_scheme",
    "default_language",
    "demote_inactive_streams",
    "emojiset",
    "enable_drafts_synchronization",
    "fluid_layout_width",
    "web_home_view",
    "high_contrast_mode",
    "left_side_userlist",
    "starred_message_counts",
    "timezone",
    "translate_emoticons",
    "twenty_four_hour_time",
    "enter_sends",
    "emojiset_choices",
)
OLD_NOTIFICATIONS: Final = (
    "enable_desktop_notifications",
    "enable_digest_emails",
    "enable_login_emails",
    "enable_marketing_emails",
    "email_notifications_batching_period_seconds",
    "enable_offline_email_notifications",
    "enable_offline_push_notifications",
    "enable_online_push_notifications",
    "enable_sounds",
    "enable_stream_desktop_notifications",
    "enable_stream_email_notifications",
    "enable_stream_push_notifications",
    "enable_stream_audible_notifications",
    "wildcard_mentions_notify",
    "message_content_in_email_notifications",
    "notification_sound",
    "pm_content_in_desktop_notifications",
    "desktop_icon_count_display",
    "realm_name_in_email_notifications_policy",
    "presence_enabled",
    "available_notification_sounds",
    "receives_typing_notifications",
)
"""What stood at the top of register's answer before there was `user_settings`."""


def muted_user_objects(db: Db, user_id: UserId) -> list[dict[str, int]]:
    """`[{id, timestamp}]` of everybody whom this person has muted."""
    return [{"id": muted, "timestamp": at} for muted, at in muted_users.of(db, user_id)]


def settings_object(user: UserRow) -> dict[str, object]:
    """`user_settings`: all personal settings, and the lists to choose from."""
    return {**with_defaults(user.settings), "timezone": user.timezone, **CHOICES}
