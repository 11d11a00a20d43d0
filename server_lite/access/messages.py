"""Which messages a user may read, and the audience of changes to a message. Reads only.

A message that does not exist and one that is forbidden give the same error. Direct messages are read
by their participants; `access.channels` decides who reads which channel messages.

Two sets differ: messages a user *may read*, and the user's *own history*, the subset that was
sent to them: direct messages, channel messages that arrived while they were subscribed, and messages they
flagged later.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from server_lite.access.channel_audience import who_may_read
from server_lite.access.channels import readable_messages_sql, reads_whole_history
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store import channels, conversations, messages, subscriptions
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.messages import MessageRow
from server_lite.store.shared_flags import WITH_USERS
from server_lite.store.users import UserRow

Condition = tuple[str, list[SqlValue]]
"""SQL over the table `message`, and its bound values."""
Periods = tuple[tuple[int, int | None], ...]
"""(after_id, until_id) of each period of a user's subscription."""

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
    readable, values = readable_messages_sql(db, user)
    if marked is None:
        rest = f"WHEN {_MY_CHANNEL} THEN {_WAS_THERE} AND {readable} ELSE 0"
        bound = [user.id, user.id, user.id, *values]
    else:
        rest = f"ELSE ({_MY_CHANNEL} AND {_WAS_THERE} OR {_MARKED}) AND {readable}"
        bound = [user.id, user.id, user.id, user.id, *values]
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
    ids = [row.id for row in rows]
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
    """Return the audiences as `audiences_of` does, for messages that are in a channel, or would be."""
    shares: defaultdict[tuple[MessageId, ...], set[UserId]] = defaultdict(set)
    subscribed = subscriptions.subscriber_ids(db, channel.id)
    if reads_whole_history(channel):
        shares[tuple(ids)].update(subscribed)
        marked = _marked_from_outside(db, ids, channel.id)
        allowed = who_may_read(db, channel) if marked else frozenset[UserId]()
        for user_id in marked.keys() & allowed:
            shares[tuple(marked[user_id])].add(user_id)
    else:
        # Most users joined before these messages: each group of equal periods is computed once.
        alike: defaultdict[Periods, list[UserId]] = defaultdict(list)
        for user_id in subscribed:
            alike[tuple(subscriptions.periods(db, user_id, channel.id))].append(user_id)
        for periods, people in alike.items():
            shares[tuple(_within(periods, ids))].update(people)
    return {
        frozenset(people): list(theirs) for theirs, people in shares.items() if theirs and people
    }


def _within(periods: Periods, ids: Sequence[MessageId]) -> list[MessageId]:
    return [
        message_id
        for message_id in ids
        if any(
            after < message_id and (until is None or message_id <= until)
            for after, until in periods
        )
    ]


def _marked_from_outside(
    db: Db, ids: Sequence[int], channel_id: ChannelId
) -> dict[UserId, list[MessageId]]:
    """Return which of the messages unsubscribed users have flags on, ascending, by user."""
    ids_by_user: defaultdict[UserId, list[MessageId]] = defaultdict(list)
    sorted_ids = sorted(ids)
    outside = "+user_id NOT IN (SELECT user_id FROM subscription WHERE channel_id = ? AND active)"
    for start in range(0, len(sorted_ids), 10_000):
        part = sorted_ids[start : start + 10_000]
        shared = db.rows(
            f"SELECT message_id, user_id FROM {WITH_USERS} AND {outside} WHERE message_id BETWEEN ? AND ?"
            f" AND +message_id IN ({placeholders(part)})",
            channel_id,
            part[0],
            part[-1],
            *part,
        )
        # Few messages have flags: all flags among these messages are read faster than those of each one.
        flagged = db.column(
            "SELECT message_id FROM flag WHERE message_id BETWEEN ? AND ? LIMIT ?",
            part[0],
            part[-1],
            len(part),
        )
        if len(flagged) < len(part):
            part = sorted(set(flagged).intersection(part))
        marked = db.rows(
            f"SELECT DISTINCT message_id, user_id FROM flag WHERE message_id IN ({placeholders(part)})"
            f" AND {outside} ORDER BY message_id",
            *part,
            channel_id,
        )
        if shared:
            marked = sorted({*marked, *shared})
        for message_id, user_id in marked:
            ids_by_user[user_id].append(message_id)
    return ids_by_user
