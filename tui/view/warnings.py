"""Warnings about a message before it is sent. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from tui.api.model import Channel, UserId
from tui.dataclass import dataclass
from tui.narrow import ChannelNarrow, Conversation, TopicNarrow
from tui.store import Store
from tui.store.edits import RESOLVED_PREFIX
from tui.view import names

MANY: Final = 15
"""From this many people on, a mention of all needs a confirmation."""

_CODE: Final = r"(?s)```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`"
_WILDCARD: Final = r"(?<![\w@])@\*\*(all|everyone|channel|stream)\*\*"
_MENTION: Final = r"(?<![\w@])@\*\*([^*\n|]+)(?:\|(\d{1,15}))?\*\*"


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning sentence; with `of_place`, it is given only once for a conversation."""

    text: str
    of_place: bool


def warnings(store: Store, place: Conversation, text: str) -> list[Caution]:
    """Return the warnings to confirm before the text is sent; empty for most messages."""
    if not isinstance(place, TopicNarrow):
        return []
    channel = store.channels.get(place.channel_id)
    if channel is None:
        return []
    prose = re.sub(_CODE, "", text)
    return [*_of_place(store, place), *_of_text(store, channel, prose)]


def _of_place(store: Store, place: TopicNarrow) -> Iterator[Caution]:
    name = names.narrow(store, ChannelNarrow(place.channel_id))
    if place.channel_id not in store.channels.subscribed:
        yield Caution(f"You have not joined {name} and will not see replies.", of_place=True)
    if place.topic.startswith(RESOLVED_PREFIX):
        yield Caution("This topic is marked as resolved.", of_place=True)


def _of_text(store: Store, channel: Channel, prose: str) -> Iterator[Caution]:
    name = names.narrow(store, ChannelNarrow(channel.channel_id))
    readers = channel.subscribers
    count = len(readers) if readers is not None else channel.subscriber_count or 0
    wildcard = re.search(_WILDCARD, prose)
    if wildcard is not None and count > MANY:
        yield Caution(f"@{wildcard[1]} notifies all {count} people in {name}.", of_place=False)
    absent = [
        each for each in _mentioned(store, prose) if readers is not None and each not in readers
    ]
    if absent:
        people = names.listed(names.person(store, each) for each in dict.fromkeys(absent))
        verb = "is" if len(set(absent)) == 1 else "are"
        yield Caution(f"{people} {verb} not in {name} and may not see this.", of_place=False)


def _mentioned(store: Store, prose: str) -> Iterator[UserId]:
    for match in re.finditer(_MENTION, prose):
        user_id = UserId(int(match[2])) if match[2] else store.users.find(match[1])
        user = store.users.get(user_id) if user_id is not None else None
        if user is not None and user.is_active and not user.is_bot:
            yield user.user_id
