"""Which messages a user may read, and the audience of changes to a message. Reads only.

A message that does not exist and one that is forbidden give the same error. Direct messages are read
by their participants; `access.channels` decides who reads which channel messages.

Two sets differ: messages a user *may read*, and the user's *own history*, the subset that was
sent to them: direct messages, channel messages that arrived while they were subscribed, also to a channel from which
a message was moved since, and messages they flagged later.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from server_lite.access.channel_audience import who_may_read
from server_lite.access.channels import readable_messages_sql, reads_whole_history
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store import (
    channels,
    conversations,
    earlier_channels,
    flags,
    messages,
    subscriptions,
)
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

Share = tuple[AbstractSet[UserId], Sequence[MessageId]]
"""Users, and the messages that each of them may read or received."""
Condition = tuple[str, list[SqlValue]]
"""SQL over the table `message`, and its bound values."""

REFUSED: Final = "Invalid message(s)"
CONVERSATIONS_OF_NEW_USERS: Final = 100
"""Users with more conversations are not new."""
_MY_DIRECT: Final = (
    "EXISTS (SELECT 1 FROM conversation_member WHERE conversation_member.user_id = ?"
    " AND conversation_member.conversation_id = message.conversation_id)"
)
_MY_CHANNEL: Final = (
    "message.channel_id IN (SELECT channel_id FROM membership WHERE membership.user_id = ?)"
)
_WAS_THERE: Final = (
    "EXISTS (SELECT 1 FROM membership WHERE membership.user_id = ?"
    " AND membership.channel_id = message.channel_id AND membership.after_id < message.id"
    " AND (membership.until_id IS NULL OR membership.until_id >= message.id))"
)
_MARKED: Final = (
    "EXISTS (SELECT 1 FROM flag WHERE flag.user_id = ? AND flag.flag = 'historical'"
    " AND flag.message_id = message.id)"
)


def visible_messages_sql(db: Db, user: UserRow) -> Condition:
    """Return a condition: messages that the user may read.

    A CASE, so that SQLite walks the messages in order instead of collecting them by two indexes.
    """
    readable, values = readable_messages_sql(db, user)
    return (
        f"CASE WHEN message.channel_id IS NULL THEN {_MY_DIRECT} ELSE {readable} END",
        [user.id, *values],
    )


@dataclass(frozen=True, slots=True)
class OwnHistory:
    """A user's own history: readable messages that were sent to them, or that they flagged later."""

    condition: Condition
    """Over the table `message`."""
    floor: int
    """No message of it has a lower ID, which shortens scans for new users."""


def own_history(db: Db, user: UserRow) -> OwnHistory:
    """Return a user's own history.

    Most messages of a large organization are in channels that the user never was in: the condition sees that first.
    """
    marked: int | None = db.value(
        "SELECT min(message_id) FROM flag WHERE user_id = ? AND flag = 'historical'", user.id
    )
    moved = earlier_channels.moved_range(db)
    readable, values = readable_messages_sql(db, user)
    if marked is None and moved is None:
        rest = f"WHEN {_MY_CHANNEL} THEN {_WAS_THERE} AND {readable} ELSE 0"
        bound = [user.id, user.id, user.id, *values]
    else:
        mine, bound = f"{_MY_CHANNEL} AND {_WAS_THERE}", [user.id, user.id, user.id]
        if moved is not None:
            mine += f" OR {earlier_channels.RECEIVED}"
            bound += [*moved, user.id]
        if marked is not None:
            mine += f" OR {_MARKED}"
            bound.append(user.id)
        rest = f"ELSE ({mine}) AND {readable}"
        bound += values
    condition = f"CASE WHEN message.channel_id IS NULL THEN {_MY_DIRECT} {rest} END"
    return OwnHistory((condition, bound), _history_floor(db, user, marked))


def _history_floor(db: Db, user: UserRow, marked: int | None) -> int:
    joined: int | None = db.value(
        "SELECT min(after_id) + 1 FROM membership WHERE user_id = ?", user.id
    )
    floor: int = min(one for one in (marked, joined, 2**62) if one is not None)
    if floor <= 1:
        return floor
    # Asked before each page, so it costs no more for users with thousands of conversations.
    direct: int | None = db.value(
        "SELECT CASE WHEN count(*) > ?2 THEN 0 ELSE min((SELECT id FROM message"
        " WHERE message.conversation_id = mine.conversation_id ORDER BY id LIMIT 1)) END"
        " FROM (SELECT conversation_id FROM conversation_member WHERE user_id = ?1 LIMIT ?2 + 1) AS mine",
        user.id,
        CONVERSATIONS_OF_NEW_USERS,
    )
    return floor if direct is None else min(floor, direct)


def access_message(db: Db, user: UserRow, message_id: MessageId) -> MessageRow:
    """Return the message; raises `Invalid message(s)` if it is absent or forbidden."""
    visible_ids = visible_among(db, user, [message_id])
    row = messages.by_id(db, message_id) if visible_ids else None
    if row is None:
        raise ApiError(REFUSED)
    return row


def visible_among(db: Db, user: UserRow, ids: Collection[int]) -> list[MessageId]:
    """Return which of the messages the user may read, ascending."""
    condition, values = visible_messages_sql(db, user)
    visible_ids: list[MessageId] = []
    sorted_ids = sorted(set(ids))
    for start in range(0, len(sorted_ids), 10_000):
        part = sorted_ids[start : start + 10_000]
        visible_ids += db.column(
            f"SELECT id FROM message WHERE id IN ({placeholders(part)}) AND {condition} ORDER BY id",
            *part,
            *values,
        )
    return visible_ids


