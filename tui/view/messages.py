"""The rows of an open conversation or feed: a pure function of the store. No clock but `today`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date

from tui.api.model import Message, MessageId, UserId
from tui.content.extracts import inline_text, walk
from tui.content.nodes import Highlight
from tui.dataclass import dataclass
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    Conversation,
    DmNarrow,
    Narrow,
    TopicNarrow,
    conversation_of,
)
from tui.store.messages import Match
from tui.store.outbox import OutgoingMessage
from tui.store.store import Store
from tui.store.unreads import MENTION_FLAGS
from tui.view import names
from tui.view.polls import ballot
from tui.view.reactions import chips
from tui.view.rows import (
    HIDDEN,
    ConversationRow,
    DateRow,
    EchoRow,
    HeaderRow,
    MessageRow,
    UnreadRow,
    parsed,
)
from tui.view.times import Times, day_name

TOGETHER = 10 * 60
"""Seconds within which messages of one sender stand under one name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How somebody reads a narrow just now, beyond what the store knows.

    `line_above`: the first message that was unread at opening, with `line_count` as many.
    """

    narrow: Narrow
    times: Times
    today: date
    line_above: MessageId | None = None
    line_count: int = 0
    revealed: Mapping[MessageId, frozenset[int]] = field(default_factory=dict)
    is_dense: bool = False
    """Without empty lines between what different people say."""
    made: dict[MessageId, tuple[tuple[object, ...], MessageRow]] = field(default_factory=dict)
    """Rows of before, each with all that it was made of: what has not changed is the same row again."""


def rows(
    store: Store, reading: Reading, ids: Iterable[MessageId], *, with_outbox: bool
) -> list[ConversationRow]:
    """Rows of the messages with these ids, oldest first; `with_outbox` adds what is on its way."""
    writer = _Writer(store, reading)
    for message_id in ids:
        message = store.message(message_id)
        if message is not None:
            writer.add(message, store.messages.matches.get((reading.narrow, message_id)))
    if with_outbox:
        for outgoing in echoes(store, reading.narrow):
            writer.add_echo(outgoing)
    return writer.rows


def echoes(store: Store, narrow: Narrow) -> list[OutgoingMessage]:
    """What is on its way to where the narrow looks."""
    return [
        each
        for each in store.outbox.by_id.values()
        if looks_at(narrow, each.conversation(store.self_id))
    ]


def is_feed(narrow: Narrow) -> bool:
    """Whether messages of several conversations are shown between each other."""
    return not isinstance(narrow, TopicNarrow | DmNarrow)


def looks_at(narrow: Narrow, place: Conversation) -> bool:
    """Whether what is sent to a conversation is shown in a narrow while it is on its way."""
    match narrow:
        case AllMessages():
            return True
        case AllDms():
            return isinstance(place, DmNarrow)
        case ChannelNarrow(channel_id):
            return isinstance(place, TopicNarrow) and place.channel_id == channel_id
        case _:
            return narrow == place


class _Writer:
    """Adds row after row; each depends on the one before."""

    def __init__(self, store: Store, reading: Reading) -> None:
        self._store = store
        self._reading = reading
        self._is_feed = is_feed(reading.narrow)
        self.rows: list[ConversationRow] = []
        self._day: date | None = None
        self._place: Conversation | None = None
        self._sender: UserId | None = None
        self._time = 0.0

    def add(self, message: Message, match: Match | None) -> None:
        place = conversation_of(message)
        day = self._reading.times.day(message.timestamp)
        if day != self._day:
            self._break(DateRow(before=message.id, text=day_name(day, self._reading.today)))
            self._day = day
            self._place = None if self._is_feed else self._place
        if message.id == self._reading.line_above:
            self._break(UnreadRow(count=self._reading.line_count))
        if self._is_feed and place != self._place:
            self._break(self._header(message, place, match))
        self._place = place
        leads = self._leads(message.sender_id, message.timestamp) or message.is_me_message
        content = None if match is None else match.content
        self.rows.append(self._message(message, content, leads=leads))
        self._sender = None if message.is_me_message else message.sender_id
        self._time = message.timestamp

    def add_echo(self, outgoing: OutgoingMessage) -> None:
        if outgoing.message_id is not None and outgoing.message_id in self._store.messages.by_id:
            return
        self_id = self._store.self_id
        place = outgoing.conversation(self_id)
        leads = place != self._place or self._leads(self_id, outgoing.created)
        self.rows.append(
            EchoRow(
                local_id=outgoing.local_id,
                sender_id=self_id,
                sender=names.person(self._store, self_id),
                time=self._reading.times.clock(outgoing.created),
                text=outgoing.content,
                state=outgoing.state,
                trouble=outgoing.error,
                leads=leads,
                gap=leads and self._needs_gap(),
            )
        )
        self._sender, self._time, self._place = self_id, outgoing.created, place

    def _break(self, row: ConversationRow) -> None:
        self.rows.append(row)
        self._sender = None

    def _leads(self, sender_id: UserId, timestamp: float) -> bool:
        return sender_id != self._sender or timestamp - self._time > TOGETHER

    def _needs_gap(self) -> bool:
        if self._reading.is_dense:
            return False
        return bool(self.rows) and isinstance(self.rows[-1], MessageRow | EchoRow)

    def _header(self, message: Message, place: Conversation, match: Match | None) -> HeaderRow:
        if isinstance(place, DmNarrow):
            return HeaderRow(
                before=message.id,
                conversation=place,
                place=names.people(self._store, place),
                topic="",
                color="",
            )
        channel_id = place.channel_id
        mark = names.channel_mark(self._store, channel_id)
        return HeaderRow(
            before=message.id,
            conversation=place,
            place=f"{mark}{names.channel(self._store, channel_id)}",
            topic=names.topic(self._store, place.topic),
            color=names.channel_color(self._store, channel_id),
            is_unnamed=not place.topic,
            hits=_hits(match.topic) if match is not None and match.topic else (),
        )

    def _message(self, message: Message, match: str | None, *, leads: bool) -> MessageRow:
        store = self._store
        revealed = self._reading.revealed.get(message.id, frozenset())
        if message.sender_id in store.muted_users and HIDDEN not in revealed:
            return self._hidden(message, leads=leads)
        user, times = store.users.get(message.sender_id), self._reading.times
        made_of = (message, match, revealed, leads, leads and self._needs_gap(), user, times)
        known, row = self._reading.made.get(message.id, (None, None))
        if row is None or known != made_of or message.submessages:  # which name other people
            row = self._made(message, match, revealed, leads=leads)
            self._reading.made[message.id] = made_of, row
        return row

    def _made(
        self, message: Message, match: str | None, revealed: frozenset[int], *, leads: bool
    ) -> MessageRow:
        store, flags = self._store, message.flags
        return MessageRow(
            message_id=message.id,
            sender_id=message.sender_id,
            sender=names.person(store, message.sender_id, message.sender_full_name),
            note=_note(store, message.sender_id),
            time=self._reading.times.clock(message.timestamp),
            html=message.content if match is None else match,
            is_excerpt=match is not None,
            is_markdown=message.content_type == "text/x-markdown",
            is_me=message.is_me_message,
            leads=leads,
            gap=leads and self._needs_gap(),
            is_own=message.sender_id == store.self_id,
            is_starred="starred" in flags,
            is_unread="read" not in flags,
            is_mention=not MENTION_FLAGS.isdisjoint(flags),
            marks=_marks(message),
            chips=chips(message.reactions, store.self_id) if message.reactions else (),
            ballot=ballot(store, message),
            revealed=revealed,
        )

    def _hidden(self, message: Message, *, leads: bool) -> MessageRow:
        return MessageRow(
            message_id=message.id,
            sender_id=message.sender_id,
            sender="Muted",
            note="",
            time=self._reading.times.clock(message.timestamp),
            html="",
            leads=leads,
            gap=leads and self._needs_gap(),
            is_hidden=True,
        )


def _hits(html: str) -> tuple[str, ...]:
    """What is marked in a topic that a search found."""
    nodes = walk(parsed(html, False))
    return tuple(inline_text(node.children) for node in nodes if isinstance(node, Highlight))


def _note(store: Store, user_id: UserId) -> str:
    user = store.users.get(user_id)
    if user is None:
        return ""
    if user.is_bot:
        return "bot"
    if not user.is_active:
        return "deactivated"
    return "guest" if user.is_guest else ""


def _marks(message: Message) -> tuple[str, ...]:
    marks: list[str] = []
    if message.last_edit_timestamp is not None:
        marks.append("edited")
    if message.last_moved_timestamp is not None:
        marks.append("moved")
    return tuple(marks)


def first_unread(store: Store, ids: Sequence[MessageId]) -> tuple[MessageId | None, int]:
    """The oldest of the messages that is unread, and how many are."""
    unread = [each for each in ids if (m := store.message(each)) and "read" not in m.flags]
    return (unread[0] if unread else None), len(unread)
