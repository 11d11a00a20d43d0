"""The texts around the open conversation: title, hints, typing notices. Pure."""

from collections.abc import Callable

from tui.dataclass import dataclass
from tui.narrow import (
    ChannelNarrow,
    Conversation,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.store.store import Store
from tui.view import names
from tui.view.counts import counted
from tui.view.people import status
from tui.view.purpose import purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """`# channel › topic`, and a few words about it."""

    mark: str
    color: str
    place: str
    topic: str
    about: str


def title(store: Store, narrow: Narrow) -> Title:
    """Return the title of a narrow."""
    match narrow:
        case ChannelNarrow(channel_id) | TopicNarrow(channel_id=channel_id):
            channel = store.channels.get(channel_id)
            about = purpose(channel) if channel is not None else ""
            return Title(
                mark=names.channel_mark(store, channel_id),
                color=names.channel_color(store, channel_id),
                place=names.channel(store, channel_id),
                topic=names.topic(store, narrow.topic) if isinstance(narrow, TopicNarrow) else "",
                about=about,
            )
        case DmNarrow(user_ids):
            others = user_ids - {store.self_id}
            about = status(store, next(iter(others))) if len(others) == 1 else ""
            if not others:
                about = "notes that only you can read"
            return Title(
                mark="", color="", place=names.people(store, narrow), topic="", about=about
            )
        case _:
            return Title(
                mark="",
                color="",
                place=names.narrow(store, narrow),
                topic="",
                about=_match_count(store, narrow) if isinstance(narrow, Search) else _about(narrow),
            )


def _match_count(store: Store, search: Search) -> str:
    """Return how many messages a search found. Servers send no total: `+` means there may be more."""
    window = store.messages.windows.get(search)
    stretch = window.at(None) if window is not None else None
    if stretch is None:
        return ""
    count, more = len(stretch.ids), not stretch.found_oldest
    return f"{count}+ messages" if more else counted(count, "message", "messages")


def _about(narrow: Narrow) -> str:
    match narrow:
        case Mentions():
            return "messages that mention you"
        case Starred():
            return "messages you starred"
        case Unread():
            return "unread conversations"
        case _:
            return "all messages in your channels and conversations"


def empty(narrow: Narrow, key: Callable[[str], str]) -> str:
    """Return the text of an empty conversation: one sentence, and the key that helps.

    `key` returns the key of an action ID.
    """
    match narrow:
        case TopicNarrow() | DmNarrow() | ChannelNarrow():
            return f"No messages yet. Press {key('app.write')} to write the first one."
        case Mentions():
            return f"No mentions yet. Press {key('app.jump')} to jump elsewhere."
        case Starred():
            return f"No starred messages. Press {key('message.star')} on a message to star it."
        case Unread():
            return "You have read everything."
        case Search():
            return f"No matches. Press {key('app.search')} to search again."
        case _:
            return f"No messages yet. {key('app.new_message')} writes to a channel or to a person."


def emptied(narrow: Narrow) -> str:
    """Return what became of messages that were just shown in a conversation; "" for a view of several."""
    is_conversation = isinstance(narrow, TopicNarrow | DmNarrow | ChannelNarrow)
    return (
        "These messages were deleted, or moved to where you cannot read them."
        if is_conversation
        else ""
    )


def write_hint(store: Store, place: Conversation | None, key: Callable[[str], str]) -> str:
    """Return the placeholder of the composer: the destination of the message. `key` names an action's key."""
    if place is None:
        return f"{key('app.new_message')} chooses where to write"
    return f"Write to {names.conversation(store, place)}"


def typists(store: Store, narrow: Narrow) -> str:
    """Return who is typing, as a sentence without its full stop; "" for nobody."""
    if not isinstance(narrow, TopicNarrow | DmNarrow):
        return ""
    writing = [names.person(store, each) for each in store.typing.people(narrow)]
    if not writing:
        return ""
    return f"{names.listed(writing)} {'is' if len(writing) == 1 else 'are'} typing…"
