"""Moving messages to another topic or channel. Asks no permission: callers did.

Who loses access is told that the messages are deleted, and keeps nothing of theirs on them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from server_lite.access.channels import may_read, reads_whole_history
from server_lite.access.message_changes import is_resolving
from server_lite.access.messages import readers, visible_among
from server_lite.actions.flags import set_flag
from server_lite.actions.messages import tell_first_message
from server_lite.actions.user_topics import set_policy
from server_lite.events.messages import MessagesDeleted
from server_lite.store import channels, flags, history, messages, topics, user_topics, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.topics import TopicRow, name_key
from server_lite.store.user_topics import Policy
from server_lite.store.users import UserRow

Mode = Literal["change_one", "change_later", "change_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Messages of one topic, ascending, and where they go."""

    rows: Sequence[MessageRow]
    origin: ChannelRow
    channel: ChannelRow
    topic: str
    mode: Mode

    @property
    def old_topic(self) -> str:
        return self.rows[0].topic

    @property
    def changes_channel(self) -> bool:
        return self.channel.id != self.origin.id

    @property
    def changes_topic(self) -> bool:
        return self.topic != self.old_topic

    @property
    def is_resolving(self) -> bool:
        """Whether the topic is only marked as resolved, or no longer."""
        return not self.changes_channel and is_resolving(self.old_topic, self.topic)

    @property
    def is_respelling(self) -> bool:
        """Whether it stays the same topic, in other letters."""
        return not self.changes_channel and name_key(self.topic) == name_key(self.old_topic)


def planned(
    db: Db, user: UserRow, row: MessageRow, channel: ChannelRow, topic: str, mode: Mode
) -> Move:
    """What a request to move a message means: those of its topic that the person may read."""
    assert row.channel_id is not None
    assert row.topic_id is not None
    origin = channels.by_id(db, row.channel_id)
    assert origin is not None
    there = topics.by_name(db, channel.id, topic)
    if there is not None and there.max_id and there.id != row.topic_id:
        topic = there.name  # a topic that exists keeps its spelling
    first = row.id if mode == "change_later" else 0
    ids = [row.id] if mode == "change_one" else messages.ids_in_topic(db, row.topic_id, first=first)
    move = Move(
        rows=messages.by_ids(db, visible_among(db, user, ids)),
        origin=origin,
        channel=channel,
        topic=topic,
        mode=mode,
    )
    if move.is_respelling:
        # Topics that differ in case alone are one topic, and are spelt in one way.
        everything = messages.by_ids(db, messages.ids_in_topic(db, row.topic_id))
        return Move(rows=everything, origin=origin, channel=channel, topic=topic, mode="change_all")
    return move


def history_entry(user: UserRow, move: Move, now: float) -> dict[str, Any]:
    """What the edit history of a moved message says."""
    entry: dict[str, Any] = {"user_id": user.id, "timestamp": int(now)}
    if move.changes_topic:
        entry |= {"prev_topic": move.old_topic, "topic": move.topic}
    if move.changes_channel:
        entry |= {"prev_stream": move.origin.id, "stream": move.channel.id}
    return entry


def move_messages(
    tx: Tx, user: UserRow, move: Move, *, but_history_of: int | None = None
) -> dict[frozenset[int], list[int]]:
    """Move them; returns who is to be told of which, people -> ids.

    `but_history_of` is a message whose history the caller writes, with more in it.
    """
    ids = [row.id for row in move.rows]
    old_topic_id = move.rows[0].topic_id
    assert old_topic_id is not None
    before = _by_person(readers(tx, move.origin, ids))
    topic = _target(tx, move, old_topic_id)
    messages.set_place(tx, ids, move.channel.id, topic.id, None if move.is_resolving else tx.now)
    if move.changes_topic and not move.is_resolving:  # the mark is no word: search finds the same
        messages.index_again(tx, ids)
    listed = [message_id for message_id in ids if message_id != but_history_of]
    history.add(tx, listed, history_entry(user, move, tx.now))
    emptied = topics.recount(tx, old_topic_id) == 0
    if topic.id != old_topic_id:
        topics.recount(tx, topic.id)
    if move.changes_channel:
        flags.keep_in_history(tx, ids, move.origin.id, move.channel.id)
        tell_first_message(tx, move.origin)
        tell_first_message(tx, move.channel)
    if emptied or move.is_respelling:
        _move_policies(tx, move)
    after = _after(tx, move, before)
    _tell_losers(tx, move, before, after)
    if move.changes_channel:
        _read_outside(tx, move, ids)
    return _by_share(after)


def _read_outside(tx: Tx, move: Move, ids: Sequence[int]) -> None:
    """Only who is in a channel has unread messages there: the others could not find them."""
    unread = flags.unread_outside(tx, ids, move.channel.id)
    for user in users.by_ids(tx, list(unread)):
        set_flag(tx, user, flags.READ, unread[user.id])


def _target(tx: Tx, move: Move, old_topic_id: int) -> TopicRow:
    if move.is_respelling:
        topics.rename(tx, old_topic_id, move.topic)
    return topics.get_or_create(tx, move.channel.id, move.topic)


def _move_policies(tx: Tx, move: Move) -> None:
    """The whole topic went: whoever followed or muted it does so where it is now."""
    for one in user_topics.of_topic(tx, move.origin.id, move.old_topic):
        set_policy(tx, one.user_id, move.origin.id, move.old_topic, Policy.NONE)
        user = users.by_id(tx, one.user_id)
        if user is not None and may_read(tx, user, move.channel):
            set_policy(tx, one.user_id, move.channel.id, move.topic, Policy(one.policy))


def _by_person(shares: Mapping[frozenset[int], list[int]]) -> dict[int, frozenset[int]]:
    return {user_id: frozenset(ids) for people, ids in shares.items() for user_id in people}


def _by_share(mine: Mapping[int, Iterable[int]]) -> dict[frozenset[int], list[int]]:
    people: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    for user_id, ids in mine.items():
        people[tuple(sorted(ids))].add(user_id)
    return {frozenset(who): list(ids) for ids, who in people.items() if ids}


def _after(tx: Tx, move: Move, before: Mapping[int, frozenset[int]]) -> dict[int, frozenset[int]]:
    """What each person may read where the messages are now, of what concerns them."""
    after = _by_person(readers(tx, move.channel, [row.id for row in move.rows]))
    if reads_whole_history(move.channel):
        for user_id in before.keys() - after.keys():
            user = users.by_id(tx, user_id)
            if user is not None and may_read(tx, user, move.channel):
                after[user_id] = before[user_id]
    return after


def _tell_losers(
    tx: Tx,
    move: Move,
    before: Mapping[int, frozenset[int]],
    after: Mapping[int, frozenset[int]],
) -> None:
    lost = {user_id: ids - after.get(user_id, frozenset()) for user_id, ids in before.items()}
    for people, ids in _by_share(lost).items():
        flags.forget(tx, people, ids)
        tx.emit(
            MessagesDeleted(
                message_ids=ids,
                message_type="stream",
                channel_id=move.origin.id,
                topic=move.old_topic,
            ),
            to=people,
        )
