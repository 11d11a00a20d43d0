"""Events: channels appear, change, are archived, go out of sight. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.events.subscriptions import OwnSettings, known_to, told_subscriptions


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
        return self.told(streams=shown) if shown else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelsDeleted(Event[None]):
    """Channels that these readers may no longer know of."""

    type = "stream"
    op = "delete"
    channel_ids: Sequence[int]
    archived_ids: Sequence[int]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        known = known_to(shape, self.channel_ids, self.archived_ids)
        return deleted(known) if known else None


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
        return self.told(
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
    def width(self) -> int:
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
            return [created, told_subscriptions([self.channel], personal, shape)]
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
        return self.told(default_streams=self.channel_ids)
