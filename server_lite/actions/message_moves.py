"""Moves messages to another topic or channel. Checks no permissions: callers did.

A topic moves in parts, each a transaction with its event, so that other requests run in between. Until the
last part the topic is in both places. Users who lose access get a deletion event and lose their flags on
the messages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from server_lite.access.channel_audience import who_may_read
from server_lite.access.channels import may_read, reads_whole_history
from server_lite.access.message_changes import is_resolving
from server_lite.access.messages import disjoint, joined, readers, visible_among
from server_lite.actions.messages import update_first_message
from server_lite.actions.user_topics import move_policy, set_policy_of
from server_lite.dataclass import dataclass
from server_lite.events.messages import FlagAdded, MessagesDeleted
from server_lite.ids import MessageId, TopicId, UserId
from server_lite.store import (
    channels,
    earlier_channels,
    flags,
    history,
    messages,
    search_index,
    topics,
    unread_messages,
    user_topics,
    users,
)
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow
from server_lite.store.topics import KnownTopic, name_key
from server_lite.store.user_topics import Policy
from server_lite.store.users import UserRow
from server_lite.store.words import words_of

Mode = Literal["change_one", "change_later", "change_all"]


SLICE: Final = 100
"""Maximum of messages moved in one transaction: indexing their text again is the most expensive part."""

POLICIES: Final = 1_000
"""Maximum of visibility policies of a topic that move in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Messages of one topic, ascending, and their destination."""

    row: MessageRow
    """The message that was requested; it moves last, so that an interrupted request can be repeated."""
    ids: Sequence[MessageId]
    origin: ChannelRow
    channel: ChannelRow
    topic: str
    mode: Mode

    @property
    def old_topic(self) -> str:
        return self.row.topic

    @property
    def old_topic_id(self) -> TopicId:
        assert self.row.topic_id is not None
        return self.row.topic_id

    @property
    def changes_channel(self) -> bool:
        return self.channel.id != self.origin.id

    @property
    def changes_topic(self) -> bool:
        return self.topic != self.old_topic

    @property
    def is_resolving(self) -> bool:
        """Whether the topic is only being resolved or unresolved."""
        return not self.changes_channel and is_resolving(self.old_topic, self.topic)

    @property
    def changes_index(self) -> bool:
        """Whether the messages have other words now. The mark of a resolved topic is not indexed."""
        if not self.changes_topic or self.is_resolving:
            return False
        return _words(self.old_topic) != _words(self.topic)

    @property
    def is_respelling(self) -> bool:
        """Whether only the spelling of the topic changes (letter case)."""
        return not self.changes_channel and name_key(self.topic) == name_key(self.old_topic)


def _words(topic: str) -> list[str]:
    return [topic[word.start : word.end].lower() for word in words_of(topic)]


def planned(db: Db, row: MessageRow, channel: ChannelRow, topic: str, mode: Mode) -> Move:
    """Return the move that a request asks for; `next_part` picks its messages."""
    assert row.channel_id is not None
    origin = channels.by_id(db, row.channel_id)
    assert origin is not None
    there = topics.by_name(db, channel.id, topic)
    if there is not None and there.max_id and there.id != row.topic_id:
        topic = there.name  # an existing topic keeps its spelling
    move = Move(row=row, ids=(), origin=origin, channel=channel, topic=topic, mode=mode)
    return replace(move, mode="change_all") if move.is_respelling else move


def next_part(db: Db, user: UserRow, move: Move, above: int) -> tuple[Move, int | None]:
    """Return the next part: messages above an ID that the user may read.

    Also the ID up to which messages were examined; None after the last part.
    """
    if move.is_respelling:
        # Topics that differ in case alone are one topic, with one spelling.
        return replace(move, ids=messages.ids_in_topic(db, move.old_topic_id)), None
    if move.mode == "change_one":
        return replace(move, ids=(move.row.id,)), None
    first = max(above + 1, move.row.id if move.mode == "change_later" else 0)
    topic_ids = messages.ids_in_topic(db, move.old_topic_id, first=first, limit=SLICE)
    candidates = topic_ids
    if move.changes_index:
        topic_ids = search_index.first_of(db, topic_ids)
    if move.changes_channel:
        topic_ids = flags.first_of(db, topic_ids)
    topic_ids = history.first_of(db, topic_ids)
    is_last = len(topic_ids) == len(candidates) < SLICE
    if is_last:
        return replace(move, ids=visible_among(db, user, {*topic_ids, move.row.id})), None
    ids = visible_among(db, user, [one for one in topic_ids if one != move.row.id])
    return replace(move, ids=ids), topic_ids[-1]


def history_entry(user: UserRow, move: Move, now: float) -> Entry:
    """Return the entry of a moved message's edit history."""
    entry: Entry = {"user_id": user.id, "timestamp": int(now)}
    if move.changes_topic:
        entry["prev_topic"], entry["topic"] = move.old_topic, move.topic
    if move.changes_channel:
        entry["prev_stream"], entry["stream"] = move.origin.id, move.channel.id
    return entry


