"""Events about channels, subscriptions, folders and topics."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


class OwnSettings(TypedDict):
    """A user's subscription settings: notification defaults, and an object for each channel."""

    defaults: Object
    settings: Sequence[Object]


INHERITING: Final = (
    "desktop_notifications",
    "email_notifications",
    "push_notifications",
    "audible_notifications",
    "wildcard_mentions_notify",
)
"""Settings whose null older clients cannot read: they get the user's default instead."""

_ALWAYS_NULLABLE: Final = "wildcard_mentions_notify"
"""Added after null was: in objects it is null for every client, as on a full server."""


def known_to(
    shape: ClientCapabilities, channel_ids: Sequence[int], archived_ids: Sequence[int]
) -> Sequence[int]:
    """Return which of the channels clients of this shape were ever sent."""
    if shape.archived_channels:
        return channel_ids
    return [channel_id for channel_id in channel_ids if channel_id not in archived_ids]


def shown_settings(
    settings: Object, defaults: Object, shape: ClientCapabilities
) -> dict[str, object]:
    """Return a user's settings of a channel as this client reads them."""
    if shape.notification_settings_null:
        return {**settings}
    inherited = {
        name: defaults[name]
        for name in INHERITING
        if settings[name] is None and name != _ALWAYS_NULLABLE
    }
    return {**settings, **inherited}


