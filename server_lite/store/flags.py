"""What each person marked on messages: unread and flags, sparse rows. SQL only.

`read` is not stored: it is the absence of a row of `unread`. `historical` is shown for channel
messages that came while the person was not there; a stored row of that name makes such a message
part of the person's own history all the same (they starred it, or sent it from outside).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from server_lite.ids import ChannelId, MessageId, TopicId, UserId
from server_lite.store.connection import Db, placeholders

READ: Final = "read"
HISTORICAL: Final = "historical"
MENTIONED: Final = "mentioned"
CHANNEL_WILDCARD: Final = "stream_wildcard_mentioned"
TOPIC_WILDCARD: Final = "topic_wildcard_mentioned"
ALERT: Final = "has_alert_word"
MENTIONS: Final = (MENTIONED, CHANNEL_WILDCARD, TOPIC_WILDCARD)
"""What makes a message one that mentions the person."""
EDITABLE: Final = frozenset((READ, "starred", "collapsed"))
STORED: Final = frozenset((*MENTIONS, ALERT, "starred", "collapsed", HISTORICAL))
KNOWN: Final = STORED | {READ, "wildcard_mentioned"}

_BY_ID: Final = 10_000  # ids bound to one statement, well below SQLite's limit


def shown(flags: Iterable[str]) -> list[str]:
    """Flags as clients get them: sorted, with the older name of the two wildcard flags beside them."""
    names = set(flags)
    if names & {CHANNEL_WILDCARD, TOPIC_WILDCARD}:
        names.add("wildcard_mentioned")
    return sorted(names)


def of_messages(db: Db, user_id: UserId, ids: Collection[int]) -> dict[int, list[str]]:
    """The flags of each message as clients get them; every id asked for is a key.

    Nobody may change the lists: most messages are read and nothing else, and have the same one.
    """
    stored: dict[int, set[str]] = {}
    for part in _parts(ids):
        values = (user_id, *part)
        for message_id, flag in db.rows(
            f"SELECT message_id, '' FROM unread WHERE user_id = ? AND message_id IN ({placeholders(part)})"
            " UNION ALL SELECT message_id, flag FROM flag"
            f" WHERE user_id = ? AND message_id IN ({placeholders(part)})"
            f" UNION ALL SELECT id, '{HISTORICAL}' FROM message"
            " WHERE channel_id IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM membership WHERE membership.user_id = ?"
            " AND membership.channel_id = message.channel_id AND membership.after_id < message.id"
            " AND (membership.until_id IS NULL OR membership.until_id >= message.id))"
            f" AND id IN ({placeholders(part)})",
            *values * 3,
        ):
            stored.setdefault(message_id, set()).add(flag)
    only_read = [READ]
    flags_by_message = dict.fromkeys(ids, only_read)
    for message_id, flags in stored.items():
        flags_by_message[message_id] = shown(flags - {""} if "" in flags else flags | {READ})
    return flags_by_message


def of_people(db: Db, message_id: MessageId) -> dict[UserId, list[str]]:
    """Stored flags of one message, for each person who has any; `read` is not among them."""
    flags_by_user: dict[UserId, list[str]] = {}
    for user_id, flag in db.rows("SELECT user_id, flag FROM flag WHERE message_id = ?", message_id):
        flags_by_user.setdefault(user_id, []).append(flag)
    return flags_by_user


def unread_by(db: Db, message_id: MessageId) -> frozenset[UserId]:
    """Who has not read a message."""
    return frozenset(db.column("SELECT user_id FROM unread WHERE message_id = ?", message_id))


def unread_ids(db: Db, user_id: UserId, limit: int) -> list[int]:
    """The newest unread messages of a person, ascending."""
    newest = db.column(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id DESC LIMIT ?",
        user_id,
        limit,
    )
    return newest[::-1]


def count_unread(db: Db, user_id: UserId, *, most: int) -> int:
    """How many messages a person has not read, counted up to `most`."""
    count: int = db.value(
        "SELECT count(*) FROM (SELECT 1 FROM unread WHERE user_id = ? LIMIT ?)", user_id, most
    )
    return count


def unread_where(
    db: Db, user_id: UserId, condition: str, value: int, *, above: int = 0
) -> list[int]:
    """A person's unread messages for which a condition over the table `message` holds, ascending."""
    return db.column(
        "SELECT unread.message_id FROM unread CROSS JOIN message ON message.id = unread.message_id"
        f" WHERE unread.user_id = ? AND unread.message_id > ? AND message.{condition}"
        " ORDER BY unread.message_id",
        user_id,
        above,
        value,
    )


def unread_before_joining(db: Db, channel_id: ChannelId) -> dict[UserId, list[int]]:
    """What people in a channel have not read there of the time before they came, the last time that they did."""
    ids_by_user: dict[UserId, list[int]] = {}
    for user_id, message_id in db.rows(
        "SELECT unread.user_id, unread.message_id FROM subscription"
        " CROSS JOIN membership ON membership.user_id = subscription.user_id"
        " AND membership.channel_id = subscription.channel_id AND membership.until_id IS NULL"
        " CROSS JOIN unread ON unread.user_id = subscription.user_id"
        " AND unread.message_id <= membership.after_id"
        " CROSS JOIN message ON message.id = unread.message_id"
        " AND message.channel_id = subscription.channel_id"
        " WHERE subscription.channel_id = ? AND subscription.active ORDER BY 1, 2",
        channel_id,
    ):
        ids_by_user.setdefault(user_id, []).append(message_id)
    return ids_by_user


