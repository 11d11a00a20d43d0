"""Rows of messages. SQL only: `access` decides who may read them."""

from collections.abc import Collection, Sequence
from typing import Final, cast

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, MessageId, TopicId, UserId
from server_lite.store import flags, search_index, unread_messages
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.history import Entry
from server_lite.store.rows import Rows
from server_lite.store.users import NOTIFICATION_BOT


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A row of `message`, with the name of its topic; times in UNIX seconds.

    A message is either in a channel (`channel_id` and `topic_id`) or direct (`conversation_id`).
    """

    id: MessageId
    sender_id: UserId
    channel_id: ChannelId | None
    topic_id: TopicId | None
    topic: str
    """Empty for direct messages, and for the empty topic."""
    conversation_id: int | None
    content: str
    rendered: str
    plain: str
    timestamp: float
    client: str
    has_link: bool
    has_image: bool
    has_attachment: bool
    last_edit: float | None
    last_moved: float | None
    edit_history: list[Entry]
    """Newest first; see `store.history`."""


NEWEST: Final = 5
"""Messages of the organization for each that is wanted, among which the newest of some channels are looked for first."""
FURTHER: Final = 4
"""How many times as many are looked through after that."""
_BEYOND: Final = 2**63 - 1
"""An ID above that of any message."""
ME: Final = "/me "
"""Beginning of messages that are shown after their sender's name."""
FetchedRow = tuple[
    MessageId,
    UserId,
    ChannelId | None,
    int | None,
    str,
    str,
    int,
    str,
    int,
    int | None,
    int | None,
    str | None,
]
"""What a client fetches of a message, as SQLite returns it: ID, sender, channel, conversation, topic, text,
time, client, whether its text begins with `ME` (0 or 1), times of the last edit and move, and the edit
history as JSON (None: never edited). Pages are long, so these become no `MessageRow`. Times in UNIX seconds.
"""

_FROM: Final = "message LEFT JOIN topic ON topic.id = message.topic_id"
_ROWS: Final = Rows(MessageRow, _FROM, columns={"topic": "coalesce(topic.name, '')"})


def by_id(db: Db, message_id: MessageId) -> MessageRow | None:
    """Return the message, whoever may read it."""
    return _ROWS.one(db, "WHERE message.id = ?", message_id)


def by_ids(db: Db, ids: Collection[int]) -> list[MessageRow]:
    """Return the existing ones of these messages, by ID."""
    return _ROWS.among(db, "id", ids)


def fetched(db: Db, ids: Collection[int], *, rendered: bool) -> list[FetchedRow]:
    """Return the existing ones of these messages, by ID, with their rendered text or its source."""
    rows = db.counted_rows(
        "SELECT message.id, sender_id, message.channel_id, conversation_id,"
        f" coalesce(topic.name, ''), {'rendered' if rendered else 'content'},"
        " CAST(timestamp AS INTEGER), client, substr(content, 1, ?) = ?,"
        " CAST(last_edit AS INTEGER), CAST(last_moved AS INTEGER), nullif(edit_history, '[]')"
        # In the order of the array: SQLite would sort the texts with their IDs.
        f" FROM json_each(?) CROSS JOIN {_FROM} WHERE message.id = json_each.value",
        len(ME),
        ME,
        _as_json(ids),
        text=5,
    )
    return cast(list[FetchedRow], rows)


def size(db: Db, ids: Collection[int], *, rendered: bool) -> int:
    """Return the sum of `sizes`."""
    total: int | None = db.value(
        f"SELECT sum(octet_length({'rendered' if rendered else 'content'})"
        " + octet_length(edit_history))"
        " FROM json_each(?) CROSS JOIN message ON message.id = json_each.value",
        _as_json(ids),
    )
    return total or 0


def _as_json(ids: Collection[int]) -> str:
    return orjson.dumps(sorted(set(ids))).decode()


def sizes(db: Db, ids: Collection[int], *, rendered: bool) -> dict[int, int]:
    """Return the bytes of text and edit history that `fetched` would read, by message ID."""
    text = "rendered" if rendered else "content"
    by_id: dict[int, int] = {}
    sorted_ids = sorted(set(ids))
    for start in range(0, len(sorted_ids), 10_000):
        part = sorted_ids[start : start + 10_000]
        rows = db.rows(
            f"SELECT id, octet_length({text}) + octet_length(edit_history) FROM message"
            f" WHERE id IN ({placeholders(part)})",
            *part,
        )
        by_id.update(cast(list[tuple[int, int]], rows))
    return by_id


def where(db: Db, condition: str, *values: SqlValue) -> list[MessageRow]:
    """Return messages that match an SQL condition over the table `message`, by ID."""
    return _ROWS.all(db, f"WHERE {condition} ORDER BY message.id", *values)


