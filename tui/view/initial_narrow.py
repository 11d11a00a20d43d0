"""The narrow at the start: the one asked for, the last one, a tour's, or the first unread. Pure."""

import re
from typing import Final

from tui.api.model import MessageId
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
    without_near,
)
from tui.store import Store
from tui.view import names
from tui.view.sidebar import sidebar

_FIRST_PAGE: Final = re.compile(r"0*1(?![0-9])")
"""Matches the name of a tour's first topic: "1. start here"."""


def asked_for(store: Store, text: str) -> tuple[Narrow, MessageId | None]:
    """Return the narrow of a search, and the message to show of it (`near:`); no text means all messages.

    Raises BadNarrow for invalid searches, and for unknown channels and people.
    """
    terms, near = without_near(resolve(parse(text), store))
    if words := unresolved(terms):
        raise BadNarrow(words)
    return narrow_of(terms, store.self_id), near


def first_place(store: Store, last: Narrow | None) -> Narrow:
    """Return the last narrow if it still exists; else a tour, the first unread conversation, all messages."""
    if last is not None and _is_there(store, last):
        return last
    return tour(store) or first_unread(store) or AllMessages()


def tour(store: Store) -> TopicNarrow | None:
    """Return an unread topic that begins with the number 1, in a default channel; None if there is none.

    The server creates one for new users; any organization can write its own.
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
    """Return the first unread conversation, in the order of the sidebar; None if there is none."""
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
