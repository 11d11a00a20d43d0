"""The effects of moving messages, in words, before it is done; and the errors of a move. Pure."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from tui.api.model import ChannelId, Message, MessageId
from tui.dataclass import dataclass
from tui.narrow import TopicNarrow
from tui.store import Store
from tui.store.edits import RESOLVED_PREFIX
from tui.view import names
from tui.view.counts import counted

Reach: TypeAlias = Literal["change_one", "change_later", "change_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The destination of a message, and which of its neighbors move with it."""

    reach: Reach
    channel_id: ChannelId
    topic: str
    tell_new: bool = True
    tell_old: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Movable:
    """What an organization's time limit leaves of a move: the newest `count` of `total`."""

    first: MessageId | None
    count: int
    total: int


def sentences(store: Store, message: Message, move: Move) -> str:
    """Describe what the move will do; "" if it changes nothing."""
    assert message.channel_id is not None
    here = TopicNarrow(message.channel_id, message.topic)
    there = TopicNarrow(move.channel_id, move.topic)
    if (there.channel_id, there.topic) == (here.channel_id, here.topic):
        return ""
    if here != there:
        there = next(
            (each for each in store.topics.places(there.channel_id) if each == there), there
        )
    texts = [f"{_what(store, here, message.id, move.reach)} to {names.conversation(store, there)}."]
    if there.channel_id in store.topics.complete and here != there:
        texts.append(
            "This is a new topic."
            if is_new_topic(store, move)
            else "The topic exists: messages are merged by date."
            if move.reach == "change_one"
            else "The topic exists: messages are merged by date, which cannot be undone."
        )
    if there.channel_id != here.channel_id:
        texts.append(_audience(store, here.channel_id, there.channel_id))
    return " ".join(each for each in texts if each)


def is_respelling(message: Message, move: Move) -> bool:
    """Whether only the case of the topic's letters changes."""
    here = TopicNarrow(ChannelId(message.channel_id or 0), message.topic)
    return here == TopicNarrow(move.channel_id, move.topic)


def is_new_topic(store: Store, move: Move) -> bool:
    """Whether the destination has no loaded topic of that name."""
    topic_key = move.topic.casefold()
    topics = store.topics.of(move.channel_id)
    return not any(topic.name.casefold() == topic_key for topic in topics)


def _what(store: Store, here: TopicNarrow, message_id: MessageId, reach: Reach) -> str:
    if reach == "change_one":
        return "This message moves"
    stretch = store.messages.window(here).at(message_id)
    if stretch is None or not stretch.found_newest:
        later, everything = "all later ones", "All messages of this topic move"
    else:
        after = sum(each > message_id for each in stretch.ids)
        later = counted(after, "later one", "later ones") if after else ""
        everything = f"All {len(stretch.ids)} messages of this topic move"
    if reach == "change_all":
        is_complete = stretch is not None and stretch.found_oldest
        return everything if is_complete else "All messages of this topic move"
    return f"This message and {later} move" if later else "This message (the last one) moves"


def _audience(store: Store, here: ChannelId, there: ChannelId) -> str:
    """Describe who gains or loses access by the move; "" if nobody does."""
    was, will = names.is_private(store, here), names.is_private(store, there)
    channel = f"{names.channel_mark(store, there)}{names.channel(store, there)}"
    if will:
        return f"Only members of {channel} will be able to read it."
    return f"Everyone who can read {channel} will be able to read it." if was else ""


def topic_is_resolved(topic: str) -> bool:
    """Whether the topic's name has the prefix of resolved topics."""
    return topic.startswith(RESOLVED_PREFIX)


def left_movable(data: Mapping[str, object]) -> Movable:
    """Return what can still be moved, from the data of the time limit's error."""
    first, count, total = (
        data.get(key)
        for key in (
            "first_message_id_allowed_to_move",
            "total_messages_allowed_to_move",
            "total_messages_in_topic",
        )
    )
    return Movable(
        first=MessageId(first) if isinstance(first, int) else None,
        count=count if isinstance(count, int) else 0,
        total=total if isinstance(total, int) else 0,
    )


def too_old(movable: Movable) -> str:
    """Return the sentence for the time limit's error."""
    if not movable.count:
        return "These messages are too old to move."
    return (
        f"Only the newest {movable.count} of the topic's {movable.total} messages"
        " can still be moved: the others are too old."
    )
