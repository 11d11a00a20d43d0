"""The rows of an open conversation or feed: a pure function of the store. No clock but `today`."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from datetime import date
from operator import is_
from sys import intern
from typing import Final, NamedTuple

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
from tui.store import edits
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
_NOTHING: Final[frozenset[int]] = frozenset()


class _Before(NamedTuple):
    """The state above a message that its rows depend on."""

    day: date | None = None
    place: Conversation | None = None
    sender: UserId | None = None
    time: float = 0.0
    is_first: bool = True


_FIRST: Final = _Before()


class _Step(NamedTuple):
    """A message's rows, everything they were made of, and the state for the next ones."""

    before: _Before
    message: Message
    of: tuple[object, ...]
    rows: tuple[ConversationRow, ...]
    after: _Before


class KeptRows:
    """A cache of rows: an unchanged message gets the same rows again, without a closer look."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self.steps: dict[MessageId, _Step] = {}
        self.ids: tuple[MessageId, ...] = ()
        """The messages for which rows were made last."""
        self.records: list[Message | None] = []
        """They as the store had them."""
        self.rows: list[ConversationRow] = []
        self.ends: list[tuple[int, _Before]] = []
        """Where the rows of each end, and the state for the next ones."""

    def begin(self, of: tuple[object, ...]) -> None:
        """Clear the cache if the inputs `of` that all rows depend on have changed."""
        if of != self._of:
            self._of = of
            self.steps.clear()
            self.ids = ()

    def same(
        self,
        ids: tuple[MessageId, ...],
        records: list[Message | None],
        changed: AbstractSet[MessageId],
    ) -> int:
        """Return how many of the first messages are those of the last call, with the same rows."""
        count = min(len(ids), len(self.ids))
        if ids[:count] != self.ids[:count]:
            return 0
        # Without a step of Python for each message: as a rule only the last ones differ.
        are_same = [*map(is_, records, self.records[:count]), False]
        places = [bisect_left(self.ids, each) for each in changed]
        return min(are_same.index(False), *places) if places else are_same.index(False)

    def keep(self, ids: Iterable[MessageId]) -> None:
        """Forget the rows of all other messages."""
        self.steps = {each: self.steps[each] for each in ids if each in self.steps}


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """How the user reads a narrow just now, beyond the store.

    `line_above`: the first message that was unread at opening, with `line_count` as many.
    """

    narrow: Narrow
    times: Times
    today: date
    line_above: MessageId | None = None
    line_count: int = 0
    revealed: Mapping[MessageId, frozenset[int]] = field(default_factory=dict)
    is_dense: bool = False
    """No empty lines between messages of different senders."""
    read_with_this: AbstractSet[MessageId] = frozenset()
    """Unread messages that are shown as read: they count as read once they are drawn."""
    kept_rows: KeptRows = field(default_factory=KeptRows)


def rows(
    store: Store,
    reading: ViewState,
    ids: Iterable[MessageId],
    *,
    with_outbox: bool,
    changed: AbstractSet[MessageId] | None = None,
) -> list[ConversationRow]:
    """Return the rows of messages with these IDs, oldest first; `with_outbox` adds unsent messages.

    `changed`: of the messages of the last call only these look different; None: anything may.
    """
    writer, matches = _Writer(store, reading), store.messages.matches
    kept, ids = reading.kept_rows, tuple(ids)
    records = [*map(store.messages.by_id.get, ids)]
    listed: AbstractSet[MessageId] = frozenset()
    begin = 0
    if changed is not None and not matches:
        begin = kept.same(ids, records, changed)
        listed = frozenset(kept.ids[begin:]) - changed
    writer.begin(begin)
    for message_id in ids[begin:]:
        if not (message_id in listed and writer.add_kept(message_id)):
            message = store.message(message_id)
            if message is not None:
                if message_id in reading.read_with_this:
                    message = edits.with_flag(message, "read", on=True)
                writer.add(message, matches.get((reading.narrow, message_id)) if matches else None)
        kept.ends.append(writer.end)
    kept.ids, kept.records, kept.rows = ids, records, [*writer.rows]
    if with_outbox:
        for outgoing in echoes(store, reading.narrow):
            writer.add_echo(outgoing)
    return writer.rows


def echoes(store: Store, narrow: Narrow) -> list[OutgoingMessage]:
    """Return the unsent messages that the narrow shows."""
    return [
        each
        for each in store.outbox.by_id.values()
        if looks_at(narrow, each.conversation(store.self_id))
    ]


def is_feed(narrow: Narrow) -> bool:
    """Whether messages of several conversations are mixed in the narrow."""
    return not isinstance(narrow, TopicNarrow | DmNarrow)


def looks_at(narrow: Narrow, place: Conversation) -> bool:
    """Whether a narrow shows unsent messages to a conversation."""
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

    def __init__(self, store: Store, reading: ViewState) -> None:
        self._store = store
        self._reading = reading
        self._is_feed = is_feed(reading.narrow)
        self.rows: list[ConversationRow] = []
        self._before = _FIRST
        reading.kept_rows.begin(
            (
                self._is_feed,
                reading.times,
                reading.today,
                reading.is_dense,
                frozenset(store.muted_users),
                store.realm.settings.empty_topic_display_name,
            )
        )

    def begin(self, count: int) -> None:
        """Take the rows of the first messages as they were made last."""
        kept = self._reading.kept_rows
        kept.ids = ()  # until all of them are made
        del kept.ends[count:]
        if count:
            rows, self._before = kept.ends[-1]
            self.rows = kept.rows[:rows]

    @property
    def end(self) -> tuple[int, _Before]:
        """How many rows there are, and the state for the next ones."""
        return len(self.rows), self._before

    def add_kept(self, message_id: MessageId) -> bool:
        """Add the cached rows of an unchanged message; False if the state above it is another one."""
        step = self._reading.kept_rows.steps.get(message_id)
        if (
            step is None
            or step.before is not self._before
            or step.message is not self._store.messages.get(message_id)  # fetched again
        ):
            return False
        self.rows += step.rows
        self._before = step.after
        return True

    def add(self, message: Message, match: Match | None) -> None:
        """Add the message's rows; cached ones where nothing they show has changed."""
        reading, before = self._reading, self._before
        line = reading.line_count if message.id == reading.line_above else None
        revealed = reading.revealed.get(message.id, _NOTHING)
        of = (match, line, revealed, *self._named(message))
        step = reading.kept_rows.steps.get(message.id)
        if (
            step is None
            or (step.before is not before and step.before != before)
            or (step.message is not message and step.message != message)
            or step.of != of
            or message.submessages  # which name other people
        ):
            rows, after = self._written(message, match, before)
            step = reading.kept_rows.steps[message.id] = _Step(before, message, of, rows, after)
        elif step.message is not message or step.before is not before:
            # The same again: found so at once the next time, and the store's own objects are enough.
            reading.kept_rows.steps[message.id] = step._replace(before=before, message=message)
        self.rows += step.rows
        self._before = step.after

    def _named(self, message: Message) -> tuple[object, ...]:
        """Return the sender, channel and people that the message's rows name, as the store has them."""
        store = self._store
        sender = store.users.get(message.sender_id)
        if not self._is_feed:
            return (sender,)
        if message.channel_id is not None:
            return (sender, store.channels.get(message.channel_id))
        return (sender, *map(store.users.get, message.participant_ids))

    def _written(
        self, message: Message, match: Match | None, before: _Before
    ) -> tuple[tuple[ConversationRow, ...], _Before]:
        """Return a message's rows, and the state for the next ones."""
        rows: list[ConversationRow] = []
        place, day = conversation_of(message), self._reading.times.day(message.timestamp)
        above = before.place
        if day != before.day:
            rows.append(DateRow(before=message.id, text=day_name(day, self._reading.today)))
            above = None if self._is_feed else above
        if message.id == self._reading.line_above:
            rows.append(UnreadRow(count=self._reading.line_count))
        if self._is_feed and place != above:
            rows.append(self._header(message, place, match))
        leads = bool(rows) or message.is_me_message
        leads = leads or _leads(before, message.sender_id, message.timestamp)
        gap = leads and not rows and self._needs_gap(before)
        content = None if match is None else match.content
        rows.append(self._message(message, content, leads=leads, gap=gap))
        sender = None if message.is_me_message else message.sender_id
        # One object for all of them.
        place = before.place if place == before.place else place
        day = before.day if day == before.day else day
        return tuple(rows), _Before(day, place, sender, message.timestamp, is_first=False)

    def add_echo(self, outgoing: OutgoingMessage) -> None:
        """Add an unsent message, unless the sent one is here already."""
        if outgoing.message_id is not None and outgoing.message_id in self._store.messages.by_id:
            return
        self_id, before = self._store.self_id, self._before
        place = outgoing.conversation(self_id)
        leads = place != before.place or _leads(before, self_id, outgoing.created)
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
                gap=leads and self._needs_gap(before),
            )
        )
        self._before = _Before(before.day, place, self_id, outgoing.created, is_first=False)

    def _needs_gap(self, before: _Before) -> bool:
        return not (before.is_first or self._reading.is_dense)

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

    def _message(
        self, message: Message, match: str | None, *, leads: bool, gap: bool
    ) -> MessageRow:
        store, flags = self._store, message.flags
        revealed = self._reading.revealed.get(message.id, _NOTHING)
        if message.sender_id in store.muted_users and HIDDEN not in revealed:
            return self._hidden(message, leads=leads, gap=gap)
        return MessageRow(
            message_id=message.id,
            sender_id=message.sender_id,
            sender=names.person(store, message.sender_id, message.sender_full_name),
            note=_note(store, message.sender_id),
            time=intern(self._reading.times.clock(message.timestamp)),  # hundreds have the same
            html=message.content if match is None else match,
            is_excerpt=match is not None,
            is_markdown=message.content_type == "text/x-markdown",
            is_me=message.is_me_message,
            leads=leads,
            gap=gap,
            is_own=message.sender_id == store.self_id,
            is_starred="starred" in flags,
            is_unread="read" not in flags,
            is_mention=not MENTION_FLAGS.isdisjoint(flags),
            marks=_marks(message),
            chips=chips(message.reactions, store.self_id) if message.reactions else (),
            ballot=ballot(store, message),
            revealed=revealed,
        )

    def _hidden(self, message: Message, *, leads: bool, gap: bool) -> MessageRow:
        return MessageRow(
            message_id=message.id,
            sender_id=message.sender_id,
            sender="Muted",
            note="",
            time=self._reading.times.clock(message.timestamp),
            html="",
            leads=leads,
            gap=gap,
            is_hidden=True,
        )


def _leads(before: _Before, sender_id: UserId, timestamp: float) -> bool:
    return sender_id != before.sender or timestamp - before.time > TOGETHER


def _hits(html: str) -> tuple[str, ...]:
    """Return the highlighted words of a topic that a search found."""
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
    """Return the oldest unread message, and the number of unread ones."""
    unread = [each for each in ids if (m := store.message(each)) and "read" not in m.flags]
    return (unread[0] if unread else None), len(unread)
