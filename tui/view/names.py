"""Display names of people, channels, topics and conversations. Sanitized, of one line; pure."""

from collections.abc import Iterable
from dataclasses import replace

from tui.api.model import ChannelId, Subscription, UserId
from tui.content.sanitize import sanitize_line
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    Conversation,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    Term,
    TopicNarrow,
    Unread,
    format_terms,
)
from tui.store.store import Store

RESOLVED = "✔ "
"""The prefix of a resolved topic."""


def person(store: Store, user_id: UserId, fallback: str = "") -> str:
    """Return a user's name; `fallback` (sanitized here too) for users that are not in the store."""
    user = store.users.get(user_id)
    name = user.full_name if user is not None else fallback
    return sanitize_line(name) or "Unknown person"


def people(store: Store, conversation: DmNarrow) -> str:
    """Return the others in a direct conversation by name; `Ann (you)` for notes to self."""
    others = conversation.user_ids - {store.self_id}
    if not others:
        return f"{person(store, store.self_id)} (you)"
    return ", ".join(sorted((person(store, each) for each in others), key=str.casefold))


def channel(store: Store, channel_id: ChannelId) -> str:
    """Return the channel's name without a mark."""
    row = store.channels.get(channel_id)
    return sanitize_line(row.name) if row is not None else "unknown channel"


def is_private(store: Store, channel_id: ChannelId) -> bool:
    """Whether the channel is private."""
    row = store.channels.get(channel_id)
    return row is not None and row.invite_only


def channel_mark(store: Store, channel_id: ChannelId) -> str:
    """Return the mark before a channel's name."""
    return "◆" if is_private(store, channel_id) else "#"


def channel_color(store: Store, channel_id: ChannelId) -> str:
    """Return the user's color of a channel as `#rrggbb`, "" if there is none."""
    row = store.channels.get(channel_id)
    color = row.color if isinstance(row, Subscription) else ""
    digits = color.removeprefix("#")
    is_valid = len(digits) in (3, 6) and all(digit in "0123456789abcdefABCDEF" for digit in digits)
    return f"#{digits}" if is_valid else ""


def topic(store: Store, name: str) -> str:
    """Return the topic's name, or the organization's name for the empty topic."""
    return sanitize_line(name or store.realm.settings.empty_topic_display_name or "general chat")


def conversation(store: Store, place: Conversation) -> str:
    """Return `#design › colors`, or the people."""
    if isinstance(place, DmNarrow):
        return people(store, place)
    mark = channel_mark(store, place.channel_id)
    return f"{mark}{channel(store, place.channel_id)} › {topic(store, place.topic)}"


def narrow(store: Store, place: Narrow) -> str:
    """Return the title of a narrow."""
    match place:
        case TopicNarrow() | DmNarrow():
            return conversation(store, place)
        case ChannelNarrow(channel_id):
            return f"{channel_mark(store, channel_id)}{channel(store, channel_id)}"
        case AllMessages():
            return "All messages"
        case AllDms():
            return "Direct messages"
        case Mentions():
            return "Mentions"
        case Starred():
            return "Starred"
        case Unread():
            return "Unread"
        case Search(conditions):
            return f"Search: {search(store, conditions)}"


def search(store: Store, terms: Iterable[Term]) -> str:
    """Return a search as people write it: names for the IDs that are known."""
    return sanitize_line(format_terms([_readable(store, term) for term in terms]))


def _readable(store: Store, term: Term) -> Term:
    match term:
        case Term("channel", int(channel_id)):
            row = store.channels.get(ChannelId(channel_id))
            return term if row is None else replace(term, operand=row.name)
        case Term("sender" | "mentions", int(user_id)):
            user = store.users.get(UserId(user_id))
            return term if user is None else replace(term, operand=user.full_name)
        case Term("dm" | "dm-including", tuple(user_ids)):
            users = [store.users.get(UserId(each)) for each in user_ids]
            names = [user.full_name for user in users if user is not None]
            return term if len(names) < len(users) else replace(term, operand=", ".join(names))
        case _:
            return term


def listed(names: Iterable[str]) -> str:
    """Return `Ann`, `Ann and Ben`, or `Ann, Ben and 3 others`."""
    parts = list(names)
    if len(parts) <= 1:
        return "".join(parts)
    if len(parts) == 2:
        return f"{parts[0]} and {parts[1]}"
    if len(parts) == 3:
        return f"{parts[0]}, {parts[1]} and {parts[2]}"
    return f"{parts[0]}, {parts[1]} and {len(parts) - 2} others"


def topics(store: Store, channel_id: ChannelId) -> list[TopicNarrow]:
    """Return the loaded topics of a channel, newest first, then others with unread messages."""
    places = store.topics.places(channel_id)
    others = [place for place in store.unreads.topics(channel_id) if place not in store.topics]
    unread = [(max(ids), place) for place in others if (ids := store.unread_ids(place))]
    unread.sort(key=lambda each: -each[0])
    return [*places, *(place for _, place in unread)]