def move_messages(
    tx: Tx, user: UserRow, move: Move, *, but_history_of: int | None = None
) -> Mapping[frozenset[UserId], list[MessageId]]:
    """Move the messages; returns the audience of each group of them, user IDs -> message IDs.

    `but_history_of` is a message whose history entry the caller writes, because the text changes too.
    """
    old_topic_id = move.old_topic_id
    before = readers(tx, move.origin, move.ids)
    topic = _target(tx, move, old_topic_id)
    ids = move.ids[:SLICE]  # `annotate` handles the rest of a topic that is only respelled
    if move.is_respelling and move.row.id not in ids:
        ids = [*ids, move.row.id]
    messages.set_place(tx, ids, move.channel.id, topic.id, None if move.is_resolving else tx.now)
    if move.changes_index:
        search_index.update(tx, ids)
    listed = [message_id for message_id in ids if message_id != but_history_of]
    history.add(tx, listed, history_entry(user, move, tx.now))
    emptied = topics.recount(tx, old_topic_id) == 0
    if topic.id != old_topic_id:
        topics.recount(tx, topic.id)
    if move.changes_channel:
        earlier_channels.add(tx, ids, move.origin.id)
        update_first_message(tx, move.origin)
        update_first_message(tx, move.channel)
    if emptied or move.is_respelling:
        _move_policies(tx, move, _policies(tx, move))
    after = _after(tx, move, before)
    _emit_removals(tx, move, before, after)
    if move.changes_channel:
        _read_outside(tx, move, ids)
    return after


def annotate(tx: Tx, user: UserRow, move: Move, ids: Sequence[int]) -> None:
    """Record a topic's new spelling on these messages; the event was already sent."""
    messages.set_place(tx, ids, move.channel.id, move.old_topic_id, tx.now)
    if move.changes_index:
        search_index.update(tx, ids)
    history.add(tx, ids, history_entry(user, move, tx.now))


def _read_outside(tx: Tx, move: Move, ids: Sequence[int]) -> None:
    """Mark messages as read for users outside the channel, who could not find them, also for closed accounts."""
    unread = unread_messages.outside(tx, ids, move.channel.id)
    if not unread:
        return
    unread_messages.remove_outside(tx, ids, move.channel.id)
    for people, read_ids in unread:
        tx.emit(FlagAdded(flag=flags.READ, message_ids=read_ids), to=people)


def _target(tx: Tx, move: Move, old_topic_id: TopicId) -> KnownTopic:
    if move.is_respelling:
        topics.rename(tx, old_topic_id, move.topic)
    return topics.get_or_create(tx, move.channel.id, move.topic)


def move_some_policies(tx: Tx, move: Move) -> bool:
    """Move visibility policies of a topic that thousands follow or mute, before its last messages.

    Returns whether to call it again. Whoever repeats a move that was interrupted finds the rest.
    """
    policies = _policies(tx, move)
    if sum(map(len, policies.values())) <= POLICIES or not _is_whole(tx, move):
        return False
    some: dict[int, frozenset[UserId]] = {}
    room = POLICIES
    for policy, people in policies.items():
        some[policy] = people if len(people) <= room else frozenset(sorted(people)[:room])
        room -= len(some[policy])
    _move_policies(tx, move, some)
    return True


def _is_whole(db: Db, move: Move) -> bool:
    """Whether the topic has no other messages."""
    if move.is_respelling:
        return True
    return len(messages.ids_in_topic(db, move.old_topic_id, limit=len(move.ids) + 1)) == len(
        move.ids
    )


def _policies(db: Db, move: Move) -> Mapping[int, frozenset[UserId]]:
    """Return users by their policy for the topic, as far as it was not moved yet."""
    new = move.topic if move.is_respelling else None
    return user_topics.of_topic(db, move.origin.id, move.old_topic, but_spelled=new)


def _move_policies(tx: Tx, move: Move, policies: Mapping[int, frozenset[UserId]]) -> None:
    """When a whole topic moves, move visibility policies to the new place."""
    if not policies:
        return
    there: Mapping[int, frozenset[UserId]] = {}  # a respelt topic has its own policies there
    if not move.is_respelling:
        there = user_topics.of_topic(tx, move.channel.id, move.topic)
    readers_there = who_may_read(tx, move.channel)
    old, new = (move.origin.id, move.old_topic), (move.channel.id, move.topic)
    for policy, people in sorted(policies.items()):
        lost = {one for one in people - readers_there if not _returns_to(tx, one, move.channel)}
        moved = people - lost - there.get(policy, frozenset())
        if people != moved:
            set_policy_of(tx, people - moved, *old, Policy.NONE)
        if moved:
            move_policy(tx, moved, old, new, Policy(policy))


def _returns_to(db: Db, user_id: UserId, channel: ChannelRow) -> bool:
    """Whether a user whose account is closed may read the channel when it is opened again."""
    user = users.by_id(db, user_id)
    return user is not None and not user.is_active and may_read(db, user, channel)


_Shares = Mapping[frozenset[UserId], list[MessageId]]
"""Audiences as `readers` returns them."""


def _after(tx: Tx, move: Move, before: _Shares) -> _Shares:
    """Return the messages that each user may read at the destination."""
    if not move.changes_channel:
        return before
    after = readers(tx, move.channel, move.ids)
    if not reads_whole_history(move.channel):
        return after
    allowed = who_may_read(tx, move.channel)
    kept = [(people & allowed, ids) for people, ids in before.items()]
    return joined(disjoint([*after.items(), *kept]))


def _emit_removals(tx: Tx, move: Move, before: _Shares, after: _Shares) -> None:
    for people, ids in before.items():
        rest = people.difference(*after)
        _emit_removal(tx, move, rest, ids)
        for others, theirs in after.items():
            if theirs != ids and (both := people & others):
                kept = frozenset(theirs)
                _emit_removal(tx, move, both, [one for one in ids if one not in kept])


def _emit_removal(tx: Tx, move: Move, people: frozenset[UserId], lost: Sequence[MessageId]) -> None:
    if not people or not lost:
        return
    flags.forget(tx, people, lost)
    tx.emit(
        MessagesDeleted(
            message_ids=lost,
            message_type="stream",
            channel_id=move.origin.id,
            topic=move.old_topic,
        ),
        to=people,
    )