def insert(
    db: Db,
    *,
    sender_id: UserId,
    channel_id: ChannelId | None,
    topic_id: TopicId | None,
    topic: str,
    conversation_id: int | None,
    content: str,
    rendered: str,
    plain: str,
    timestamp: float,
    client: str,
    has_link: bool,
    has_image: bool,
    has_attachment: bool,
) -> MessageRow:
    """Insert a message, and return it with the ID it got. The search index gets it later."""
    message_id = db.insert(
        "INSERT INTO message (sender_id, channel_id, topic_id, conversation_id, content, rendered,"
        " plain, timestamp, client, has_link, has_image, has_attachment)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        sender_id,
        channel_id,
        topic_id,
        conversation_id,
        content,
        rendered,
        plain,
        timestamp,
        client,
        has_link,
        has_image,
        has_attachment,
    )
    return MessageRow(
        MessageId(message_id),
        sender_id,
        channel_id,
        topic_id,
        topic,
        conversation_id,
        content,
        rendered,
        plain,
        timestamp,
        client,
        has_link,
        has_image,
        has_attachment,
        None,
        None,
        [],
    )


def set_content(
    db: Db,
    message_id: MessageId,
    *,
    content: str,
    rendered: str,
    plain: str,
    has_link: bool,
    has_image: bool,
    has_attachment: bool,
    now: float,
) -> None:
    """Store an edit of the content."""
    db.run(
        "UPDATE message SET content = ?, rendered = ?, plain = ?, has_link = ?, has_image = ?,"
        " has_attachment = ?, last_edit = ? WHERE id = ?",
        content,
        rendered,
        plain,
        has_link,
        has_image,
        has_attachment,
        now,
        message_id,
    )


def set_place(
    db: Db, ids: Sequence[int], channel_id: ChannelId, topic_id: TopicId, moved: float | None
) -> None:
    """Move messages. `moved` is None if it does not count as a move (resolving a topic)."""
    db.many(
        "UPDATE message SET channel_id = ?, topic_id = ?, last_moved = coalesce(?, last_moved)"
        " WHERE id = ?",
        [(channel_id, topic_id, moved, message_id) for message_id in ids],
    )
    unread_messages.move(db, ids, topic_id)


def delete(db: Db, ids: Sequence[int]) -> None:
    """Delete messages with everything attached to them."""
    search_index.remove(db, ids)
    unread_messages.remove_messages(db, ids)
    flags.remove_messages(db, ids)
    db.many("DELETE FROM message WHERE id = ?", [(message_id,) for message_id in ids])


_ATTACHED: Final = ("reaction", "submessage")
"""Tables whose rows are deleted with their message."""


def count_attached(db: Db, message_id: int, *, most: int) -> int:
    """Return the number of reactions and submessages of a message, counted up to `most` each."""
    parts = (f"SELECT 1 FROM {table} WHERE message_id = ?1 LIMIT ?2" for table in _ATTACHED)
    counts = " + ".join(f"(SELECT count(*) FROM ({part}))" for part in parts)
    number: int = db.value(f"SELECT {counts}", message_id, most)
    return number


def delete_some_attached(db: Db, message_id: int, limit: int) -> None:
    """Delete some reactions and submessages of a message that is about to be deleted, at most `limit` of each."""
    for table in _ATTACHED:
        db.run(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE message_id = ? LIMIT ?)",
            *(message_id, limit),
        )


def ids_in_topic(db: Db, topic_id: TopicId, *, first: int = 0, limit: int = -1) -> list[MessageId]:
    """Return IDs of a topic's messages from `first` on, ascending; limit -1 means all."""
    text: str = db.value(  # many rows are read faster as one
        "SELECT json_group_array(id) FROM"
        " (SELECT id FROM message WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT ?)",
        topic_id,
        first,
        limit,
    )
    ids: list[MessageId] = orjson.loads(text)
    return ids


def ids_not_moved_since(
    db: Db, topic_id: TopicId, moment: float, *, above: int, until: int, limit: int
) -> list[MessageId]:
    """Return IDs of messages that have been in a topic since before a time, ascending, of those in the range."""
    return db.column(
        "SELECT id FROM message WHERE topic_id = ? AND id > ? AND id <= ?"
        " AND coalesce(last_moved, 0) < ? ORDER BY id LIMIT ?",
        topic_id,
        above,
        until,
        moment,
        limit,
    )


