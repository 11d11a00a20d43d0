"""Users' flags on messages and unread messages, as sparse rows. SQL only.

`read` is not stored: it is the absence of a row of `unread`. `historical` is shown for channel
messages that were sent while the user was not subscribed; a stored row of that name adds such a message
to the user's own history nevertheless (they starred it, or sent it without being subscribed).
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
"""Flags of messages that mention the user."""
EDITABLE: Final = frozenset((READ, "starred", "collapsed"))
STORED: Final = frozenset((*MENTIONS, ALERT, "starred", "collapsed", HISTORICAL))
KNOWN: Final = STORED | {READ, "wildcard_mentioned"}

_BY_ID: Final = 10_000  # IDs bound to one statement, well below SQLite's limit


def shown(flags: Iterable[str]) -> list[str]:
    """Return flags as sent to clients: sorted, with the deprecated name of the two wildcard flags."""
    names = set(flags)
    if names & {CHANNEL_WILDCARD, TOPIC_WILDCARD}:
        names.add("wildcard_mentioned")
    return sorted(names)


def of_messages(db: Db, user_id: UserId, ids: Collection[int]) -> dict[int, list[str]]:
    """Return each message's flags as sent to clients; every requested ID is a key.

    The lists must not be mutated: most messages have only `read` or nothing, and share two lists.
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
    only_read, none = [READ], list[str]()
    flags_by_message = dict.fromkeys(ids, only_read)
    for message_id, flags in stored.items():
        if "" not in flags:
            flags_by_message[message_id] = shown(flags | {READ})
        else:
            flags_by_message[message_id] = none if len(flags) == 1 else shown(flags - {""})
    return flags_by_message


def of_people(db: Db, message_id: MessageId) -> dict[UserId, list[str]]:
    """Return stored flags of one message, by user; `read` is not among them."""
    flags_by_user: dict[UserId, list[str]] = {}
    for user_id, flag in db.rows("SELECT user_id, flag FROM flag WHERE message_id = ?", message_id):
        flags_by_user.setdefault(user_id, []).append(flag)
    return flags_by_user


def unread_by(db: Db, message_id: MessageId) -> frozenset[UserId]:
    """Return users who have not read a message."""
    return frozenset(db.column("SELECT user_id FROM unread WHERE message_id = ?", message_id))


def unread_ids(db: Db, user_id: UserId, limit: int) -> list[int]:
    """Return a user's newest unread messages, ascending."""
    newest = db.column(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id DESC LIMIT ?",
        user_id,
        limit,
    )
    return newest[::-1]


def count_unread(db: Db, user_id: UserId, *, most: int) -> int:
    """Return the number of a user's unread messages, counted up to `most`."""
    count: int = db.value(
        "SELECT count(*) FROM (SELECT 1 FROM unread WHERE user_id = ? LIMIT ?)", user_id, most
    )
    return count


def unread_where(
    db: Db, user_id: UserId, condition: str, value: int, *, above: int = 0
) -> list[int]:
    """Return a user's unread messages that match a condition over the table `message`, ascending."""
    return db.column(
        "SELECT unread.message_id FROM unread CROSS JOIN message ON message.id = unread.message_id"
        f" WHERE unread.user_id = ? AND unread.message_id > ? AND message.{condition}"
        " ORDER BY unread.message_id",
        user_id,
        above,
        value,
    )


def unread_before_joining(db: Db, channel_id: ChannelId) -> dict[UserId, list[int]]:
    """Return subscribers' unread messages in a channel from before their current subscription."""
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
    """Return the matching ones of the next `count` unread messages; and the last ID, None at the end."""
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
    """Return a user's visibility policies by topic ID: 1 muted, 2 unmuted, 3 followed."""
    return dict(
        db.rows(
            "SELECT topic.id, user_topic.visibility_policy FROM user_topic JOIN topic"
            " ON topic.channel_id = user_topic.channel_id AND topic.name_key = user_topic.name_key"
            " WHERE user_topic.user_id = ?",
            user_id,
        )
    )


