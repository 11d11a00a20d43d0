"""The targets of jumping and of new messages, by name. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Generic, TypeVar

from tui.api.model import ChannelId, Subscription
from tui.dataclass import dataclass
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.store import Changes, Store
from tui.view import names
from tui.view.navigation_views import kept_views
from tui.view.sidebar_rows import ViewName

C = TypeVar("C")

OWN_VIEWS: Final[Mapping[ViewName, str]] = {
    "inbox": "Inbox",
    "recent": "Recent conversations",
    "drafts": "Drafts",
    "scheduled": "Scheduled",
    "browse": "All channels",
}
"""Labels of views that are not narrows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpTarget:
    """A conversation, channel or view; `weight` is higher for likelier targets."""

    narrow: Narrow | ViewName
    label: str
    detail: str
    weight: float


class JumpTargets(Generic[C]):
    """The targets, each as made by `made_of`; a change rebuilds only what it concerns.

    An organization has thousands of topics, and the targets are needed at the touch of a key.
    """

    def __init__(self, made_of: Callable[[JumpTarget], C]) -> None:
        self._made_of = made_of
        self._topics: dict[ChannelId, list[C]] = {}
        self._channels: list[C] | None = None
        self._direct: list[C] | None = None
        self._people: list[C] | None = None
        self._views: list[C] | None = None
        self._recent: list[DmNarrow] = []
        """The direct conversations; their people are not listed again."""

    def follow(self, store: Store, changes: Changes) -> bool:
        """Drop the targets that a change concerns; return whether there were any."""
        if changes.replaced or "realm" in changes.parts:
            self._topics.clear()
            self._channels = self._direct = self._people = self._views = None
            return True
        unread = (store.unreads.place(each) for each in changes.messages)
        told = changes.conversations | changes.counts
        places = told.union(each for each in unread if each is not None)
        channel_ids = {place.channel_id for place in places if isinstance(place, TopicNarrow)}
        stale = [
            self._topics.pop(channel_id, None)
            for channel_id in channel_ids | changes.channels | changes.topics
        ]
        if changes.users or len(channel_ids) < len(places):
            stale.append(self._direct)
            self._direct = None
        if changes.users:
            stale.append(self._people)
            self._people = None
        if changes.channels:
            stale.append(self._channels)
            self._channels = None
        if "navigation_views" in changes.parts:
            stale.append(self._views)
            self._views = None
        return any(stale)

    def places(self, store: Store) -> list[C]:
        """Return all channels, loaded topics, people and views."""
        if self._views is None:
            self._views = self._all(_views(store))
        return [*self.destinations(store), *self._views]

    def destinations(self, store: Store) -> list[C]:
        """Return the targets that can be written to: all but the views."""
        topics: list[C] = []
        for channel in store.channels.subscriptions():
            if channel.is_archived:
                continue
            if channel.channel_id not in self._topics:
                self._topics[channel.channel_id] = self._all(_topics(store, channel))
            topics += self._topics[channel.channel_id]
        if self._channels is None:
            self._channels = self._all(_channels(store))
        recent = store.direct_messages.by_recency()
        if self._people is None or set(recent) != set(self._recent):
            self._people = self._all(_people(store))
        if self._direct is None or recent != self._recent:
            self._direct = self._all(_direct(store))
        self._recent = recent
        return [*topics, *self._channels, *self._direct, *self._people]

    def _all(self, places: Iterable[JumpTarget]) -> list[C]:
        return list(map(self._made_of, places))


def places(store: Store) -> list[JumpTarget]:
    """Return all targets, built from scratch."""
    return JumpTargets[JumpTarget](lambda place: place).places(store)


def _topics(store: Store, channel: Subscription) -> Iterator[JumpTarget]:
    for place in names.topics(store, channel.channel_id):
        unread = store.unread_count(place)
        yield JumpTarget(
            narrow=place,
            label=names.conversation(store, place),
            detail=_unread(unread),
            weight=2.0 + bool(unread) * 4 - 2 * store.is_muted(place),
        )


def _channels(store: Store) -> Iterator[JumpTarget]:
    for channel in store.channels.by_id.values():
        if channel.is_archived:
            continue
        joined = channel.channel_id in store.channels.subscribed
        yield JumpTarget(
            narrow=ChannelNarrow(channel.channel_id),
            label=names.narrow(store, ChannelNarrow(channel.channel_id)),
            detail="channel" if joined else "channel, not joined",
            weight=3.0 if joined else 0.0,
        )


def _direct(store: Store) -> Iterator[JumpTarget]:
    for at, place in enumerate(store.direct_messages.by_recency()):
        unread = store.unread_count(place)
        yield JumpTarget(
            narrow=place,
            label=names.people(store, place),
            detail=_unread(unread) or "conversation",
            weight=2.5 + bool(unread) * 4 - min(at, 20) * 0.1,
        )


def _people(store: Store) -> Iterator[JumpTarget]:
    user_ids_of_places = {place.user_ids for place in store.direct_messages.by_recency()}
    for user in store.users.by_id.values():
        place = DmNarrow(frozenset({user.user_id, store.self_id}))
        if user.is_active and place.user_ids not in user_ids_of_places:
            detail = "bot" if user.is_bot else "person"
            yield JumpTarget(
                narrow=place, label=names.people(store, place), detail=detail, weight=1.0
            )


def _views(store: Store) -> Iterator[JumpTarget]:
    for kept in kept_views(store):
        detail = f"saved: {kept.narrow_text}" if kept.narrow_text != kept.name else "saved view"
        yield JumpTarget(
            narrow=kept.narrow,
            label=kept.name,
            detail=detail,
            weight=2.2 if kept.is_pinned else 0.7,
        )
    for name, label in OWN_VIEWS.items():
        yield JumpTarget(narrow=name, label=label, detail="view", weight=0.6)
    for view in (AllMessages(), Unread(), Mentions(), Starred(), AllDms()):
        yield JumpTarget(narrow=view, label=names.narrow(store, view), detail="view", weight=0.5)


def _unread(count: int) -> str:
    return f"{count} unread" if count else ""
