"""Earlier channels of moved messages: who received one there keeps it. SQL only.

Theory of operation. The table `membership` has the periods of each user's subscriptions in message IDs, and keeps
those that ended. So a row for a message and a channel says for all its people at once who received the message
there; a row for each of them would be written to a page for each of them.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from server_lite.ids import ChannelId, MessageId
from server_lite.store.connection import Db, placeholders
from server_lite.store.unread_messages import BY_ID

RECEIVED: Final = (
    "(message.id BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM earlier_channel CROSS JOIN membership"
    " ON membership.user_id = ? AND membership.channel_id = earlier_channel.channel_id"
    " AND membership.after_id < message.id AND (membership.until_id IS NULL OR membership.until_id >= message.id)"
    " WHERE earlier_channel.message_id = message.id))"
)
"""Messages that a user received in an earlier channel; the values are those of `moved_range`, and the user."""


def add(db: Db, ids: Sequence[MessageId], channel_id: ChannelId) -> None:
    """Note that these messages leave a channel."""
    db.many(
        "INSERT OR IGNORE INTO earlier_channel (message_id, channel_id) VALUES (?, ?)",
        [(message_id, channel_id) for message_id in ids],
    )


def moved_range(db: Db) -> tuple[int, int] | None:
    """Return the lowest and the highest message that was in another channel; None if there is none."""
    lowest: int | None = db.value("SELECT min(message_id) FROM earlier_channel")
    if lowest is None:
        return None
    return lowest, db.value("SELECT max(message_id) FROM earlier_channel")


def of_messages(db: Db, ids: Collection[int]) -> dict[ChannelId, list[MessageId]]:
    """Return the messages that were in other channels, ascending, by channel."""
    sorted_ids = sorted(ids)
    ids_by_channel: defaultdict[ChannelId, list[MessageId]] = defaultdict(list)
    for start in range(0, len(sorted_ids), BY_ID):
        part = sorted_ids[start : start + BY_ID]
        for message_id, channel_id in _among(db, part):
            ids_by_channel[channel_id].append(message_id)
    return ids_by_channel


def _among(db: Db, ids: list[int]) -> list[tuple[MessageId, ChannelId]]:
    # Few messages were moved: all rows among these messages are read faster than those of each one.
    rows = db.rows(
        "SELECT message_id, channel_id FROM earlier_channel WHERE message_id BETWEEN ? AND ?"
        " ORDER BY message_id, channel_id LIMIT ?",
        ids[0],
        ids[-1],
        len(ids),
    )
    if len(rows) < len(ids):
        wanted = frozenset(ids)
        return [(message_id, channel_id) for message_id, channel_id in rows if message_id in wanted]
    return [
        (message_id, channel_id)
        for message_id, channel_id in db.rows(
            "SELECT message_id, channel_id FROM earlier_channel"
            f" WHERE message_id IN ({placeholders(ids)}) ORDER BY message_id, channel_id",
            *ids,
        )
    ]
