"""Users' flags on messages, as sparse rows. SQL only.

`read` is not stored: it is the absence of a row of `unread`; see `unread_messages`. `historical` is shown for channel
messages that were sent while the user was not subscribed; a stored row of that name adds such a message
to the user's own history nevertheless (they starred it, or sent it without being subscribed).
What a text gives to many users at once is in tables of its own for a while; see `shared_flags`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress
from operator import not_
from typing import Final, TypeVar

import orjson

from server_lite.ids import MessageId, UserId
from server_lite.store import outdated_rows, shared_flags, unread_messages
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.unread_messages import parts

READ: Final = "read"
HISTORICAL: Final = "historical"
MENTIONED: Final = "mentioned"
CHANNEL_WILDCARD: Final = "stream_wildcard_mentioned"
TOPIC_WILDCARD: Final = "topic_wildcard_mentioned"
ALERT: Final = "has_alert_word"
MENTIONS: Final = (MENTIONED, CHANNEL_WILDCARD, TOPIC_WILDCARD)
"""Flags of messages that mention the user."""
FROM_TEXT: Final = frozenset((*MENTIONS, ALERT))
"""Flags that are derived from a message's text. Only these may be shared."""
EDITABLE: Final = frozenset((READ, "starred", "collapsed"))
STORED: Final = frozenset((*MENTIONS, ALERT, "starred", "collapsed", HISTORICAL))
KNOWN: Final = STORED | {READ, "wildcard_mentioned"}
ROWS_AT_ONCE: Final = 5_000
"""Unread rows and flags of the messages that one transaction moves to another channel or deletes."""
MANY: Final = 5_000
"""Flags of the messages of one change up to which it is read whose they are."""
_OF_EXAMINED: Final = "json_each(?) AS examined CROSS JOIN flag ON message_id = examined.value"
_SHARED_OF_EXAMINED: Final = (
    f"{shared_flags.WITH_USERS} WHERE message_id BETWEEN ? AND ?"
    " AND +message_id IN (SELECT value FROM json_each(?))"  # few of them, so not one by one
)
Id = TypeVar("Id", bound=int)
UsersByFlag = Mapping[str, AbstractSet[UserId]]
"""Flag -> users who have it on a message."""


def shown(flags: Iterable[str]) -> list[str]:
    """Return flags as sent to clients: sorted, with the deprecated name of the two wildcard flags."""
    names = set(flags)
    if names & {CHANNEL_WILDCARD, TOPIC_WILDCARD}:
        names.add("wildcard_mentioned")
    return sorted(names)


def of_messages(
    db: Db, user_id: UserId, ids: Collection[int], outside: Collection[int] | None = None
) -> dict[int, list[str]]:
    """Return each message's flags as sent to clients; every requested ID is a key.

    `outside`: those that are `subscriptions.outside`, if known. The lists must not be mutated: most messages have
    only `read` or nothing, and share two lists.
    """
    only_read, none = [READ], list[str]()
    unread = unread_messages.among(db, user_id, ids)
    flags_by_message = {
        message_id: none if message_id in unread else only_read for message_id in ids
    }
    stored: dict[int, set[str]] = {}
    for part in parts(ids):
        values = (user_id, *part)
        among = placeholders(part)
        sql = (
            "SELECT message_id, flag FROM flag"
            f" WHERE user_id = ? AND message_id IN ({among}) AND {outdated_rows.FLAG_COUNTS}"
        )
        if outside is None:
            sql += (
                f" UNION ALL SELECT id, '{HISTORICAL}' FROM message"
                " WHERE channel_id IS NOT NULL AND NOT EXISTS"
                " (SELECT 1 FROM membership WHERE membership.user_id = ?"
                " AND membership.channel_id = message.channel_id AND membership.after_id < message.id"
                " AND (membership.until_id IS NULL OR membership.until_id >= message.id))"
                f" AND id IN ({among})"
            )
        rows = db.rows(
            f"{sql} UNION ALL {shared_flags.OF_USER}",
            *values * (2 if outside is None else 1),
            *(user_id, part[0], part[-1]),
        )
        for message_id, flag in rows:
            if message_id in flags_by_message:  # shared flags are those of a range
                stored.setdefault(message_id, set()).add(flag)
    for message_id in outside or ():
        stored.setdefault(message_id, set()).add(HISTORICAL)
    for message_id, flags in stored.items():
        flags_by_message[message_id] = shown(flags if message_id in unread else {*flags, READ})
    return flags_by_message