def unread_slice(
    db: Db, user_id: UserId, condition: str, value: int, *, above: int, count: int
) -> tuple[list[int], int | None]:
    """The same of the next `count` that are unread above an id; and the last of them, None at the end."""
    rows = db.rows(
        f"SELECT next.message_id, message.{condition} FROM (SELECT message_id FROM unread"
        " WHERE user_id = ? AND message_id > ? ORDER BY message_id LIMIT ?) AS next"
        " CROSS JOIN message ON message.id = next.message_id",
        value,
        user_id,
        above,
        count,
    )
    message_ids = sorted(message_id for message_id, is_meant in rows if is_meant)
    return message_ids, max(row[0] for row in rows) if len(rows) == count else None


def topic_policies(db: Db, user_id: UserId) -> dict[int, int]:
    """What topics are to a person, by the topic's id: 1 muted, 2 unmuted, 3 followed."""
    return dict(
        db.rows(
            "SELECT topic.id, user_topic.visibility_policy FROM user_topic JOIN topic"
            " ON topic.channel_id = user_topic.channel_id AND topic.name_key = user_topic.name_key"
            " WHERE user_topic.user_id = ?",
            user_id,
        )
    )


def is_loud(channel_is_muted: bool, policy: int) -> bool:
    """Whether a topic counts: unmuted or followed, or nothing special in a channel that counts."""
    return policy in (2, 3) or (policy == 0 and not channel_is_muted)


def ids_with(db: Db, user_id: UserId, flag: str) -> list[int]:
    """Messages on which the person has a stored flag, ascending."""
    return db.column(
        "SELECT message_id FROM flag WHERE user_id = ? AND flag = ? ORDER BY message_id",
        user_id,
        flag,
    )


def among(db: Db, user_id: UserId, flag: str, ids: Collection[int]) -> set[int]:
    """Those of the messages that have the flag (`read` too)."""
    has: set[int] = set()
    for part in _parts(ids):
        if flag == READ:
            has.update(
                db.column(
                    "SELECT message_id FROM unread WHERE user_id = ?"
                    f" AND message_id IN ({placeholders(part)})",
                    user_id,
                    *part,
                )
            )
        else:
            has.update(
                db.column(
                    "SELECT message_id FROM flag WHERE user_id = ? AND flag = ?"
                    f" AND message_id IN ({placeholders(part)})",
                    user_id,
                    flag,
                    *part,
                )
            )
    return set(ids) - has if flag == READ else has


def add_unread(db: Db, message_id: MessageId, user_ids: Iterable[UserId]) -> None:
    """The message is new to these people."""
    db.many(
        "INSERT OR IGNORE INTO unread (user_id, message_id) VALUES (?, ?)",
        [(user_id, message_id) for user_id in user_ids],
    )


def add_unread_to_subscribers(
    db: Db, message_id: MessageId, channel_id: ChannelId, *, but: Collection[UserId]
) -> None:
    """The message is new to everybody in the channel but those.

    One statement for all: OR IGNORE spares SQLite the journal of a statement that may fail half way.
    """
    db.run(
        "INSERT OR IGNORE INTO unread (user_id, message_id) SELECT user_id, ? FROM subscription"
        " CROSS JOIN user ON user.id = user_id AND is_active"  # not IN: it would list everybody first
        f" WHERE channel_id = ? AND active AND user_id NOT IN ({placeholders(list(but))})",
        message_id,
        channel_id,
        *but,
    )


def add(db: Db, user_id: UserId, flag: str, ids: Sequence[int]) -> None:
    """Set a flag; `read` removes rows of `unread`."""
    each = [(user_id, message_id) for message_id in ids]
    if flag == READ:
        db.many("DELETE FROM unread WHERE user_id = ? AND message_id = ?", each)
    else:
        db.many(
            "INSERT OR IGNORE INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)",
            [(user_id, flag, message_id) for message_id in ids],
        )


def remove(db: Db, user_id: UserId, flag: str, ids: Sequence[int]) -> None:
    """Clear a flag; for `read` the messages become unread."""
    if flag == READ:
        db.many(
            "INSERT OR IGNORE INTO unread (user_id, message_id) VALUES (?, ?)",
            [(user_id, message_id) for message_id in ids],
        )
    else:
        db.many(
            "DELETE FROM flag WHERE user_id = ? AND flag = ? AND message_id = ?",
            [(user_id, flag, message_id) for message_id in ids],
        )


def add_to_people(db: Db, message_id: MessageId, flags: Mapping[UserId, Iterable[str]]) -> None:
    """Set flags of one message for several people."""
    db.many(
        "INSERT OR IGNORE INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)",
        [(user_id, flag, message_id) for user_id, names in flags.items() for flag in names],
    )


