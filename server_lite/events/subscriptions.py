"""Events: people join and leave channels, and change what a channel is to them. No I/O."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


class OwnSettings(TypedDict):
    """What channels are to one reader: what null means to them, and an object for each channel."""

    defaults: Object
    settings: Sequence[Object]


INHERITING: Final = (
    "desktop_notifications",
    "email_notifications",
    "push_notifications",
    "audible_notifications",
    "wildcard_mentions_notify",
)
"""Settings whose null older clients cannot read: they are told the person's default instead."""

_ALWAYS_NULLABLE: Final = "wildcard_mentions_notify"
"""Younger than null: in objects it is null to every client, as on a full server."""


def known_to(
    shape: ClientCapabilities, channel_ids: Sequence[int], archived_ids: Sequence[int]
) -> Sequence[int]:
    """Those of the channels that a client of this shape was ever told of."""
    if shape.archived_channels:
        return channel_ids
    return [channel_id for channel_id in channel_ids if channel_id not in archived_ids]


def shown_settings(
    settings: Object, defaults: Object, shape: ClientCapabilities
) -> dict[str, object]:
    """A person's settings of a channel as this client reads them."""
    if shape.notification_settings_null:
        return {**settings}
    inherited = {
        name: defaults[name]
        for name in INHERITING
        if settings[name] is None and name != _ALWAYS_NULLABLE
    }
    return {**settings, **inherited}


def told_subscriptions(
    channels: Sequence[Object], personal: OwnSettings, shape: ClientCapabilities
) -> Payload:
    """`subscription/add`: those of the channels that `personal` has settings for."""
    mine = {settings["stream_id"]: settings for settings in personal["settings"]}
    subscriptions = []
    for channel in channels:
        settings = mine.get(channel["stream_id"])
        if settings is None:
            continue
        one = {**channel, **shown_settings(settings, personal["defaults"], shape)}
        if not shape.include_subscribers:
            del one["subscribers"]
        subscriptions.append(one)
    return {"type": "subscription", "op": "add", "subscriptions": subscriptions}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionsAdded(Event[OwnSettings]):
    """The reader was subscribed; their own color and settings are in `personal`."""

    type = "subscription"
    op = "add"
    channels: Sequence[Object]
    """Channel objects, each with `subscribers`."""

    def payload(self, shape: ClientCapabilities, personal: OwnSettings | None) -> Payload | None:
        return None if personal is None else told_subscriptions(self.channels, personal, shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionsRemoved(Event[None]):
    """The reader is no longer subscribed. `channels` are `{stream_id, name}`."""

    type = "subscription"
    op = "remove"
    channels: Sequence[Object]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        known = known_to(shape, [one["stream_id"] for one in self.channels], self.archived_ids)
        shown = [one for one in self.channels if one["stream_id"] in known]
        return self.told(subscriptions=shown) if shown else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionUpdated(Event[None]):
    """The reader changed one setting of a channel, maybe from another client."""

    type = "subscription"
    op = "update"
    channel_id: int
    property: str
    value: bool | str | None
    default: bool | None = None
    """What null means, for clients that cannot read it."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        value = self.value
        # The app for phones declares the capability and reads null in objects, not in this event.
        reads_null = shape.notification_settings_null and not shape.zulip_program
        if value is None and self.property in INHERITING and not reads_null:
            value = self.default
        return self.told(stream_id=self.channel_id, property=self.property, value=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeersAdded(Event[None]):
    """Others joined channels that the reader may know of."""

    type = "subscription"
    op = "peer_add"
    channel_ids: Sequence[int]
    user_ids: list[UserId]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        known = known_to(shape, self.channel_ids, self.archived_ids)
        return self.told(stream_ids=known, user_ids=self.user_ids) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeersRemoved(Event[int]):
    """Others left channels that the reader may know of.

    `personal` is the reader's own id where they left as well: of themselves they hear otherwise.
    """

    type = "subscription"
    op = "peer_remove"
    channel_ids: Sequence[int]
    user_ids: list[UserId]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: int | None) -> Payload | None:
        known = known_to(shape, self.channel_ids, self.archived_ids)
        others = [user_id for user_id in self.user_ids if user_id != personal]
        return self.told(stream_ids=known, user_ids=others) if known and others else None
