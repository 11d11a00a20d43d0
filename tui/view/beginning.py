"""Which conversation a start opens: the one asked for, the last one, or the first unread one. Pure."""

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
)
from tui.store import Store
from tui.view import names
from tui.view.sidebar import sidebar

_NEEDS_ID = {"channel": "There is no channel “{}” here.", "dm": "There is nobody called “{}” here."}


def asked_for(store: Store, words: str) -> Narrow:
    """What the search language means by the words; no words mean everything.

    Raises BadNarrow for words that make no sense, and for channels and people that are not known.
    """
    terms = resolve(parse(words), store)
    for term in terms:
        if isinstance(term.operand, str) and term.operator in _NEEDS_ID:
            raise BadNarrow(_NEEDS_ID[term.operator].format(term.operand))
    return narrow_of(terms, store.self_id)


def first_place(store: Store, last: Narrow | None) -> Narrow:
    """The last place if it is still there, else the first unread conversation, else everything."""
    if last is not None and _is_there(store, last):
        return last
    return first_unread(store) or AllMessages()


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
