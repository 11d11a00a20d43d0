"""Subscriptions as the API's JSON objects: what a channel is to one person. Reads only."""

from typing import Any

from server_lite.store.personal_settings import setting
from server_lite.store.subscriptions import SubscriptionRow
from server_lite.store.users import UserRow


def settings_object(row: SubscriptionRow) -> dict[str, Any]:
    """The personal fields of the Subscription object; null notifications inherit."""
    return {
        "stream_id": row.channel_id,
        "color": row.color,
        "is_muted": row.is_muted,
        "in_home_view": not row.is_muted,
        "pin_to_top": row.pin_to_top,
        "desktop_notifications": row.desktop_notifications,
        "audible_notifications": row.audible_notifications,
        "push_notifications": row.push_notifications,
        "email_notifications": row.email_notifications,
        "wildcard_mentions_notify": row.wildcard_mentions_notify,
    }


def defaults_of(user: UserRow) -> dict[str, Any]:
    """What null means to this person, by the name of the channel's setting."""
    return {
        "desktop_notifications": setting(user, "enable_stream_desktop_notifications"),
        "audible_notifications": setting(user, "enable_stream_audible_notifications"),
        "push_notifications": setting(user, "enable_stream_push_notifications"),
        "email_notifications": setting(user, "enable_stream_email_notifications"),
        "wildcard_mentions_notify": setting(user, "wildcard_mentions_notify"),
    }
