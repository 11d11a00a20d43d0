"""Which conversation a start opens: the one asked for, the last one, a tour's, or the first unread. Pure."""

import re
from typing import Final

from tui.errors import BadNarrow
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    Conversation,
    Narrow,
    Search,
    TopicNarrow,
    narrow_of,
    parse,
    resolve,
    unresolved,
)
from tui.store import Store
from tui.view import names
from tui.view.sidebar import sidebar

_FIRST_PAGE: Final = re.compile(r"0*1(?![0-9])")
"""How the first topic of a tour is named: "1. start here"."""


def asked_for(store: Store, text: str) -> Narrow:
    """What the search language means by the text; no text means everything.

    Raises BadNarrow for what makes no sense, and for channels and people that are not known.
    """
    terms = resolve(parse(text), store)
    if words := unresolved(terms):
        raise BadNarrow(words)
    return narrow_of(terms, store.self_id)


def first_place(store: Store, last: Narrow | None) -> Narrow:
    """The last place if it is still there; else a tour, the first unread conversation, everything."""
    if last is not None and _is_there(store, last):
        return last
    return tour(store) or first_unread(store) or AllMessages()


def tour(store: Store) -> TopicNarrow | None:
    """An unread topic that begins with the number 1, in a channel that everybody starts in.

    The server leaves one for newcomers; any organization can write its own.
    """
    starts = store.realm.default_channel_ids
    pages = [
        place
        for place in store.unreads.conversations()
        if isinstance(place, TopicNarrow)
        and place.channel_id in starts
        and _FIRST_PAGE.match(place.topic)
        and not store.is_muted(place)
    ]
    return min(pages, key=lambda place: min(store.unreads.ids(place)), default=None)


def first_unread(store: Store) -> Conversation | None:
    """The first conversation with something to read, in the order of the sidebar."""
    for row in sidebar(store, opened=None, expanded=frozenset(), drafts=0, now=0.0):
        if row.is_quiet or not row.count:
            continue
        if row.kind == "direct":
            assert not isinstance(row.target, str)
            return row.target  # type: ignore[return-value]  # a direct row leads to one
        if row.kind == "channel" and row.channel_id is not None:
            for topic in names.topics(store, row.channel_id):
                if store.unread_ids(topic) and not store.is_muted(topic):
                    return topic
    return None


def _is_there(store: Store, place: Narrow) -> bool:
    if isinstance(place, TopicNarrow | ChannelNarrow):
        return place.channel_id in store.channels.subscribed
    return not isinstance(place, Search)
