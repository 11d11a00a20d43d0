"""A user's settings, status, views, snippets, drafts and scheduled messages as the API's JSON. Reads only."""

from collections.abc import Mapping
from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.events.base import emoji_type
from server_lite.ids import UserId
from server_lite.store import muted_users
from server_lite.store.connection import Db
from server_lite.store.drafts import DraftRow, DraftType
from server_lite.store.navigation_views import ViewRow
from server_lite.store.personal_settings import (
    EMOJISETS,
    NOTIFICATION_SOUNDS,
    setting,
    with_defaults,
)
from server_lite.store.saved_snippets import SnippetRow
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.statuses import StatusRow
from server_lite.store.users import UserRow

CHOICES: Final[Mapping[str, object]] = {
    "available_notification_sounds": list(NOTIFICATION_SOUNDS),
    "emojiset_choices": [{"key": key, "text": text} for key, text in EMOJISETS],
}
"""Possible values of the settings with a list of values."""

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
"""Settings at the top of register's answer before `user_settings` existed."""


def muted_user_objects(db: Db, user_id: UserId) -> list[dict[str, int]]:
    """Return `[{id, timestamp}]` of all users whom this user muted."""
    return [{"id": muted, "timestamp": at} for muted, at in muted_users.of(db, user_id)]


def settings_object(user: UserRow) -> dict[str, object]:
    """Return `user_settings`: all personal settings, and the lists of possible values."""
    return {**with_defaults(user.settings), "timezone": user.timezone, **CHOICES}


class StatusObject(TypedDict, total=False):
    """A user's status; empty fields are left out."""

    away: bool
    status_text: str
    emoji_name: str
    emoji_code: str
    reaction_type: str


def status_object(
    row: StatusRow | None, user: UserRow, *, zulip_program: bool = False
) -> StatusObject:
    """Return the UserStatus object. `away` shows older clients that presence is hidden."""
    status: StatusObject = {}
    if not setting(user, "presence_enabled"):
        status["away"] = True
    if row is not None and row.status_text:
        status["status_text"] = row.status_text
    if row is not None and row.emoji_name:
        status["emoji_name"] = row.emoji_name
        status["emoji_code"] = row.emoji_code
        status["reaction_type"] = emoji_type(row.reaction_type, zulip_program=zulip_program)
    return status


class NavigationViewObject(TypedDict):
    """A view of the sidebar; `fragment` is the part of its URL after the `#`."""

    fragment: str
    is_pinned: bool
    name: NotRequired[str]


def view_object(row: ViewRow) -> NavigationViewObject:
    """Return the NavigationView object; built-in views have no name."""
    view: NavigationViewObject = {"fragment": row.fragment, "is_pinned": row.is_pinned}
    return view if row.name is None else {**view, "name": row.name}


class SavedSnippetObject(TypedDict):
    """A text to use again; `date_created` is in UNIX seconds."""

    id: int
    title: str
    content: str
    date_created: int


def snippet_object(row: SnippetRow) -> SavedSnippetObject:
    """Return the SavedSnippet object."""
    return {
        "id": row.id,
        "title": row.title,
        "content": row.content,
        "date_created": int(row.date_created),
    }


class DraftObject(TypedDict):
    """A draft; `to` is a channel's ID or user IDs, `timestamp` is in UNIX seconds."""

    id: int
    type: DraftType
    to: list[int]
    topic: str
    content: str
    timestamp: int


def draft_object(row: DraftRow) -> DraftObject:
    """Return the Draft object; the topic is as written, even if empty."""
    return {
        "id": row.id,
        "type": row.type,
        "to": row.to,
        "topic": row.topic,
        "content": row.content,
        "timestamp": int(row.timestamp),
    }


class DeferredObject(TypedDict):
    """Common fields: the text as Markdown and HTML, and the due time in UNIX seconds."""

    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: bool


class ScheduledMessageObject(DeferredObject):
    """A scheduled message: `to` is a channel's ID, or user IDs."""

    scheduled_message_id: int
    type: Literal["stream", "private"]
    to: int | list[int]
    topic: NotRequired[str]


class ReminderObject(DeferredObject):
    """A reminder of a message; `content` is the note, `to` the user alone."""

    reminder_id: int
    type: Literal["private"]
    to: list[int]
    reminder_target_message_id: int


def scheduled_object(row: ScheduledRow) -> ScheduledMessageObject:
    """Return the ScheduledMessage object."""
    result: ScheduledMessageObject = {
        "scheduled_message_id": row.id,
        "type": "private",
        "to": list(row.people),
        "content": row.content,
        "rendered_content": row.rendered,
        "scheduled_delivery_timestamp": row.due,
        "failed": row.failed,
    }
    if row.channel_id is None:
        return result
    return {**result, "type": "stream", "to": row.channel_id, "topic": row.topic}


def reminder_object(row: ScheduledRow) -> ReminderObject:
    """Return the Reminder object."""
    assert row.target_id is not None
    return {
        "reminder_id": row.id,
        "type": "private",
        "to": [row.user_id],
        "content": row.content,
        "rendered_content": row.rendered,
        "scheduled_delivery_timestamp": row.due,
        "failed": row.failed,
        "reminder_target_message_id": row.target_id,
    }