def unread_outside(db: Db, ids: Collection[int], channel_id: ChannelId) -> dict[UserId, list[int]]:
    """Which of the messages are unread to whom of those who are not in the channel."""
    ids_by_user: dict[UserId, list[int]] = {}
    for part in _parts(ids):
        for user_id, message_id in db.rows(
            f"SELECT user_id, message_id FROM unread WHERE message_id IN ({placeholders(part)})"
            " AND user_id NOT IN"
            " (SELECT user_id FROM subscription WHERE channel_id = ? AND active)",
            *part,
            channel_id,
        ):
            ids_by_user.setdefault(user_id, []).append(message_id)
    return ids_by_user


def keep_in_history(
    db: Db, ids: Collection[int], origin_id: ChannelId, target_id: ChannelId
) -> None:
    """The messages go from one channel to another: whoever got them there has them all the same."""
    there = "{0}.after_id < message.id AND ({0}.until_id IS NULL OR {0}.until_id >= message.id)"
    for part in _parts(ids):
        db.run(
            f"INSERT OR IGNORE INTO flag (user_id, flag, message_id)"
            f" SELECT got.user_id, ?, message.id FROM message JOIN membership AS got"
            f" ON got.channel_id = ? AND {there.format('got')}"
            f" WHERE message.id IN ({placeholders(part)}) AND NOT EXISTS (SELECT 1 FROM membership AS gets"
            f" WHERE gets.user_id = got.user_id AND gets.channel_id = ? AND {there.format('gets')})",
            HISTORICAL,
            origin_id,
            *part,
            target_id,
        )


def forget(db: Db, user_ids: Collection[UserId], ids: Collection[int]) -> None:
    """These people lost access to these messages: nothing of theirs stays on them."""
    pairs = [(user_id, message_id) for user_id in user_ids for message_id in ids]
    db.many("DELETE FROM unread WHERE user_id = ? AND message_id = ?", pairs)
    db.many("DELETE FROM flag WHERE user_id = ? AND message_id = ?", [*pairs])


def _parts(ids: Collection[int]) -> list[list[int]]:
    sorted_ids = sorted(ids)
    return [sorted_ids[start : start + _BY_ID] for start in range(0, len(sorted_ids), _BY_ID)]


def oldest_unread(db: Db, user_id: UserId, limit: int) -> list[int]:
    """The oldest unread messages of a person, ascending."""
    return db.column(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id LIMIT ?",
        user_id,
        limit,
    )


def clear_unread(db: Db, user_id: UserId, *, until: int) -> None:
    """The person read everything up to this message."""
    db.run("DELETE FROM unread WHERE user_id = ? AND message_id <= ?", user_id, until)


class UnreadPlace(NamedTuple):
    """A topic of a channel, or a direct conversation, and what a person has not read in it."""

    channel_id: ChannelId | None
    topic_id: TopicId | None
    topic: str | None
    conversation_id: int | None
    unread_count: int
    ids: str
    """Of the messages, ascending, as a JSON array."""


def unread_places(db: Db, user_id: UserId, *, above: int) -> list[UnreadPlace]:
    """Where a person has unread messages above an id: channels and their topics in order."""
    rows = db.rows(
        "SELECT topic.channel_id, topic_id, topic.name, conversation_id, unread_count, ids"
        " FROM (SELECT topic_id, conversation_id, count(*) AS unread_count,"
        " json_group_array(message.id ORDER BY message.id) AS ids"
        " FROM unread CROSS JOIN message ON message.id = unread.message_id"
        " WHERE unread.user_id = ? AND unread.message_id > ? GROUP BY topic_id, conversation_id)"
        " LEFT JOIN topic ON topic.id = topic_id"
        " ORDER BY topic.channel_id, topic.name, conversation_id",
        user_id,
        above,
    )
    return [UnreadPlace(*row) for row in rows]


def newest_beyond(db: Db, user_id: UserId, count: int) -> MessageId | None:
    """The newest unread message that is not among the newest `count`; None where these are all."""
    newest: MessageId | None = db.value(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id DESC LIMIT 1 OFFSET ?",
        user_id,
        count,
    )
    return newest


class UnreadMention(NamedTuple):
    """An unread message that mentions the person, and where it is."""

    message_id: MessageId
    flag: str
    topic_id: TopicId | None


def unread_mentions(db: Db, user_id: UserId, *, above: int) -> list[UnreadMention]:
    """A person's unread messages above an id with one of `MENTIONS`, once for each of them."""
    rows = db.rows(
        "SELECT flag.message_id, flag.flag, message.topic_id FROM flag"
        " CROSS JOIN unread ON unread.user_id = flag.user_id AND unread.message_id = flag.message_id"
        " CROSS JOIN message ON message.id = flag.message_id"
        f" WHERE flag.user_id = ? AND flag.flag IN ({placeholders(MENTIONS)}) AND flag.message_id > ?",
        user_id,
        *MENTIONS,
        above,
    )
    return [UnreadMention(*row) for row in rows]
