"""Subscriptions as the API's JSON objects. Reads only."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal, NotRequired, TypeVar

import orjson
from orjson import Fragment
from typing_extensions import TypedDict

from server_lite.events.base import ClientCapabilities
from server_lite.events.channels import shown_settings
from server_lite.ids import ChannelId, UserId
from server_lite.objects.channels import ChannelObject, encoded_objects
from server_lite.objects.encoded import array, merged
from server_lite.store import subscriptions, users
from server_lite.store.connection import Db, now
from server_lite.store.personal_settings import setting
from server_lite.store.subscriptions import SubscriptionRow
from server_lite.store.users import UserRow

Named = TypeVar("Named", bound=Mapping[str, Any])
IncludeSubscribers = Literal["true", "false", "partial"]

ALWAYS_ALL: Final = 250
"""Channels with fewer subscribers are returned with all of them, even if a partial list was requested."""
TWO_WEEKS: Final = 14 * 24 * 3600

MODERN: Final = ClientCapabilities(notification_settings_null=True)
"""The shape of plain requests: null in a notification setting is returned as it is."""


class SubscriptionSettings(TypedDict):
    """A user's settings of a channel; null in a notification setting inherits the user's default."""

    stream_id: int
    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    audible_notifications: bool | None
    push_notifications: bool | None
    email_notifications: bool | None
    wildcard_mentions_notify: bool | None


class SubscriptionObject(ChannelObject):
    """A channel with the user's subscription settings."""

    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    audible_notifications: bool | None
    push_notifications: bool | None
    email_notifications: bool | None
    wildcard_mentions_notify: bool | None
    subscribers: NotRequired[list[UserId]]
    partial_subscribers: NotRequired[list[UserId]]


class NeverSubscribed(ChannelObject):
    """A visible channel that the user was never subscribed to."""

    subscribers: NotRequired[list[UserId]]
    partial_subscribers: NotRequired[list[UserId]]


DEFAULT_SETTINGS: Final = {
    "desktop_notifications": "enable_stream_desktop_notifications",
    "audible_notifications": "enable_stream_audible_notifications",
    "push_notifications": "enable_stream_push_notifications",
    "email_notifications": "enable_stream_email_notifications",
    "wildcard_mentions_notify": "wildcard_mentions_notify",
}
"""Settings of subscriptions that may be null, with the personal settings that null stands for."""


def settings_object(row: SubscriptionRow) -> SubscriptionSettings:
    """Return the personal fields of the Subscription object; null notifications inherit."""
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
    """Return what null stands for, by the name of the subscription setting."""
    return {name: setting(user, default) for name, default in DEFAULT_SETTINGS.items()}


def subscribed_objects(
    db: Db, user: UserRow, *, include_subscribers: IncludeSubscribers
) -> Fragment:
    """Return Subscription objects of the user's active channels, by name, as JSON."""
    ids = subscriptions.channel_ids(db, user.id)
    objects = described(
        db,
        user,
        encoded_objects(db, ids, archived=False),
        include_subscribers=include_subscribers,
        shape=MODERN,
    )
    return Fragment(array(objects.values()))


def described(
    db: Db,
    user: UserRow,
    channels: Mapping[ChannelId, bytes],
    *,
    include_subscribers: IncludeSubscribers,
    shape: ClientCapabilities,
) -> dict[ChannelId, bytes]:
    """Return Channel objects with subscribers if requested, and with the user's settings if there are any."""
    personal = _encoded_settings(db, user, shape)
    people: Mapping[ChannelId, bytes] = {}
    if include_subscribers != "false":
        people = _subscribers(db, channels, partial=include_subscribers == "partial")
    objects: dict[ChannelId, bytes] = {}
    for channel_id, channel in channels.items():
        parts = [channel]
        if channel_id in personal:
            parts.append(personal[channel_id])
        if channel_id in people:
            parts.append(people[channel_id])
        objects[channel_id] = merged(*parts)
    return objects


def _encoded_settings(db: Db, user: UserRow, shape: ClientCapabilities) -> dict[ChannelId, bytes]:
    """Return the user's settings of each channel as JSON. All but the color is encoded once for channels alike."""
    defaults = defaults_of(user)
    json_by_channel: dict[ChannelId, bytes] = {}
    for row, channels in subscriptions.of_user_alike(db, user.id):
        settings = shown_settings(settings_object(row), defaults, shape)
        del settings["stream_id"], settings["color"]
        others = orjson.dumps(settings)[1:]
        for channel_id, color in channels:
            json_by_channel[channel_id] = b'{"color":%b,%b' % (orjson.dumps(color), others)
    return json_by_channel


def _subscribers(
    db: Db, channels: Collection[ChannelId], *, partial: bool
) -> dict[ChannelId, bytes]:
    """Return `{"subscribers": […]}` of each channel; of large ones `partial_subscribers` if requested."""
    everybody = subscriptions.all_subscribers(db)
    active: frozenset[UserId] | None = None
    json_by_channel: dict[ChannelId, bytes] = {}
    for channel_id in channels:
        count, ids = everybody.get(channel_id, (0, b"[]"))
        if partial and count >= ALWAYS_ALL:
            active = _bots_and_active(db) if active is None else active
            some = [user_id for user_id in orjson.loads(ids) if user_id in active]
            json_by_channel[channel_id] = orjson.dumps({"partial_subscribers": some})
        else:
            json_by_channel[channel_id] = b'{"subscribers":%b}' % ids
    return json_by_channel


def _bots_and_active(db: Db) -> frozenset[UserId]:
    """Return bots, and users with a client open or a message sent in the last two weeks."""
    return users.bots_and_active_since(db, now(db) - TWO_WEEKS)


def by_name(objects: Iterable[Named]) -> list[Named]:
    """Return the objects ordered by name, ignoring case."""
    return sorted(objects, key=lambda one: one["name"].casefold())
