"""Everywhere one can go, by name: for jumping, and for choosing where to write. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Starred,
    Unread,
)
from tui.store import Store
from tui.view import names
from tui.view.navigation_views import kept_views
from tui.view.sidebar import ViewName

OWN_VIEWS: Final[Mapping[ViewName, str]] = {
    "inbox": "Inbox",
    "recent": "Recent conversations",
    "drafts": "Drafts",
    "waiting": "Waiting to be sent",
    "browse": "All channels",
}
"""What is no narrow, by the names people know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere to go; `weight` is higher the likelier somebody means it."""

    narrow: Narrow | ViewName
    label: str
    detail: str
    weight: float


def places(store: Store) -> list[Place]:
    """All channels, topics that are known, people and views."""
    return [*_topics(store), *_channels(store), *_direct(store), *_people(store), *_views(store)]


def destinations(store: Store) -> list[Place]:
    """Where one can write: the same without views."""
    return [*_topics(store), *_channels(store), *_direct(store), *_people(store)]


def _topics(store: Store) -> Iterator[Place]:
    for channel in store.channels.subscriptions():
        if channel.is_archived:
            continue
        for place in names.topics(store, channel.channel_id):
            unread = len(store.unread_ids(place))
            yield Place(
                narrow=place,
                label=names.conversation(store, place),
                detail=_unread(unread),
                weight=2.0 + bool(unread) * 4 - 2 * store.is_muted(place),
            )


def _channels(store: Store) -> Iterator[Place]:
    for channel in store.channels.by_id.values():
        if channel.is_archived:
            continue
        joined = channel.channel_id in store.channels.subscribed
        yield Place(
            narrow=ChannelNarrow(channel.channel_id),
            label=names.narrow(store, ChannelNarrow(channel.channel_id)),
            detail="channel" if joined else "channel, not joined",
            weight=3.0 if joined else 0.0,
        )


def _direct(store: Store) -> Iterator[Place]:
    for at, place in enumerate(store.direct_messages.by_recency()):
        unread = len(store.unread_ids(place))
        yield Place(
            narrow=place,
            label=names.people(store, place),
            detail=_unread(unread) or "conversation",
            weight=2.5 + bool(unread) * 4 - min(at, 20) * 0.1,
        )


def _people(store: Store) -> Iterator[Place]:
    known = {place.user_ids for place in store.direct_messages.by_recency()}
    for user in store.users.by_id.values():
        place = DmNarrow(frozenset({user.user_id, store.self_id}))
        if user.is_active and place.user_ids not in known:
            detail = "bot" if user.is_bot else "person"
            yield Place(narrow=place, label=names.people(store, place), detail=detail, weight=1.0)


def _views(store: Store) -> Iterator[Place]:
    for kept in kept_views(store):
        detail = f"kept: {kept.words}" if kept.words != kept.name else "kept"
        yield Place(
            narrow=kept.narrow,
            label=kept.name,
            detail=detail,
            weight=2.2 if kept.is_pinned else 0.7,
        )
    for name, label in OWN_VIEWS.items():
        yield Place(narrow=name, label=label, detail="view", weight=0.6)
    for view in (AllMessages(), Unread(), Mentions(), Starred(), AllDms()):
        yield Place(narrow=view, label=names.narrow(store, view), detail="view", weight=0.5)


def _unread(count: int) -> str:
    return f"{count} unread" if count else ""
