"""Personal settings: the one table of their names, types, defaults and allowed values. No SQL, no events.

A user's row stores only what differs from the default. An organization can change the defaults of
new users; those are written to a new user's row when it is created, so a later change of the
defaults does not affect existing users.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import IntEnum
from typing import Any, Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.languages import is_language
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

Value = bool | int | str | None


class Visibility(IntEnum):
    """Visibility of a user's real email address."""

    EVERYONE = 1
    MEMBERS = 2
    ADMINISTRATORS = 3
    NOBODY = 4
    MODERATORS = 5


class Follow(IntEnum):
    """When a topic is automatically followed or unmuted."""

    PARTICIPATES = 1
    SENDS = 2
    STARTS = 3
    NEVER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSetting:
    """A personal setting. `accepts` decides whether a decoded value of the right type is allowed."""

    default: Value
    type: type[bool] | type[int] | type[str]
    accepts: Callable[[Any], bool] = lambda _: True
    nullable: bool = False
    notifies: bool = False
    """Whether it was a notification setting when there were two kinds, as old clients still request it."""


def _switch(default: bool, *, notifies: bool = False) -> PersonalSetting:
    return PersonalSetting(default=default, type=bool, notifies=notifies)


def _choice(default: int | str, *allowed: int | str, notifies: bool = False) -> PersonalSetting:
    return PersonalSetting(
        default=default, type=type(default), accepts=lambda v: v in allowed, notifies=notifies
    )


def _number(default: int, low: int, high: int, *, notifies: bool = False) -> PersonalSetting:
    return PersonalSetting(
        default=default, type=int, accepts=lambda v: low <= v <= high, notifies=notifies
    )


def _notify(default: bool) -> PersonalSetting:
    return _switch(default, notifies=True)


NOTIFICATION_SOUNDS: Final = ("ding", "chime", "bike", "zulip", "none")
EMOJISETS: Final = (
    ("google", "Google"),
    ("google-blob", "Google blobs"),
    ("twitter", "Twitter"),
    ("text", "Plain text"),
)

DISPLAY: Final[Mapping[str, PersonalSetting]] = {
    "twenty_four_hour_time": PersonalSetting(default=False, type=bool, nullable=True),
    "web_mark_read_on_scroll_policy": _choice(1, 1, 2, 3),
    "web_channel_default_view": _choice(1, 1, 2, 3, 4),
    "starred_message_counts": _switch(True),
    "receives_typing_notifications": _switch(True),
    "web_suggest_update_timezone": _switch(True),
    "fluid_layout_width": _switch(False),
    "high_contrast_mode": _switch(False),
    "web_font_size_px": _number(16, 10, 40),
    "web_line_height_percent": _number(140, 100, 200),
    "color_scheme": _choice(1, 1, 2, 3),
    "translate_emoticons": _switch(False),
    "display_emoji_reaction_users": _switch(True),
    "default_language": PersonalSetting(default="en", type=str, accepts=is_language),
    # Until level 454, `recent` was called `recent_topics`.
    "web_home_view": _choice("inbox", "recent", "recent_topics", "inbox", "all_messages"),
    "web_escape_navigates_to_home_view": _switch(True),
    "left_side_userlist": _switch(False),
    "emojiset": _choice("google", *(key for key, _ in EMOJISETS)),
    "demote_inactive_streams": _choice(1, 1, 2, 3),
    "user_list_style": _choice(2, 1, 2, 3),
    "web_animate_image_previews": _choice("on_hover", "always", "on_hover", "never"),
    "web_stream_unreads_count_display_policy": _choice(2, 1, 2, 3),
    "hide_ai_features": _switch(False),
    "web_left_sidebar_show_channel_folders": _switch(True),
    "web_left_sidebar_unreads_count_summary": _switch(True),
    "web_navigate_to_sent_message": _switch(True),
    "web_inbox_show_channel_folders": _switch(True),
    "enter_sends": _switch(True),
    "enable_drafts_synchronization": _switch(True),
}
"""Settings for display."""