def of_message(db: Db, message_id: MessageId) -> dict[str, set[UserId]]:
    """Return users by stored flag of one message; `read` is not among them."""
    users_by_flag: defaultdict[str, set[UserId]] = defaultdict(set)
    for flag, user_ids in db.rows(shared_flags.OF_MESSAGE, message_id, message_id, message_id):
        users_by_flag[flag].update(orjson.loads(user_ids))
    return users_by_flag


def users_by_message(
    db: Db, ids: Sequence[int], *, but: AbstractSet[UserId]
) -> dict[MessageId, set[UserId]] | None:
    """Return which of these ascending messages other users than `but` have flags on, with these users.

    None if the messages have more than `MANY` flags: they would take long to read.
    """
    # Few messages have flags: all flags among these messages are read faster than those of each one.
    row = db.row(
        "SELECT json_group_array(message_id), json_group_array(DISTINCT user_id) FROM"
        " (SELECT message_id, user_id FROM flag WHERE message_id BETWEEN ? AND ? LIMIT ?)",
        *(ids[0], ids[-1], len(ids)),
    )
    assert row is not None
    flagged, owners = map(orjson.loads, row)
    examined = ids
    if len(flagged) < len(ids):
        examined = [] if but >= set(owners) else sorted(set(flagged).intersection(ids))
    users_by_id = _grouped(db, _OF_EXAMINED, _as_json(examined), but=but)
    if users_by_id is None:
        return None
    if noted := outdated_rows.with_noted_flags(db, users_by_id):  # of most messages, there are none
        for message_id in noted:
            del users_by_id[message_id]
        counting = f"{_OF_EXAMINED} WHERE {outdated_rows.FLAG_COUNTS}"
        users_by_id |= _grouped(db, counting, _as_json(noted), but=but) or {}
    shared = _grouped(db, _SHARED_OF_EXAMINED, ids[0], ids[-1], _as_json(ids), but=but)
    if shared is None:
        return None
    for message_id, user_ids in shared.items():
        users_by_id[message_id] = users_by_id.get(message_id, set()) | user_ids
    return users_by_id


def _as_json(ids: Sequence[int]) -> str:
    return orjson.dumps(ids).decode()


def _grouped(
    db: Db, rows: str, *values: SqlValue, but: AbstractSet[UserId]
) -> dict[MessageId, set[UserId]] | None:
    """Return the other users by message, of rows with both; without empty sets. None if there are more than `MANY` rows."""
    # Two arrays as texts: a row for each flag would take longer.
    row = db.row(
        "SELECT json_group_array(message_id), json_group_array(user_id) FROM"
        f" (SELECT message_id, user_id FROM {rows} LIMIT ?)",
        *values,
        MANY + 1,
    )
    assert row is not None
    message_ids, user_ids = map(orjson.loads, row)
    if len(user_ids) > MANY:
        return None
    users_by_id: defaultdict[MessageId, set[UserId]] = defaultdict(set)
    if not but >= set(user_ids):
        for message_id, user_id in zip(message_ids, user_ids, strict=True):
            if user_id not in but:
                users_by_id[message_id].add(user_id)
    return dict(users_by_id)


def shown_by_user(users_by_flag: UsersByFlag) -> dict[UserId, list[str]]:
    """Return the flags of one message as sent to clients, by user; users with equal flags share a list.

    Few combinations differ, though thousands may be mentioned at once: sets of users are compared, not users.
    """
    users_by_flags: list[tuple[frozenset[str], AbstractSet[UserId]]] = []
    for flag, users in users_by_flag.items():
        if not users:
            continue
        split: list[tuple[frozenset[str], AbstractSet[UserId]]] = []
        for flags, having in users_by_flags:
            split += [(flags | {flag}, having & users), (flags, having - users)]
            users = users - having  # what is left of them
        users_by_flags = [
            (flags, some) for flags, some in [*split, (frozenset((flag,)), users)] if some
        ]
    flags_by_user: dict[UserId, list[str]] = {}
    for flags, having in users_by_flags:
        flags_by_user.update(dict.fromkeys(having, shown(flags)))
    return flags_by_user


