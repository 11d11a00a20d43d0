"""Subscriptions as the API's JSON objects: what a channel is to one person. Reads only."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NotRequired, TypeVar, cast

from typing_extensions import TypedDict

from server_lite.events.base import ClientCapabilities
from server_lite.events.subscriptions import shown_settings
from server_lite.objects.channels import ChannelObject, channel_objects
from server_lite.store import channels, subscriptions, users
from server_lite.store.connection import Db, now
from server_lite.store.personal_settings import setting
from server_lite.store.subscriptions import SubscriptionRow
from server_lite.store.users import UserRow

Named = TypeVar("Named", bound=Mapping[str, Any])
IncludeSubscribers = Literal["true", "false", "partial"]

ALWAYS_ALL: Final = 250
"""Channels with fewer people are told with all of them, also to who asked for a part."""
TWO_WEEKS: Final = 14 * 24 * 3600

MODERN: Final = ClientCapabilities(notification_settings_null=True)
"""How plain requests are answered: null in a notification setting is told as it is."""


class SubscriptionSettings(TypedDict):
    """What a channel is to one person; null in a notification setting inherits theirs."""

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
    """A channel, and what it is to the person who is in it."""

    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    audible_notifications: bool | None
    push_notifications: bool | None
    email_notifications: bool | None
    wildcard_mentions_notify: bool | None
    subscribers: NotRequired[list[int]]
    partial_subscribers: NotRequired[list[int]]


class NeverSubscribed(ChannelObject):
    """A channel that the person may know of and was never in."""

    subscribers: NotRequired[list[int]]
    partial_subscribers: NotRequired[list[int]]


def settings_object(row: SubscriptionRow) -> SubscriptionSettings:
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


def subscribed_objects(
    db: Db, user: UserRow, *, include_subscribers: IncludeSubscribers
) -> list[SubscriptionObject]:
    """The Subscription objects of the person's channels that are not archived, by name."""
    rows = channels.where(db, f"NOT is_archived AND {channels.HAS_SUBSCRIBER}", user.id)
    objects = described(
        db, user, channel_objects(db, rows), include_subscribers=include_subscribers, shape=MODERN
    )
    return cast(list[SubscriptionObject], by_name(objects))


def described(
    db: Db,
    user: UserRow,
    channels: Sequence[ChannelObject],
    *,
    include_subscribers: IncludeSubscribers,
    shape: ClientCapabilities,
) -> list[dict[str, Any]]:
    """Copies of channel objects; with subscribers if asked for, and what is personal where there is a row."""
    objects: list[dict[str, Any]] = [{**one} for one in channels]
    personal = {row.channel_id: row for row in subscriptions.of_user(db, user.id)}
    defaults = defaults_of(user)
    for one in objects:
        mine = personal.get(one["stream_id"])
        if mine is not None:
            one |= shown_settings(settings_object(mine), defaults, shape)
    if include_subscribers != "false":
        add_subscribers(db, objects, partial=include_subscribers == "partial")
    return objects


def add_subscribers(db: Db, objects: Iterable[dict[str, Any]], *, partial: bool) -> None:
    """Put `subscribers` into the objects; `partial_subscribers` into large ones if wished."""
    by_id = {one["stream_id"]: one for one in objects}
    regulars: frozenset[int] | None = None
    for channel_id, people in subscriptions.subscribers_of(db, by_id).items():
        if partial and len(people) >= ALWAYS_ALL:
            regulars = _regulars(db) if regulars is None else regulars
            by_id[channel_id]["partial_subscribers"] = [p for p in people if p in regulars]
        else:
            by_id[channel_id]["subscribers"] = people


def _regulars(db: Db) -> frozenset[int]:
    """Bots, and everybody who was here in the last two weeks: a client open, or something said."""
    return users.bots_and_active_since(db, now(db) - TWO_WEEKS)


def by_name(objects: Iterable[Named]) -> list[Named]:
    """The objects in the order in which people read them."""
    return sorted(objects, key=lambda one: one["name"].casefold())
