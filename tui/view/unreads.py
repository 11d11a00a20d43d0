"""The conversation to read next: of those with unread messages, the most urgent. Pure."""

from typing import TypeAlias

from tui.api.model import VisibilityPolicy
from tui.narrow import Conversation, DmNarrow, Narrow, TopicNarrow
from tui.store.store import Store
from tui.view import names
from tui.view.sidebar_sections import Rank, rank

_Urgency: TypeAlias = tuple[bool, bool, bool]
_Order: TypeAlias = tuple[bool, Rank, str, int]


def next_unread(store: Store, after: Narrow | None, *, direct: bool = False) -> Conversation | None:
    """Return the next conversation: mentions and direct messages first, no muted ones; None if all is read.

    Among equals it goes on from `after` in the order of the sidebar, and starts over at its end. With
    `direct` only direct messages count.
    """
    places = [
        place
        for place in store.unreads.conversations()
        if store.unread_count(place)
        and not store.is_muted(place)
        and (isinstance(place, DmNarrow) or not direct)
    ]
    places.sort(key=lambda place: (_urgency(store, place), _order(store, place)))
    if after in places:
        at = places.index(after)  # type: ignore[arg-type]  # it is one of them
        places = places[at + 1 :] + places[:at]
    elif places and isinstance(after, TopicNarrow | DmNarrow):
        here, first = _order(store, after), _urgency(store, places[0])
        equals = [place for place in places if _urgency(store, place) == first]
        return next((p for p in equals if _order(store, p) > here), places[0])
    return places[0] if places else None


def _urgency(store: Store, place: Conversation) -> _Urgency:
    followed = isinstance(place, TopicNarrow) and store.policy(place) == VisibilityPolicy.FOLLOWED
    return (
        not store.unread_mentions(place),
        not isinstance(place, DmNarrow),
        not followed,
    )


def _order(store: Store, place: Conversation) -> _Order:
    """Return the position in the sidebar: by section, then by name; topics by their newest."""
    if isinstance(place, DmNarrow):
        recent = store.direct_messages.by_recency()
        at = recent.index(place) if place in recent else len(recent)
        return True, (0, 0, 0), "", at
    topics = names.topics(store, place.channel_id)
    return (
        False,
        rank(store, store.channels.subscription(place.channel_id)),
        names.channel(store, place.channel_id).casefold(),
        topics.index(place) if place in topics else len(topics),
    )