def is_loud(channel_is_muted: bool, policy: int) -> bool:
    """Whether a topic is not muted: unmuted or followed, or without policy in an unmuted channel."""
    return policy in (2, 3) or (policy == 0 and not channel_is_muted)


def ids_with(db: Db, user_id: UserId, flag: str) -> list[int]:
    """Return messages on which the user has a stored flag, ascending."""
    return db.column(
        "SELECT message_id FROM flag WHERE user_id = ? AND flag = ? ORDER BY message_id",
        user_id,
        flag,
    )


def among(db: Db, user_id: UserId, flag: str, ids: Collection[int]) -> set[int]:
    """Return which of the messages have the flag (`read` included)."""
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
    """Mark the message as unread for these users."""
    db.many(
        "INSERT OR IGNORE INTO unread (user_id, message_id) VALUES (?, ?)",
        [(user_id, message_id) for user_id in user_ids],
    )


def add_unread_to_subscribers(
    db: Db, message_id: MessageId, channel_id: ChannelId, *, but: Collection[UserId]
) -> None:
    """Mark the message as unread for all active subscribers except `but`.

    One statement for all: OR IGNORE spares SQLite the journal of a statement that may fail half way.
    """
    db.run(
        "INSERT OR IGNORE INTO unread (user_id, message_id) SELECT user_id, ? FROM subscription"
        " CROSS JOIN user ON user.id = user_id AND is_active"  # not IN: it lists all users first
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
    """Set flags of one message for several users."""
    db.many(
        "INSERT OR IGNORE INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)",
        [(user_id, flag, message_id) for user_id, names in flags.items() for flag in names],
    )


def unread_outside(db: Db, ids: Collection[int], channel_id: ChannelId) -> dict[UserId, list[int]]:
    """Return unread messages of users who are not subscribed to the channel, by user."""
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
    """Keep moved messages in the history of users who got them in the old channel."""
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
    """Delete flags and unread rows of users who lost access to these messages."""
    pairs = [(user_id, message_id) for user_id in user_ids for message_id in ids]
    db.many("DELETE FROM unread WHERE user_id = ? AND message_id = ?", pairs)
    db.many("DELETE FROM flag WHERE user_id = ? AND message_id = ?", [*pairs])


def _parts(ids: Collection[int]) -> list[list[int]]:
    sorted_ids = sorted(ids)
    return [sorted_ids[start : start + _BY_ID] for start in range(0, len(sorted_ids), _BY_ID)]


def oldest_unread(db: Db, user_id: UserId, limit: int) -> list[int]:
    """Return a user's oldest unread messages, ascending."""
    return db.column(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id LIMIT ?",
        user_id,
        limit,
    )


def clear_unread(db: Db, user_id: UserId, *, until: int) -> None:
    """Mark all messages up to this one as read."""
    db.run("DELETE FROM unread WHERE user_id = ? AND message_id <= ?", user_id, until)


class UnreadPlace(NamedTuple):
    """A topic or direct conversation with unread messages of a user."""

    channel_id: ChannelId | None
    topic_id: TopicId | None
    topic: str | None
    conversation_id: int | None
    unread_count: int
    ids: str
    """Unread message IDs, ascending, as a JSON array."""


def unread_places(db: Db, user_id: UserId, *, above: int) -> list[UnreadPlace]:
    """Return where a user has unread messages above an ID: channels and their topics in order."""
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
    """Return the newest unread message beyond the newest `count`; None if there are no more."""
    newest: MessageId | None = db.value(
        "SELECT message_id FROM unread WHERE user_id = ? ORDER BY message_id DESC LIMIT 1 OFFSET ?",
        user_id,
        count,
    )
    return newest


class UnreadMention(NamedTuple):
    """An unread message that mentions the user, and its place."""

    message_id: MessageId
    flag: str
    topic_id: TopicId | None


def unread_mentions(db: Db, user_id: UserId, *, above: int) -> list[UnreadMention]:
    """Return a user's unread messages above an ID with one of `MENTIONS`, a row for each flag."""
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
