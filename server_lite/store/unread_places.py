"""A user's unread messages by place, and those that mention the user. SQL only."""

from collections.abc import Sequence
from typing import NamedTuple

from server_lite.ids import ChannelId, MessageId, TopicId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.shared_flags import ANY_FLAG
from server_lite.store.unread_messages import WAITING_OF_USER, indexed_until


class UnreadPlace(NamedTuple):
    """A topic or direct conversation with unread messages of a user."""

    channel_id: ChannelId | None
    topic_id: TopicId | None
    topic: str | None
    conversation_id: int | None
    unread_count: int
    ids: str
    """Unread message IDs, ascending, as a JSON array."""


def places(db: Db, user_id: UserId, *, above: int) -> list[UnreadPlace]:
    """Return where a user has unread messages above an ID: channels and their topics in order."""
    listed = _places(
        db,
        "unread_by_user AS listed CROSS JOIN message ON message.id = listed.message_id"
        f" WHERE listed.user_id = ? AND listed.message_id > ?{outdated_rows.unread_counts(db, 'listed')}",
        (user_id, above),
    )
    above = max(above, indexed_until(db, user_id))
    waiting = {
        (place.topic_id, place.conversation_id): place
        for place in _places(db, WAITING_OF_USER, (user_id, above))
    }
    if not waiting:
        return listed
    joined = [
        _join(place, waiting.pop((place.topic_id, place.conversation_id), None)) for place in listed
    ]
    return sorted(
        (*joined, *waiting.values()),
        key=lambda one: (one.channel_id or 0, one.topic or "", one.conversation_id or 0),
    )


def _join(older: UnreadPlace, newer: UnreadPlace | None) -> UnreadPlace:
    if newer is None:
        return older
    return older._replace(
        unread_count=older.unread_count + newer.unread_count,
        ids=f"{older.ids[:-1]},{newer.ids[1:]}",
    )


def _places(db: Db, unread: str, values: tuple[SqlValue, ...]) -> list[UnreadPlace]:
    rows = db.rows(
        "SELECT topic.channel_id, topic_id, topic.name, conversation_id, unread_count, ids"
        " FROM (SELECT topic_id, conversation_id, count(*) AS unread_count,"
        " json_group_array(message.id ORDER BY message.id) AS ids"
        f" FROM {unread} GROUP BY topic_id, conversation_id)"
        " LEFT JOIN topic ON topic.id = topic_id"
        " ORDER BY topic.channel_id, topic.name, conversation_id",
        *values,
    )
    return [UnreadPlace(*row) for row in rows]


class UnreadMention(NamedTuple):
    """An unread message that mentions the user, and its place."""

    message_id: MessageId
    flag: str
    topic_id: TopicId | None


def with_flags(db: Db, user_id: UserId, flags: Sequence[str], *, above: int) -> list[UnreadMention]:
    """Return a user's unread messages above an ID with one of these stored flags, a row for each flag."""
    sql = (
        f"SELECT any_flag.message_id, any_flag.flag, message.topic_id FROM {ANY_FLAG} AS any_flag CROSS JOIN {{}} AS unread"
        " ON unread.user_id = any_flag.user_id AND unread.message_id = any_flag.message_id"
        " CROSS JOIN message ON message.id = any_flag.message_id WHERE any_flag.user_id = ?"
        f" AND any_flag.flag IN ({placeholders(flags)}) AND any_flag.message_id > ?"
    )
    listed = f"{sql.format('unread_by_user')}{outdated_rows.unread_counts(db, 'unread')}"
    rows = db.rows(
        f"{listed} UNION ALL {sql.format('unread')}",
        user_id,
        *flags,
        above,
        user_id,
        *flags,
        max(above, indexed_until(db, user_id)),
    )
    return [UnreadMention(*row) for row in rows]
