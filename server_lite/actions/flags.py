"""Sets and clears a user's message flags. Checks no permissions: callers pass only IDs the user may read."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.events.messages import FlagAdded, FlagRemoved
from server_lite.ids import TopicId, UserId
from server_lite.store import (
    conversations,
    flags,
    messages,
    subscriptions,
    unread_in_channels,
    unread_messages,
)
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

SLICE: Final = 2_500
"""Limit of unread messages that one transaction marks or examines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The result of changing a flag."""

    ids: Sequence[int]
    """IDs of messages whose flag changed, ascending."""
    not_subscribed: Sequence[int]
    """IDs of channels whose messages were skipped, because only subscribers have unread messages."""


def set_flag(tx: Tx, user: UserRow, flag: str, ids: Collection[int]) -> Changed:
    """Set a flag; messages from outside the user's history are added to it."""
    lacking = sorted(set(ids) - flags.among(tx, user.id, flag, ids))
    if not lacking:
        return Changed(ids=[], not_subscribed=[])
    flags.add(tx, user.id, flag, lacking)
    if flag != flags.READ:
        remember(tx, user, lacking)
    tx.emit(FlagAdded(flag=flag, message_ids=lacking), to=[user.id])
    return Changed(ids=lacking, not_subscribed=[])


def clear_flag(tx: Tx, user: UserRow, flag: str, ids: Collection[int]) -> Changed:
    """Clear a flag. The event for `read` includes the conversations of messages that became unread."""
    having = sorted(flags.among(tx, user.id, flag, ids))
    if flag != flags.READ:
        if having:
            flags.remove(tx, user.id, flag, having)
            tx.emit(FlagRemoved(flag=flag, message_ids=having), to=[user.id])
        return Changed(ids=having, not_subscribed=[])
    rows = messages.by_ids(tx, having)
    mine = subscriptions.channel_ids(tx, user.id)
    outside = {row.channel_id for row in rows if row.channel_id is not None} - mine
    rows = [row for row in rows if row.channel_id is None or row.channel_id in mine]
    unread = [row.id for row in rows]
    if unread:
        flags.remove(tx, user.id, flag, unread)
        remember(tx, user, unread)
        details = {str(message_id): one for message_id, one in _details(tx, user, rows).items()}
        tx.emit(FlagRemoved(flag=flag, message_ids=unread, details=details), to=[user.id])
    return Changed(ids=unread, not_subscribed=sorted(outside))


def remember(tx: Tx, user: UserRow, ids: Sequence[int]) -> None:
    """Add messages that were not sent to the user to their history."""
    flags_by_message = flags.of_messages(tx, user.id, ids)
    flags.add(
        tx,
        user.id,
        flags.HISTORICAL,
        [one for one in ids if flags.HISTORICAL in flags_by_message[one]],
    )


def _details(tx: Tx, user: UserRow, rows: Sequence[MessageRow]) -> dict[int, dict[str, object]]:
    together = conversations.by_ids(
        tx, {row.conversation_id for row in rows if row.conversation_id is not None}
    )
    marked = flags.of_messages(tx, user.id, [row.id for row in rows])
    unmuted_ids = unmuted(tx, user, rows)
    details: dict[int, dict[str, object]] = {}
    for row in rows:
        if row.conversation_id is not None:
            others = [one for one in together[row.conversation_id].members if one != user.id]
            detail: dict[str, object] = {"type": "private", "user_ids": others}
        else:
            detail = {
                "type": "stream",
                "stream_id": row.channel_id,
                "topic": row.topic,
                "unmuted_stream_msg": row.id in unmuted_ids,
            }
        if not set(flags.MENTIONS).isdisjoint(marked[row.id]):
            detail["mentioned"] = True
        details[row.id] = detail
    return details


def unmuted(db: Db, user: UserRow, rows: Sequence[MessageRow]) -> set[int]:
    """Return IDs of the channel messages in neither a muted topic nor a muted channel."""
    muted_channels = subscriptions.muted_channel_ids(db, user.id)
    policies = flags.topic_policies(db, user.id)
    return {
        row.id
        for row in rows
        if row.channel_id is not None
        and flags.is_unmuted(row.channel_id in muted_channels, policies.get(row.topic_id or 0, 0))
    }


# Marking many messages as read


def mark_some_read(tx: Tx, user: UserRow) -> bool:
    """Mark the oldest unread messages as read; call it until it returns False."""
    oldest = unread_messages.oldest(tx, user.id, SLICE + 1)
    is_last = len(oldest) <= SLICE
    ids = oldest[:SLICE]
    if ids:
        unread_messages.remove_until(tx, user.id, ids[-1])
        event = FlagAdded(flag=flags.READ, message_ids=[] if is_last else ids, everything=is_last)
        tx.emit(event, to=[user.id])
    return not is_last


class MarkAsReadJob:
    """Marks a channel, a topic or a sender's messages as read in slices: call it until it returns False."""

    def __init__(self, user: UserRow, condition: str, value: int) -> None:
        self.above = 0
        """Messages up to this ID were examined."""
        self._user = user
        self._place = condition, value

    def __call__(self, tx: Tx) -> bool:
        user_id = self._user.id
        message_ids, last = unread_messages.next_where(
            tx, user_id, *self._place, above=self.above, limit=SLICE
        )
        if message_ids:
            flags.add(tx, user_id, flags.READ, message_ids)
            tx.emit(FlagAdded(flag=flags.READ, message_ids=message_ids), to=[user_id])
        self.above = max(self.above, last or 0, *message_ids)
        return last is not None


def reading_channel(user: UserRow, channel: ChannelRow) -> MarkAsReadJob:
    """Return the job that marks a channel as read."""
    return MarkAsReadJob(user, "channel_id = ?", channel.id)


def reading_topic(user: UserRow, topic_id: TopicId) -> MarkAsReadJob:
    """Return the job that marks a topic as read."""
    return MarkAsReadJob(user, "topic_id = ?", topic_id)


def reading_from(user: UserRow, sender: UserRow) -> MarkAsReadJob:
    """Return the job that marks a sender's messages as read."""
    return MarkAsReadJob(user, "sender_id = ?", sender.id)


def mark_channels_read(
    tx: Tx, pairs: Sequence[tuple[UserRow, ChannelRow]], above: Mapping[tuple[int, int], int]
) -> None:
    """Mark messages in channels as read for users who are unsubscribed: all in the channels of any of these pairs.

    `above` gives the ID of a message up to which a user has read a channel, where known.
    """
    lowest: dict[UserId, int] = {}
    for user, channel in pairs:
        known = above.get((user.id, channel.id), 0)
        lowest[user.id] = min(known, lowest.get(user.id, known))
    unread = unread_in_channels.of_users(tx, lowest, {channel.id for _, channel in pairs})
    unread_messages.remove_of_each(tx, unread)
    users_by_ids: defaultdict[tuple[int, ...], list[UserId]] = defaultdict(list)
    for user_id, ids in unread.items():
        users_by_ids[tuple(ids)].append(user_id)
    for alike, user_ids in users_by_ids.items():
        tx.emit(FlagAdded(flag=flags.READ, message_ids=[*alike]), to=user_ids)