def sent_since(db: Db, ids: Sequence[int], moment: float) -> list[MessageId]:
    """Return which of the messages were sent at or after a time, ascending."""
    message_ids: list[MessageId] = []
    for start in range(0, len(ids), 10_000):
        part = ids[start : start + 10_000]
        message_ids += db.column(
            f"SELECT id FROM message WHERE id IN ({placeholders(part)}) AND timestamp >= ? ORDER BY id",
            *part,
            moment,
        )
    return message_ids


def participants_in_topic(db: Db, topic_id: TopicId) -> frozenset[UserId]:
    """Return users who sent or reacted to messages in a topic."""
    return frozenset(
        db.column(
            "SELECT sender_id FROM message WHERE topic_id = ? UNION SELECT reaction.user_id"
            " FROM message JOIN reaction ON reaction.message_id = message.id WHERE topic_id = ?",
            topic_id,
            topic_id,
        )
    )


def first_in_channel(db: Db, channel_id: ChannelId) -> int | None:
    """Return the ID of a channel's oldest message."""
    first: int | None = db.value("SELECT min(id) FROM message WHERE channel_id = ?", channel_id)
    return first


def newest_in_channels(
    db: Db, channel_ids: Collection[ChannelId], since: float, limit: int
) -> list[MessageId]:
    """Return the newest `limit` messages of all these channels together, sent after a time; ascending IDs."""
    first = first_since(db, since)
    if first is None:
        return []
    newest: int = db.value("SELECT max(id) FROM message")
    span = NEWEST * limit
    # Further back only while there are too few, as hundreds of channels may have as many each.
    while True:
        start = max(first, newest - span)
        # Each by its index alone, newest first: a long history costs nothing.
        lists = db.column(
            "SELECT (SELECT json_group_array(id) FROM (SELECT id FROM message WHERE channel_id = value AND id >= ?"
            " ORDER BY id DESC LIMIT ?)) FROM json_each(?)",
            *(start, limit, _as_json(channel_ids)),
        )
        message_ids: list[MessageId] = [one for text in lists for one in orjson.loads(text)]
        if len(message_ids) >= limit or start == first:
            return sorted(message_ids)[-limit:]
        span *= FURTHER


def sent_at_founding(db: Db, channel_ids: Sequence[ChannelId]) -> list[MessageId]:
    """Return the server's own messages in these channels from the organization's setup; ascending IDs."""
    return db.column(
        "SELECT id FROM message WHERE sender_id = ?"
        " AND timestamp = (SELECT min(date_joined) FROM user WHERE id <> ?)"
        f" AND channel_id IN ({placeholders(channel_ids)}) ORDER BY id",
        NOTIFICATION_BOT,
        NOTIFICATION_BOT,
        *channel_ids,
    )


def channels_with_older(
    db: Db, channel_ids: Collection[ChannelId], below: int | None, limit: int
) -> list[ChannelId]:
    """Return the first `limit` of these channels that have a message below an ID, or any message."""
    return db.column(
        "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM message"
        " WHERE channel_id = value AND id < ?) LIMIT ?",
        *(_as_json(channel_ids), _BEYOND if below is None else below, limit),
    )


def first_since(db: Db, moment: float) -> int | None:
    """Return the oldest message sent at or after a time, by bisection: IDs rise with time."""
    first: int | None = db.value(
        "WITH RECURSIVE half (low, high) AS ("
        "SELECT 0, coalesce((SELECT max(id) FROM message), 0) + 1 UNION ALL"
        " SELECT iif(coalesce(found.timestamp < ?1, 1), (low + high) / 2, low),"
        " iif(coalesce(found.timestamp < ?1, 1), high, found.id)"
        " FROM half LEFT JOIN message AS found ON found.id = (SELECT id FROM message"
        " WHERE id > low AND id <= (low + high) / 2 ORDER BY id DESC LIMIT 1)"
        " WHERE high - low > 1)"
        " SELECT min(id) FROM message WHERE id > (SELECT max(low) FROM half)",
        moment,
    )
    return first


def newest_timestamp(db: Db) -> float | None:
    """Return the time of the newest message; None without messages."""
    at: float | None = db.value("SELECT timestamp FROM message ORDER BY id DESC LIMIT 1")
    return at


def count(db: Db) -> int:
    """Return the number of messages."""
    number: int = db.value("SELECT count(*) FROM message")
    return number


def ids_where(
    db: Db, condition: str, *values: SqlValue, below: int | None = None, limit: int
) -> list[MessageId]:
    """Return the oldest messages that match a condition over the table `message`, ascending."""
    return db.column(
        f"SELECT id FROM message WHERE {condition} AND id < ? ORDER BY id LIMIT ?",
        *values,
        _BEYOND if below is None else below,  # a range of the index, not a condition on each row
        limit,
    )