def subscriptions_payload(
    channels: Sequence[Object], personal: OwnSettings, shape: ClientCapabilities
) -> Payload:
    """Return `subscription/add` for those of the channels that `personal` has settings for."""
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
    """Sent to a subscribed user; their own color and settings are in `personal`."""

    type = "subscription"
    op = "add"
    channels: Sequence[Object]
    """Channel objects, each with `subscribers`."""

    def payload(self, shape: ClientCapabilities, personal: OwnSettings | None) -> Payload | None:
        return None if personal is None else subscriptions_payload(self.channels, personal, shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionsRemoved(Event[None]):
    """Sent to an unsubscribed user. `channels` are `{stream_id, name}`."""

    type = "subscription"
    op = "remove"
    channels: Sequence[Object]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        channel_ids = known_to(
            shape, [one["stream_id"] for one in self.channels], self.archived_ids
        )
        subscriptions = [one for one in self.channels if one["stream_id"] in channel_ids]
        return self.base_payload(subscriptions=subscriptions) if subscriptions else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionUpdated(Event[None]):
    """Sent when a user changed a subscription setting, perhaps in another client."""

    type = "subscription"
    op = "update"
    channel_id: int
    property: str
    value: bool | str | None
    default: bool | None = None
    """The value that null stands for, for clients that cannot read null."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        value = self.value
        # The mobile app declares the capability and reads null in objects, but not in this event.
        reads_null = shape.notification_settings_null and not shape.zulip_program
        if value is None and self.property in INHERITING and not reads_null:
            value = self.default
        return self.base_payload(stream_id=self.channel_id, property=self.property, value=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeersAdded(Event[Sequence[int]]):
    """Sent when others subscribed to visible channels.

    `personal` are those of the channels that the user may see, if they are fewer.
    """

    type = "subscription"
    op = "peer_add"
    channel_ids: Sequence[int]
    user_ids: list[UserId]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: Sequence[int] | None) -> Payload | None:
        seen = self.channel_ids if personal is None else personal
        channel_ids = known_to(shape, seen, self.archived_ids)
        return (
            self.base_payload(stream_ids=channel_ids, user_ids=self.user_ids)
            if channel_ids
            else None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeersRemoved(Event[int]):
    """Sent when others unsubscribed from visible channels.

    `personal` is the user's own ID if they unsubscribed as well: a separate event covers that.
    """

    type = "subscription"
    op = "peer_remove"
    channel_ids: Sequence[int]
    user_ids: list[UserId]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: int | None) -> Payload | None:
        channel_ids = known_to(shape, self.channel_ids, self.archived_ids)
        others = [user_id for user_id in self.user_ids if user_id != personal]
        return (
            self.base_payload(stream_ids=channel_ids, user_ids=others)
            if channel_ids and others
            else None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelsCreated(Event[None]):
    """Sent when channels were created or became visible, as Channel objects."""

    type = "stream"
    op = "create"
    channels: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        shown = [
            channel
            for channel in self.channels
            if shape.archived_channels or not channel["is_archived"]
        ]
        return self.base_payload(streams=shown) if shown else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelsDeleted(Event[None]):
    """Sent when channels became invisible to these users."""

    type = "stream"
    op = "delete"
    channel_ids: Sequence[int]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        channel_ids = known_to(shape, self.channel_ids, self.archived_ids)
        return deleted(channel_ids) if channel_ids else None


def deleted(channel_ids: Sequence[int]) -> Payload:
    """Return the payload: IDs, and objects for older clients."""
    return {
        "type": "stream",
        "op": "delete",
        "stream_ids": channel_ids,
        "streams": [{"stream_id": channel_id} for channel_id in channel_ids],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelUpdated(Event[None]):
    """Sent when a property of a channel changed; `extra` are fields that accompany some properties."""

    type = "stream"
    op = "update"
    channel_id: int
    name: str
    """The name before the change."""
    property: str
    value: object
    extra: Object
    is_archived: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.is_archived and not shape.archived_channels:
            return None
        return self.base_payload(
            stream_id=self.channel_id,
            name=self.name,
            property=self.property,
            value=self.value,
            **self.extra,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelArchived(Event[OwnSettings]):
    """Sent when a channel was archived or unarchived.

    Clients that do not know archived channels get a deletion or a creation; subscribers
    then also get their subscription again.
    """

    type = "stream"
    op = "archive"
    channel: Object
    """The Channel object after the change, with `subscribers`."""
    is_archived: bool

    @property
    def id_count(self) -> int:
        return 1 if self.is_archived else 3

    def payload(
        self, shape: ClientCapabilities, personal: OwnSettings | None
    ) -> Payload | list[Payload]:
        channel_id = self.channel["stream_id"]
        if shape.archived_channels:
            return {
                "type": "stream",
                "op": "update",
                "stream_id": channel_id,
                "name": self.channel["name"],
                "property": "is_archived",
                "value": self.is_archived,
            }
        if self.is_archived:
            return deleted([channel_id])
        bare = {name: value for name, value in self.channel.items() if name != "subscribers"}
        created: Payload = {"type": "stream", "op": "create", "streams": [bare]}
        if personal is not None:
            return [created, subscriptions_payload([self.channel], personal, shape)]
        if not self.channel["subscribers"]:
            return created
        peers: Payload = {
            "type": "subscription",
            "op": "peer_add",
            "stream_ids": [channel_id],
            "user_ids": self.channel["subscribers"],
        }
        return [created, peers]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultChannelsChanged(Event[None]):
    """Sent when default channels changed: IDs of all of them."""

    type = "default_streams"
    channel_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(default_streams=self.channel_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderAdded(Event[None]):
    """Sent when a folder was created, as a ChannelFolder object."""

    type = "channel_folder"
    op = "add"
    folder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(channel_folder=self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderUpdated(Event[None]):
    """Sent when a folder was changed: its changed values."""

    type = "channel_folder"
    op = "update"
    folder_id: int
    data: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(channel_folder_id=self.folder_id, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldersReordered(Event[None]):
    """Sent when folders were reordered: IDs of all folders in their new order."""

    type = "channel_folder"
    op = "reorder"
    order: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(order=self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopicChanged(Event[None]):
    """Sent when a user's policy for a topic changed; 0 removes it."""

    type = "user_topic"
    channel_id: int
    topic: str
    last_updated: int
    policy: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            stream_id=self.channel_id,
            topic_name=shape.topic(self.topic),
            last_updated=self.last_updated,
            visibility_policy=self.policy,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedTopicsChanged(Event[list[list[str | int]]]):
    """All muted topics as `[channel name, topic, UNIX seconds]`, for clients without `user_topic`.

    The personal part is the user's list, read when the event is sent: thousands follow or mute a topic that moves.
    """

    type = "muted_topics"
    superseded_by = "user_topic"

    def payload(self, shape: ClientCapabilities, personal: list[list[str | int]] | None) -> Payload:
        shown = [[channel, shape.topic(str(topic)), at] for channel, topic, at in personal or ()]
        return self.base_payload(muted_topics=shown)
