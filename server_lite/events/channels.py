"""Events about channels, subscriptions, folders and topics."""

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


def subscriptions_payload(
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
        return None if personal is None else subscriptions_payload(self.channels, personal, shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionsRemoved(Event[None]):
    """The reader is no longer subscribed. `channels` are `{stream_id, name}`."""

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
        return self.base_payload(stream_id=self.channel_id, property=self.property, value=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeersAdded(Event[None]):
    """Others joined channels that the reader may know of."""

    type = "subscription"
    op = "peer_add"
    channel_ids: Sequence[int]
    user_ids: list[UserId]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        channel_ids = known_to(shape, self.channel_ids, self.archived_ids)
        return (
            self.base_payload(stream_ids=channel_ids, user_ids=self.user_ids)
            if channel_ids
            else None
        )


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
        channel_ids = known_to(shape, self.channel_ids, self.archived_ids)
        others = [user_id for user_id in self.user_ids if user_id != personal]
        return (
            self.base_payload(stream_ids=channel_ids, user_ids=others)
            if channel_ids and others
            else None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelsCreated(Event[None]):
    """Channels that these readers may know of from now on, as Channel objects."""

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
    """Channels that these readers may no longer know of."""

    type = "stream"
    op = "delete"
    channel_ids: Sequence[int]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        channel_ids = known_to(shape, self.channel_ids, self.archived_ids)
        return deleted(channel_ids) if channel_ids else None


def deleted(channel_ids: Sequence[int]) -> Payload:
    """The payload: ids under their name of now, and as objects for older clients."""
    return {
        "type": "stream",
        "op": "delete",
        "stream_ids": channel_ids,
        "streams": [{"stream_id": channel_id} for channel_id in channel_ids],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelUpdated(Event[None]):
    """One property of a channel changed; `extra` are fields that go with some properties."""

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
    """A channel was archived, or brought back.

    Clients that do not know of archived channels see it go, or come; those who are still subscribed
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
    """The channels that new people are subscribed to, all of them, as ids."""

    type = "default_streams"
    channel_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(default_streams=self.channel_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderAdded(Event[None]):
    """There is a new folder, as a ChannelFolder object."""

    type = "channel_folder"
    op = "add"
    folder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(channel_folder=self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderUpdated(Event[None]):
    """What changed of a folder."""

    type = "channel_folder"
    op = "update"
    folder_id: int
    data: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(channel_folder_id=self.folder_id, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldersReordered(Event[None]):
    """The ids of all folders in their new order."""

    type = "channel_folder"
    op = "reorder"
    order: list[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(order=self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopicChanged(Event[None]):
    """The policy of one topic; 0 removes it."""

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
class MutedTopicsChanged(Event[None]):
    """All muted topics as `[channel name, topic, UNIX seconds]`, for clients that know only these."""

    type = "muted_topics"
    superseded_by = "user_topic"
    muted_topics: list[list[str | int]]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        shown = [[channel, shape.topic(str(topic)), at] for channel, topic, at in self.muted_topics]
        return self.base_payload(muted_topics=shown)