NOTIFICATION: Final[Mapping[str, PersonalSetting]] = {
    "enable_stream_desktop_notifications": _notify(False),
    "enable_stream_email_notifications": _notify(False),
    "enable_stream_push_notifications": _notify(False),
    "enable_stream_audible_notifications": _notify(False),
    "notification_sound": _choice("zulip", *NOTIFICATION_SOUNDS, notifies=True),
    "enable_desktop_notifications": _notify(True),
    "enable_sounds": _notify(True),
    "enable_offline_email_notifications": _notify(True),
    "enable_offline_push_notifications": _notify(True),
    "enable_online_push_notifications": _notify(True),
    "enable_followed_topic_desktop_notifications": _notify(True),
    "enable_followed_topic_email_notifications": _notify(True),
    "enable_followed_topic_push_notifications": _notify(True),
    "enable_followed_topic_audible_notifications": _notify(True),
    "enable_digest_emails": _notify(True),
    "enable_marketing_emails": _notify(True),
    "enable_login_emails": _notify(True),
    "message_content_in_email_notifications": _notify(True),
    "pm_content_in_desktop_notifications": _notify(True),
    "wildcard_mentions_notify": _notify(True),
    "enable_followed_topic_wildcard_mentions_notify": _notify(True),
    "desktop_icon_count_display": _choice(1, 1, 2, 3, 4, notifies=True),
    "email_notifications_batching_period_seconds": _number(120, 1, 7 * 24 * 3600, notifies=True),
    "realm_name_in_email_notifications_policy": _choice(1, 1, 2, 3, notifies=True),
    "automatically_follow_topics_policy": _choice(Follow.STARTS.value, 1, 2, 3, 4, notifies=True),
    "automatically_unmute_topics_in_muted_streams_policy": _choice(
        Follow.SENDS.value, 1, 2, 3, 4, notifies=True
    ),
    "automatically_follow_topics_where_mentioned": _notify(True),
    "resolved_topic_notice_auto_read_policy": _choice(
        "except_followed", "always", "except_followed", "never", notifies=True
    ),
    "presence_enabled": _notify(True),
}
"""Settings for notifications, and for typing notifications and presence sent to others."""

PRIVACY: Final[Mapping[str, PersonalSetting]] = {
    "send_private_typing_notifications": _switch(True),
    "send_stream_typing_notifications": _switch(True),
    "send_read_receipts": _switch(True),
    "allow_private_data_export": _switch(False),
    "email_address_visibility": _choice(Visibility.EVERYONE.value, 1, 2, 3, 4, 5),
}

PERSONAL: Final[Mapping[str, PersonalSetting]] = {**DISPLAY, **NOTIFICATION, **PRIVACY}
"""All settings in `user_settings` except `timezone`, which has its own column."""

NO_ORGANIZATION_DEFAULT: Final = frozenset(
    {"allow_private_data_export", "default_language", "enable_login_emails"}
    | {"enable_marketing_emails"}
)
"""Settings for which an organization may not choose a default."""


def hints(table: Mapping[str, PersonalSetting]) -> dict[str, object]:
    """Return the types of a table's settings, by name."""
    return {
        name: entry.type | None if entry.nullable else entry.type for name, entry in table.items()
    }


def setting(user: UserRow, name: str) -> Any:
    """Return one setting of a user; raises KeyError for an unknown name."""
    return user.settings.get(name, PERSONAL[name].default)


def ids_by_setting(db: Db, name: str) -> Mapping[Value, frozenset[UserId]]:
    """Return IDs of all users, deactivated ones included, by their value of a personal setting: a text or a number."""
    return db.cached(_ids_by_setting, name)


def _ids_by_setting(db: Db, name: str) -> Mapping[Value, frozenset[UserId]]:
    sql = "SELECT ifnull(settings ->> ?, ?) AS value, json_group_array(id) FROM user GROUP BY value"
    rows = db.rows(sql, name, PERSONAL[name].default)
    return {value: frozenset(orjson.loads(ids)) for value, ids in rows}


def users_alike(db: Db, ids: Collection[UserId], names: Iterable[str]) -> list[list[UserId]]:
    """Return these users in lists of those who have the same of these settings."""
    paths = ", ".join(f"'$.{name}'" for name in names)
    rows = db.rows(
        "SELECT json_group_array(user.id) FROM json_each(?) CROSS JOIN user ON user.id = value"
        f" GROUP BY json_extract(settings, {paths})",
        orjson.dumps(sorted(ids)).decode(),
    )
    return [orjson.loads(alike) for (alike,) in rows]


def with_defaults(stored: Mapping[str, Value]) -> dict[str, Value]:
    """Return all settings; `stored` contains those that differ from the default."""
    return {name: stored.get(name, entry.default) for name, entry in PERSONAL.items()}
