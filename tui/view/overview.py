"""The overviews: inbox, most urgent first; recent conversations, latest first. Pure."""

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from tui.api.model import ChannelId, Message, MessageId, VisibilityPolicy
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.dataclass import dataclass
from tui.narrow import AllMessages, Conversation, DmNarrow, TopicNarrow, conversation_of
from tui.store.store import Store
from tui.view import names
from tui.view.polls import ballot
from tui.view.rows import written
from tui.view.times import Times
from tui.view.titles import Title

OverviewName: TypeAlias = Literal["inbox", "recent"]

MOST: Final = 200
"""Most conversations listed."""
HEADINGS: Final = ("Direct messages", "Mentions", "Followed topics", "Other topics")
"""The inbox's headings, most urgent first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRow:
    """A conversation, or a heading where `conversation` is None."""

    conversation: Conversation | None
    place: str
    """The channel with its mark, the people, or the heading."""
    topic: str = ""
    color: str = ""
    count: int = 0
    mentions: int = 0
    """How many of `count` mention the user."""
    is_followed: bool = False
    is_muted: bool = False
    sender: str = ""
    line: str = ""
    """The beginning of the first unread message, or of the last one."""
    time: str = ""
    has_taken_part: bool = False

    @property
    def key(self) -> Hashable:
        return self.conversation or self.place

    @property
    def actions(self) -> frozenset[str]:
        """The actions that apply to the conversation, by their names in the table of keys."""
        match self.conversation:
            case None:
                return frozenset()
            case TopicNarrow():
                return frozenset(("read", "mute", "follow"))
            case DmNarrow(user_ids) if len(user_ids) == 2:
                return frozenset(("read", "mute"))  # mutes the person
            case DmNarrow():
                return frozenset(("read",))

    @property
    def revision(self) -> "OverviewRow":
        return self

    @property
    def selectable(self) -> bool:
        return self.conversation is not None

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return 2


def title(store: Store, name: OverviewName) -> Title:
    """Return the title of an overview."""
    if name == "recent":
        about = "by latest message"
        return Title(mark="", color="", place="Recent conversations", topic="", about=about)
    places = unread_places(store)
    count = sum(store.unread_count(place) for place in places)
    about = f"{count} unread in {len(places)} conversations" if len(places) > 1 else ""
    return Title(mark="", color="", place="Inbox", topic="", about=about)


def empty(name: OverviewName, key: Callable[[str], str]) -> str:
    """Return the text of an overview without rows; `key` returns the key of an action ID."""
    if name == "inbox":
        return f"You have read everything. {key('app.recent')} shows recent conversations."
    return f"No messages yet. {key('app.new_message')} writes to a channel or to a person."


def rows(store: Store, name: OverviewName, times: Times, today: date) -> list[OverviewRow]:
    """Return the rows of an overview."""
    return inbox(store, times, today) if name == "inbox" else recent(store, times, today)


def wanted(store: Store, name: OverviewName) -> list[MessageId]:
    """Return the messages that the rows quote and that are not loaded, from the first row on."""
    if name == "inbox":
        listed = itertools.chain.from_iterable(_by_urgency(store).values())
        ids = [min(store.unread_ids(place)) for place in listed]
    else:
        ids = [message_id for _, message_id in _latest(store)]
    return [message_id for message_id in ids if store.message(message_id) is None]


# Inbox


def unread_places(store: Store) -> list[Conversation]:
    """Return conversations with unread messages that are not muted, or mention the user."""
    return [
        place
        for place in store.unreads.conversations()
        if store.unread_count(place) and (not store.is_muted(place) or store.unread_mentions(place))
    ]


def inbox(store: Store, times: Times, today: date) -> list[OverviewRow]:
    """Return direct messages, mentions, followed topics, other topics; in each the largest first."""
    return list(itertools.islice(_inbox(store, _when(times, today)), MOST))


def _inbox(store: Store, when: Callable[[int], str]) -> Iterator[OverviewRow]:
    is_first = True
    for heading, places in _by_urgency(store).items():
        if places:
            yield heading_row(heading, is_first=is_first)
            is_first = False
            for place in places:
                yield _row(store, place, when, _first_unread(store, place))


def heading_row(heading: str, *, is_first: bool) -> OverviewRow:
    """Return the row of a heading; topics are “other” topics only below something else."""
    place = "Topics" if heading == HEADINGS[-1] and is_first else heading
    return OverviewRow(conversation=None, place=place)


def _by_urgency(store: Store) -> dict[str, list[Conversation]]:
    groups: dict[str, list[Conversation]] = {heading: [] for heading in HEADINGS}
    for place in unread_places(store):
        groups[_group(store, place)].append(place)
    for places in groups.values():
        places.sort(key=lambda place: (-store.unread_count(place), min(store.unread_ids(place))))
    return groups


def _group(store: Store, place: Conversation) -> str:
    if isinstance(place, DmNarrow):
        return "Direct messages"
    if store.unread_mentions(place):
        return "Mentions"
    followed = store.policy(place) == VisibilityPolicy.FOLLOWED
    return "Followed topics" if followed else "Other topics"


def _first_unread(store: Store, place: Conversation) -> Message | None:
    return store.message(min(store.unread_ids(place)))


# Recent conversations


def recent(store: Store, times: Times, today: date) -> list[OverviewRow]:
    """Return conversations by their last message, newest first; quotes follow as messages are loaded."""
    taken_part = {conversation_of(m) for m in _known(store) if m.sender_id == store.self_id}
    when = _when(times, today)
    return [
        _row(store, place, when, store.message(last), has_taken_part=place in taken_part)
        for place, last in _latest(store)
    ]


def unlisted(store: Store) -> list[ChannelId]:
    """Return channels whose topics are not all loaded, likeliest to have recent messages first."""
    channels = [
        channel
        for channel in store.channels.subscriptions()
        if not (
            channel.is_archived or channel.is_muted or channel.channel_id in store.topics.complete
        )
    ]
    channels.sort(key=lambda channel: not channel.is_recently_active)
    return [channel.channel_id for channel in channels]


def _latest(store: Store) -> list[tuple[Conversation, MessageId]]:
    """Return conversations that are not muted with their newest message, as far as it is known."""
    newest: dict[Conversation, MessageId] = dict(store.direct_messages.newest.items())
    for channel in store.channels.subscriptions():
        if channel.is_archived:
            continue
        for topic in store.topics.of(channel.channel_id):
            place = TopicNarrow(channel.channel_id, topic.name)
            if not store.is_muted(place):
                newest[place] = topic.max_id
    for message in _known(store):
        said_in = conversation_of(message)
        newest[said_in] = max(message.id, newest.get(said_in, message.id))
    return heapq.nlargest(MOST, newest.items(), key=lambda pair: pair[1])


def _known(store: Store) -> Iterator[Message]:
    stretch = store.messages.window(AllMessages()).at(None)
    ids: Iterable[MessageId] = () if stretch is None else stretch.ids
    for message_id in ids:
        message = store.message(message_id)
        if message is not None:
            yield message


def _row(
    store: Store,
    place: Conversation,
    when: Callable[[int], str],
    message: Message | None,
    *,
    has_taken_part: bool = False,
) -> OverviewRow:
    ids = store.unread_ids(place)
    topic = place if isinstance(place, TopicNarrow) else None
    return OverviewRow(
        conversation=place,
        place=_place(store, place),
        topic=names.topic(store, topic.topic) if topic is not None else "",
        color=names.channel_color(store, topic.channel_id) if topic is not None else "",
        count=len(ids),
        mentions=len(ids & store.unreads.mentions),
        is_followed=topic is not None and store.policy(topic) == VisibilityPolicy.FOLLOWED,
        is_muted=store.is_muted(place),
        sender=_sender(store, message),
        line="" if message is None else _line(store, message),
        time="" if message is None else when(message.timestamp),
        has_taken_part=has_taken_part,
    )


def _when(times: Times, today: date) -> Callable[[int], str]:
    """Return a function that formats times: of today as the hour, before that as the day."""

    def time_label(timestamp: int) -> str:
        day = times.day(timestamp)
        return times.clock(timestamp) if day == today else f"{day.day} {day:%b}"

    return time_label


def _place(store: Store, place: Conversation) -> str:
    if isinstance(place, DmNarrow):
        return names.people(store, place)
    mark = names.channel_mark(store, place.channel_id)
    return f"{mark}{names.channel(store, place.channel_id)}"


def _sender(store: Store, message: Message | None) -> str:
    if message is None:
        return ""
    if message.sender_id == store.self_id:
        return "you"
    return names.person(store, message.sender_id, message.sender_full_name)


def _line(store: Store, message: Message) -> str:
    vote = ballot(store, message)
    if vote is not None:
        return vote.title
    is_markdown = message.content_type == "text/x-markdown"
    return _beginning(message.content, is_markdown, message.is_me_message)


@lru_cache(MOST + 56)  # and some of what was in the other overview
def _beginning(content: str, is_markdown: bool, is_me: bool) -> str:
    """Return the first 300 characters. An open overview asks for those of all its rows after each change."""
    nodes = written(content) if is_markdown else parse(content, is_me_message=is_me)
    return " ".join(plain_text(nodes).split())[:300]
