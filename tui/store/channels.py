"""The channels that the user may see, and their subscriptions. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from tui.api.id_set import IdSet
from tui.api.model import Channel, ChannelId, Subscription, UserId
from tui.narrow import naming
from tui.store.properties import with_properties

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import StreamUpdateEvent

_OF_EVERYONE = frozenset(field.name for field in fields(Channel)) - {
    "subscribers",
    "partial_subscribers",
    "subscriber_count",
}


class Channels:
    """Channels by ID; one that was left keeps its `Subscription`, with its color."""

    def __init__(self, subscribed: Iterable[Subscription], others: Iterable[Channel]) -> None:
        self.by_id: dict[ChannelId, Channel] = {c.channel_id: c for c in others}
        self.subscribed: set[ChannelId] = set()
        for subscription in subscribed:
            self.subscribe(subscription)

    def get(self, channel_id: ChannelId) -> Channel | None:
        """Return the channel; None where it is not visible."""
        return self.by_id.get(channel_id)

    def subscription(self, channel_id: ChannelId) -> Subscription | None:
        """Return the user's subscription; None without one."""
        channel = self.by_id.get(channel_id) if channel_id in self.subscribed else None
        return channel if isinstance(channel, Subscription) else None

    def subscriptions(self) -> Iterator[Subscription]:
        """Yield the user's subscriptions, in no particular order."""
        for channel_id in self.subscribed:
            channel = self.by_id[channel_id]
            assert isinstance(channel, Subscription)
            yield channel

    def is_muted(self, channel_id: ChannelId) -> bool:
        """Whether the user muted the channel; False without a subscription."""
        subscription = self.subscription(channel_id)
        return subscription is not None and subscription.is_muted

    def find(self, name: str) -> ChannelId | None:
        """Return the channel of that name, in any case; None if there is none."""
        name_key = name.casefold()
        for channel in self.by_id.values():
            if channel.name.casefold() == name_key:
                return channel.channel_id
        return None

    def meant(self, query: str) -> list[ChannelId]:
        """Return the channels that a name or a part of one may mean: several where it is ambiguous."""
        exact = self.find(query)
        if exact is not None:
            return [exact]
        channels = sorted(self.by_id.values(), key=lambda channel: channel.name.casefold())
        for is_archived in (False, True):
            matches = naming.matches(
                query,
                ((c.channel_id, c.name) for c in channels if c.is_archived == is_archived),
            )
            if matches:
                return matches
        return []

    def subscribe(self, subscription: Subscription) -> None:
        """Add a subscription of the user."""
        self.by_id[subscription.channel_id] = subscription
        self.subscribed.add(subscription.channel_id)

    def unsubscribe(self, channel_id: ChannelId, self_id: UserId) -> None:
        """Remove a subscription of the user; the channel stays until it is not visible."""
        self.subscribed.discard(channel_id)
        self.peers_left((channel_id,), (self_id,))

    def create(self, channel: Channel) -> None:
        """Add a channel that is visible now. Its subscribers come in further events, if at all."""
        existing = self.by_id.get(channel.channel_id)
        if existing is not None:
            news = {name: getattr(channel, name) for name in _OF_EVERYONE}
            self.by_id[channel.channel_id] = replace(existing, **news)
        elif channel.subscribers is None and channel.partial_subscribers is None:
            self.by_id[channel.channel_id] = replace(channel, subscribers=IdSet())
        else:
            self.by_id[channel.channel_id] = channel

    def delete(self, channel_id: ChannelId) -> None:
        """Remove a channel that was deleted, or is not visible any more."""
        self.by_id.pop(channel_id, None)
        self.subscribed.discard(channel_id)

    def change(self, event: StreamUpdateEvent) -> None:
        """Change a property of a channel, and those that depend on it."""
        changes: dict[str, object] = {event.property: event.value}
        for name in ("rendered_description", "history_public_to_subscribers", "is_web_public"):
            value = getattr(event, name)
            if value is not None:
                changes[name] = value
        self._change(event.channel_id, changes)

    def change_subscription(self, channel_id: ChannelId, name: str, value: object) -> None:
        """Change one of the user's own settings of a channel."""
        if name != "in_home_view":  # says the opposite of is_muted, which is sent beside it
            self._change(channel_id, {name: value})

    def peers_joined(self, channel_ids: Iterable[ChannelId], user_ids: Iterable[UserId]) -> None:
        """Add each of the people to each of the channels."""
        joined = frozenset(user_ids)
        self._change_subscribers(channel_ids, lambda there: there | joined)

    def peers_left(self, channel_ids: Iterable[ChannelId], user_ids: Iterable[UserId]) -> None:
        """Remove each of the people from each of the channels."""
        gone = frozenset(user_ids)
        self._change_subscribers(channel_ids, lambda there: there - gone)

    def _change(self, channel_id: ChannelId, changes: dict[str, object]) -> None:
        channel = self.by_id.get(channel_id)
        if channel is not None:
            self.by_id[channel_id] = with_properties(channel, changes)

    def _change_subscribers(
        self,
        channel_ids: Iterable[ChannelId],
        change: Callable[[AbstractSet[UserId]], AbstractSet[UserId]],
    ) -> None:
        for channel_id in channel_ids:
            channel = self.by_id.get(channel_id)
            if channel is None:
                continue
            whole, part = channel.subscribers, channel.partial_subscribers
            self.by_id[channel_id] = replace(
                channel,
                subscribers=None if whole is None else change(whole),
                partial_subscribers=None if part is None else change(part),
            )