def mentions(db: Db, user_id: UserId, *, since: int) -> tuple[set[MessageId], set[MessageId]]:
    """Return the messages from an ID on that mention a user: by name or group, and by a wildcard."""
    # Two arrays as texts: a row for each message would take longer.
    row = db.row(
        "SELECT json_group_array(message_id), json_group_array(flag = ?)"
        f" FROM {shared_flags.any_flag(db)} AS any_flag"
        f" WHERE user_id = ? AND flag IN ({placeholders(MENTIONS)}) AND message_id >= ?",
        MENTIONED,
        user_id,
        *MENTIONS,
        since,
    )
    assert row is not None
    ids, are_by_name = map(orjson.loads, row)
    return set(compress(ids, are_by_name)), set(compress(ids, map(not_, are_by_name)))


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


def is_unmuted(channel_is_muted: bool, policy: int) -> bool:
    """Whether a topic is not muted: unmuted or followed, or without policy in an unmuted channel."""
    return policy in (2, 3) or (policy == 0 and not channel_is_muted)


def ids_with(db: Db, user_id: UserId, flag: str) -> str:
    """Return messages on which the user has a stored flag that no text gives, ascending, as a JSON array."""
    text: str = db.value(
        # In the order of the key. In that of the aggregate they would be sorted.
        "SELECT json_group_array(message_id) FROM (SELECT message_id FROM flag"
        " WHERE user_id = ? AND flag = ? ORDER BY message_id)",
        user_id,
        flag,
    )
    return text


def among(db: Db, user_id: UserId, flag: str, ids: Collection[int]) -> set[int]:
    """Return which of the messages have the flag (`read` included), which no text gives."""
    if flag == READ:
        return set(ids) - unread_messages.among(db, user_id, ids)
    return {
        message_id
        for part in parts(ids)
        for message_id in db.column(
            "SELECT message_id FROM flag WHERE user_id = ? AND flag = ?"
            f" AND message_id IN ({placeholders(part)})",
            user_id,
            flag,
            *part,
        )
    }


def add(db: Db, user_id: UserId, flag: str, ids: Sequence[int]) -> None:
    """Set a flag that no text gives; for `read` the messages are no longer unread."""
    if flag == READ:
        unread_messages.remove(db, [user_id], ids)
    else:
        db.many(
            "INSERT OR IGNORE INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)",
            [(user_id, flag, message_id) for message_id in ids],
        )


def remove(db: Db, user_id: UserId, flag: str, ids: Sequence[int]) -> None:
    """Clear a flag that no text gives; for `read` the messages become unread."""
    if flag == READ:
        unread_messages.add_of_user(db, user_id, ids)
    else:
        db.many(
            "DELETE FROM flag WHERE user_id = ? AND flag = ? AND message_id = ?",
            [(user_id, flag, message_id) for message_id in ids],
        )


def add_to_people(db: Db, message_id: MessageId, users_by_flag: UsersByFlag) -> None:
    """Set flags of one message for several users, who do not have them."""
    for flag, users in users_by_flag.items():
        if _is_shared(db, message_id, flag, len(users)):
            shared_flags.add(db, message_id, flag, users)
        else:
            db.many(
                "INSERT OR IGNORE INTO flag (user_id, flag, message_id) VALUES (?, ?, ?)",
                [(user_id, flag, message_id) for user_id in users],
            )


def _is_shared(db: Db, message_id: MessageId, flag: str, count: int) -> bool:
    if flag not in FROM_TEXT:
        return False
    return count > outdated_rows.FEW or outdated_rows.is_flag_noted(db, message_id, flag)