def audiences_of(db: Db, rows: Sequence[MessageRow]) -> dict[frozenset[UserId], list[MessageId]]:
    """Return the audiences of changes to these messages: user IDs -> IDs of the messages they may read.

    All messages are in one channel or one conversation. The audience is its participants; in a channel its
    subscribers and users with flags on one of the messages, as far as they may read it.
    """
    if not rows:
        return {}
    first = rows[0]
    ids = sorted(row.id for row in rows)
    if first.conversation_id is not None:
        return {_participants(db, first.conversation_id): ids}
    assert first.channel_id is not None
    channel = channels.by_id(db, first.channel_id)
    assert channel is not None
    return readers(db, channel, ids)


def _participants(db: Db, conversation_id: int) -> frozenset[UserId]:
    members = conversations.by_ids(db, [conversation_id])[conversation_id].members
    active = f"SELECT id FROM user WHERE is_active AND id IN ({placeholders(members)})"
    return frozenset(db.column(active, *members))


def readers(
    db: Db, channel: ChannelRow, ids: Sequence[MessageId]
) -> dict[frozenset[UserId], list[MessageId]]:
    """Return the audiences as `audiences_of` does, for messages that are in a channel, or would be; ascending IDs.

    In a channel whose whole history is read these are also users outside it who received a message in an earlier
    channel; and all who may read it, if so many have flags on the messages that it would take long to find out whose
    they are. No user is in two of the audiences.
    """
    subscribed = frozenset(subscriptions.subscriber_ids(db, channel.id))
    if not reads_whole_history(channel):
        shares = [
            (people & subscribed, theirs) for people, theirs in received_in(db, channel.id, ids)
        ]
        return joined(shares)
    shares = [(subscribed, list(ids))]
    marked = _marked_from_outside(db, ids, subscribed)
    if marked is None:
        return joined([*shares, (who_may_read(db, channel) - subscribed, ids)])
    earlier = earlier_channels.of_messages(db, ids)
    if marked or earlier:
        allowed = who_may_read(db, channel) - subscribed
        received = [
            (people & allowed, theirs)
            for channel_id, moved in earlier.items()
            for people, theirs in received_in(db, channel_id, moved)
        ]
        shares += _of_each(disjoint(received), marked, allowed)
    return joined(shares)


def joined(shares: Iterable[Share]) -> dict[frozenset[UserId], list[MessageId]]:
    """Return shares of disjoint users with those of the same messages joined; without empty ones."""
    people_by_ids: defaultdict[tuple[MessageId, ...], set[UserId]] = defaultdict(set)
    for people, ids in shares:
        if people and ids:
            people_by_ids[tuple(ids)] |= people
    return {frozenset(people): list(ids) for ids, people in people_by_ids.items()}


def received_in(db: Db, channel_id: ChannelId, ids: Sequence[MessageId]) -> list[Share]:
    """Return who received which of these messages in a channel, ascending IDs; users are in one share each."""
    people_by_range: defaultdict[tuple[tuple[int, int], ...], set[UserId]] = defaultdict(set)
    for periods, people in subscriptions.people_by_periods(db, channel_id).items():
        ranges = [
            (bisect_right(ids, after), len(ids) if until is None else bisect_right(ids, until))
            for after, until in periods
        ]
        people_by_range[tuple(one for one in ranges if one[0] < one[1])] |= people
    return [
        (people, [one for start, end in ranges for one in ids[start:end]])
        for ranges, people in people_by_range.items()
        if ranges
    ]


def disjoint(shares: Iterable[Share]) -> list[Share]:
    """Return shares in which each user is once, with all their messages, ascending."""
    parts: list[Share] = []
    for people, ids in shares:
        split: list[Share] = []
        for others, theirs in parts:
            if both := others & people:
                split.append((both, sorted({*theirs, *ids})))
                split.append((others - both, theirs))
                people = people - both
            else:
                split.append((others, theirs))
        parts = [*split, (people, ids)]
    return parts


def _of_each(
    received: Iterable[Share],
    marked: Mapping[UserId, Sequence[MessageId]],
    allowed: AbstractSet[UserId],
) -> Iterator[Share]:
    """Yield the shares of users outside the channel: messages that they received elsewhere, or marked."""
    rest = marked.keys() & allowed
    for people, ids in received:
        more = people & rest
        for alike, theirs in _alike(more, marked):
            yield alike, sorted({*ids, *theirs})
        yield people - more, ids
        rest -= more
    yield from _alike(rest, marked)


def _alike(
    people: Iterable[UserId], marked: Mapping[UserId, Sequence[MessageId]]
) -> Iterable[Share]:
    """Return users with what they marked; those who marked the same are in one share."""
    people_by_ids: defaultdict[tuple[MessageId, ...], set[UserId]] = defaultdict(set)
    for user_id in people:
        people_by_ids[tuple(marked[user_id])].add(user_id)
    return [(alike, ids) for ids, alike in people_by_ids.items()]


def _marked_from_outside(
    db: Db, ids: Sequence[int], subscribed: AbstractSet[UserId]
) -> dict[UserId, list[MessageId]] | None:
    """Return which of the messages other users than these have flags on, ascending, by user; None if that takes long."""
    ids_by_user: defaultdict[UserId, list[MessageId]] = defaultdict(list)
    sorted_ids = sorted(ids)
    for start in range(0, len(sorted_ids), 10_000):
        part = sorted_ids[start : start + 10_000]
        users_by_message = flags.users_by_message(db, part, but=subscribed)
        if users_by_message is None:
            return None
        for message_id, user_ids in sorted(users_by_message.items()):
            for user_id in user_ids:
                ids_by_user[user_id].append(message_id)
    return ids_by_user
