"""The destination of a message, as each endpoint wants it: a topic of a channel, or people. No I/O."""

from typing import TypeAlias

from tui.api.model import ChannelId, UserId
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDestination:
    """A topic of a channel; "" is the empty topic."""

    channel_id: ChannelId
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectDestination:
    """People, with or without the sender; the sender alone for notes to self."""

    user_ids: frozenset[UserId]


Destination: TypeAlias = TopicDestination | DirectDestination


def to_parameters(destination: Destination) -> dict[str, object]:
    """Return the parameters for messages and scheduled messages: `type`, `to` and `topic`."""
    if isinstance(destination, TopicDestination):
        return {"type": "stream", "to": destination.channel_id, "topic": destination.topic}
    return {"type": "direct", "to": sorted(destination.user_ids)}


def typing_parameters(destination: Destination) -> dict[str, object]:
    """Return the parameters for typing notices: as above, but a channel is named `stream_id`."""
    if isinstance(destination, TopicDestination):
        return {
            "type": "stream",
            "stream_id": destination.channel_id,
            "topic": destination.topic,
        }
    return {"type": "direct", "to": sorted(destination.user_ids)}


def draft_fields(destination: Destination | None) -> dict[str, object]:
    """Return the fields of drafts: `type`, `to` and `topic`; None is a draft without a destination."""
    if destination is None:
        return {"type": "", "to": [], "topic": ""}
    if isinstance(destination, TopicDestination):
        return {"type": "stream", "to": [destination.channel_id], "topic": destination.topic}
    return {"type": "private", "to": sorted(destination.user_ids), "topic": ""}