def remove_from_people(
    db: Db,
    message_id: MessageId,
    users_by_flag: UsersByFlag,
    stored: UsersByFlag | None = None,
) -> None:
    """Clear flags of one message for several users. `stored` is `of_message`, if it is known."""
    for flag, users in users_by_flag.items():
        if flag not in FROM_TEXT or len(users) <= outdated_rows.FEW:
            count = len(users) - shared_flags.remove(db, message_id, flag, users)
            if count:
                db.many(
                    "DELETE FROM flag WHERE user_id = ? AND flag = ? AND message_id = ?",
                    [(user_id, flag, message_id) for user_id in users],
                )
            continue
        if stored is None:
            stored = of_message(db, message_id)
        kept = stored.get(flag, frozenset()) - users
        if len(kept) < len(users) or shared_flags.remove(db, message_id, flag, users) < len(users):
            _leave(db, message_id, flag, kept)


def _leave(db: Db, message_id: MessageId, flag: str, kept: AbstractSet[UserId]) -> None:
    """Clear a flag of a text for all but these users: rows of the others are deleted later."""
    if _has_rows(db, message_id, flag):
        outdated_rows.note_flag(db, message_id, flag)
    shared_flags.remove_flag(db, message_id, flag)
    if kept:
        shared_flags.add(db, message_id, flag, kept)


def _has_rows(db: Db, message_id: MessageId, flag: str) -> bool:
    return bool(
        db.value(
            "SELECT EXISTS (SELECT 1 FROM flag WHERE message_id = ? AND flag = ?)", message_id, flag
        )
    )


def first_of(db: Db, ids: list[Id], *, other_rows: Callable[[Id], int] = lambda _: 0) -> list[Id]:
    """Return the first ones of these messages: all, or at least one, if more have too many rows for one transaction.

    These are unread rows and flags; `other_rows` returns how many others a message has.
    """
    rows = 0
    for at, message_id in enumerate(ids):
        rows += other_rows(message_id)
        rows += unread_messages.count_of_message(db, message_id, most=ROWS_AT_ONCE)
        rows += db.value(_COUNT, message_id, ROWS_AT_ONCE)
        if at and rows > ROWS_AT_ONCE:
            return ids[:at]
    return ids


_COUNT: Final = (
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM flag WHERE message_id = ?1 LIMIT ?2)) + (SELECT count(*) FROM"
    f" (SELECT 1 FROM {shared_flags.WITH_USERS} WHERE message_id = ?1 LIMIT ?2))"
)
"""Flags of a message, counted up to a limit in each table."""


def forget(db: Db, user_ids: AbstractSet[UserId], ids: Collection[int]) -> None:
    """Delete flags and unread rows of users who lost access to these messages."""
    unread_messages.remove(db, user_ids, ids)
    for message_id in _flagged(db, ids):
        stored = of_message(db, message_id)
        lost = {flag: users & user_ids for flag, users in stored.items()}
        lost = {flag: users for flag, users in lost.items() if users}
        remove_from_people(db, message_id, lost, stored)


def remove_messages(db: Db, ids: Collection[int]) -> None:
    """Delete the flags of these messages, which are about to be deleted."""
    for part in parts(ids):
        shared_flags.remove_messages(db, part)
    for message_id in _flagged(db, ids):
        for flag in sorted(FROM_TEXT):
            if db.value(_COUNT_ROWS, message_id, flag, outdated_rows.FEW + 1) > outdated_rows.FEW:
                outdated_rows.note_flag(db, message_id, flag)
        db.run(
            "DELETE FROM flag WHERE message_id = ?1"
            " AND flag NOT IN (SELECT flag FROM outdated_flag WHERE message_id = ?1)",
            message_id,
        )


_COUNT_ROWS: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM flag WHERE message_id = ? AND flag = ? LIMIT ?)"
)


def _flagged(db: Db, ids: Collection[int]) -> list[MessageId]:
    """Return which of the messages have flags."""
    return [
        message_id
        for part in parts(ids)
        for message_id in db.column(
            f"SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM {shared_flags.ANY_FLAG} AS any_flag"
            " WHERE any_flag.message_id = value)",
            _as_json(part),
        )
    ]
