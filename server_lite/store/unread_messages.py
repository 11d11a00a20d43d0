"""Which messages are unread for whom, by message and by user. SQL only.

Theory of operation. `unread` has a row for each unread message of each user, keyed by message, so that a new
message writes its rows to a few pages, however many people receive it. `unread_by_user` has the same rows
keyed by user, where each user's rows lie on pages of their own. A row of a new message would write all these
pages; so it gets the rows of many messages at once, in passes: when `BATCH` messages wait, each further message
moves on to the next users, until all users have the rows up to the goal of the pass. All of this is part of the
transaction of a message, at its end (`copy_some`).

`message_place` has the topic or conversation of every message up to the goal, so that a user's thousands of unread
messages are grouped without reading as many pages of `message`.

For a user, messages up to `indexed_until` are listed by `unread_by_user`, and newer ones by `unread` alone.
These are few, so that looking each of them up costs little. Rows of a message that are deleted for many users at once
stay in `unread_by_user` for a while, and do not count (`outdated_rows`).
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import orjson

from server_lite.ids import ChannelId, MessageId, TopicId, UserId
from server_lite.store import outdated_rows
from server_lite.store.connection import Db, SqlValue, placeholders

BATCH: Final = 256
"""Messages that wait before a pass begins."""
PASS: Final = 256
"""Messages after which a pass ends at the latest."""
SLICE: Final = 2_500
"""Rows that are copied for one message, or more if a pass would take too long: as many as a message to all would write."""
MOST: Final = 10_000
"""Rows that are copied in a transaction, however many messages it has, and those of one step more."""
BY_ID: Final = 10_000
"""IDs bound to one statement, well below SQLite's limit."""
DENSE: Final = 8
"""Messages of the organization for each of a page, up to which all unread ones between the first and the last are read."""

_WAITING: Final = (
    "message CROSS JOIN unread ON unread.message_id = message.id"
    " AND unread.user_id >= ? WHERE message.id > ? AND message.id <= ?"
)
WAITING_OF_USER: Final = (
    "message CROSS JOIN unread ON unread.message_id = message.id AND unread.user_id = ?"
    " WHERE message.id > ?"
)
"""Messages that `unread_by_user` does not have yet for a user: above `indexed_until`."""
_OUTSIDE: Final = (
    "(user_id NOT IN (SELECT user_id FROM subscription WHERE channel_id = ? AND active)"
    " OR (EXISTS (SELECT 1 FROM channel WHERE channel.id = ? AND NOT history_public_to_subscribers"
    " AND NOT is_web_public) AND NOT EXISTS (SELECT 1 FROM membership WHERE membership.user_id = unread.user_id"
    " AND membership.channel_id = ? AND membership.after_id < unread.message_id"
    " AND (membership.until_id IS NULL OR membership.until_id >= unread.message_id))))"
)
"""A condition over `unread`, with the channel three times."""
_IS_LISTED: Final = "{0}.message_id <= CASE WHEN {0}.user_id < next_user THEN goal ELSE indexed END"


class _Progress(NamedTuple):
    """The row of `unread_index_progress`."""

    indexed: int
    goal: int
    next_user: int

    def listed_until(self, user_id: UserId) -> int:
        """Return the ID up to which `unread_by_user` has a user's rows."""
        return self.goal if user_id < self.next_user else self.indexed


def _progress(db: Db) -> _Progress:
    row = db.row("SELECT indexed, goal, next_user FROM unread_index_progress")
    assert row is not None
    return _Progress(*row)


def indexed_until(db: Db, user_id: UserId) -> int:
    """Return the ID up to which `unread_by_user` has a user's unread messages, and no further."""
    return _progress(db).listed_until(user_id)


def parts(ids: Collection[int]) -> list[list[int]]:
    """Return IDs, ascending, in lists for one statement each."""
    sorted_ids = sorted(ids)
    return [sorted_ids[start : start + BY_ID] for start in range(0, len(sorted_ids), BY_ID)]


# Copying rows to `unread_by_user`


def copy_some(db: Db, newest: int, *, count: int = 1) -> None:
    """After `count` new messages, copy rows of the next users; begins a pass if enough messages wait."""
    indexed, goal, next_user = _progress(db)
    if not next_user:
        if newest - indexed < BATCH:
            return
        goal = newest
        _add_places(db, indexed, goal)
    end = _copy(db, _Progress(indexed, goal, next_user), count)
    _set_progress(db, goal if end is None else indexed, goal, end or 0)


def _add_places(db: Db, after: int, until: int) -> None:
    db.run(
        "INSERT INTO message_place (message_id, place) SELECT id, coalesce(topic_id, -conversation_id)"
        " FROM message WHERE id > ? AND id <= ? ORDER BY id",
        after,
        until,
    )


def _copy(db: Db, progress: _Progress, count: int) -> UserId | None:
    """Copy `count` slices, fewer if these are many rows; returns the next user, None after the last one."""
    indexed, goal, next_user = progress
    step = max(1, MOST // (goal - indexed))
    people: int = db.value("SELECT count(*) FROM user")
    left = count * max(people // PASS + 1, SLICE // (goal - indexed))
    if people <= min(left, step) or not _has_more_rows(db, progress, min(count * SLICE, MOST)):
        _copy_of_users(db, progress, None)
        return None
    rows = 0
    while left > 0 and rows < MOST:
        end: UserId | None = db.value(
            "SELECT id FROM user WHERE id >= ? ORDER BY id LIMIT 1 OFFSET ?",
            next_user,
            min(step, left),
        )
        rows += _copy_of_users(db, progress._replace(next_user=next_user), end)
        if end is None:
            return None
        next_user, left = end, left - step
    return UserId(next_user)


def _has_more_rows(db: Db, progress: _Progress, most: int) -> bool:
    """Whether more rows than these are to be copied."""
    waiting: int = db.value(
        f"SELECT count(*) FROM (SELECT 1 FROM {_WAITING} LIMIT ?)",
        *(progress.next_user, progress.indexed, progress.goal, most + 1),
    )
    return waiting > most


def _copy_of_users(db: Db, progress: _Progress, end: UserId | None) -> int:
    """Copy the rows from the next user to the one before `end`, or to the last one; returns their number."""
    indexed, goal, next_user = progress
    below = "" if end is None else " AND unread.user_id < ?"
    return db.run(
        "INSERT OR IGNORE INTO unread_by_user (user_id, message_id)"
        f" SELECT unread.user_id, message.id FROM {_WAITING}{below} ORDER BY 1, 2",
        *(next_user, indexed, goal),
        *([] if end is None else [end]),
    )


def _set_progress(db: Db, indexed: int, goal: int, next_user: int) -> None:
    db.run(
        "UPDATE unread_index_progress SET indexed = ?, goal = ?, next_user = ?",
        indexed,
        goal,
        next_user,
    )


# Checking and repairing the lists by user


def count_wrong(db: Db) -> int:
    """Return the number of rows that `unread_by_user` and `message_place` lack, or should not have."""
    return sum(
        db.column(
            "SELECT count(*) FROM unread CROSS JOIN unread_index_progress"
            f" WHERE {_IS_LISTED.format('unread')} AND NOT EXISTS (SELECT 1 FROM unread_by_user AS listed"
            " WHERE listed.user_id = unread.user_id AND listed.message_id = unread.message_id)"
            " UNION ALL SELECT count(*) FROM unread_by_user AS listed CROSS JOIN unread_index_progress"
            f" WHERE NOT ({_IS_LISTED.format('listed')} AND EXISTS (SELECT 1 FROM unread"
            " WHERE unread.message_id = listed.message_id AND unread.user_id = listed.user_id))"
            " AND listed.message_id NOT IN (SELECT message_id FROM outdated_unread)"
            " UNION ALL SELECT count(*) FROM message CROSS JOIN unread_index_progress"
            " LEFT JOIN message_place ON message_place.message_id = message.id WHERE message.id <= goal"
            " AND message_place.place IS NOT coalesce(message.topic_id, -message.conversation_id)"
            " UNION ALL SELECT count(*) FROM message_place CROSS JOIN unread_index_progress"
            " WHERE message_id > goal"
            " UNION ALL SELECT count(*) <> 1 FROM unread_index_progress"
        )
    )


def rebuild_by_user(db: Db) -> None:
    """Fill `unread_by_user` and `message_place` anew, with the rows of all messages."""
    db.run("DELETE FROM unread_by_user")
    db.run("DELETE FROM message_place")
    db.run("DELETE FROM outdated_unread")
    db.run("INSERT INTO unread_by_user SELECT user_id, message_id FROM unread ORDER BY 1, 2")
    db.run("DELETE FROM unread_index_progress")
    newest: int = db.value("SELECT ifnull(max(id), 0) FROM message")
    _add_places(db, 0, newest)
    db.run(
        "INSERT INTO unread_index_progress (indexed, goal, next_user) VALUES (?, ?, 0)",
        newest,
        newest,
    )


# Changes


def add(db: Db, message_id: MessageId, user_ids: Iterable[UserId]) -> None:
    """Mark a message as unread for these users."""
    ids = sorted(user_ids)
    _insert(db, message_id, ids)
    progress = _progress(db)
    if message_id <= progress.goal:
        listed = [one for one in ids if message_id <= progress.listed_until(one)]
        db.many(
            "INSERT OR IGNORE INTO unread_by_user (user_id, message_id) VALUES (?, ?)",
            [(user_id, message_id) for user_id in listed],
        )


def _insert(db: Db, message_id: int, user_ids: Sequence[UserId]) -> None:
    db.many(
        "INSERT OR IGNORE INTO unread (message_id, user_id) VALUES (?, ?)",
        [(message_id, user_id) for user_id in user_ids],
    )


def add_to_subscribers(
    db: Db, message_id: MessageId, channel_id: ChannelId, *, but: Collection[UserId]
) -> None:
    """Mark a new message as unread for all active subscribers except `but`.

    One statement for all: OR IGNORE spares SQLite the journal of a statement that may fail half way.
    """
    db.run(
        "INSERT OR IGNORE INTO unread (message_id, user_id) SELECT ?, user_id FROM subscription"
        " CROSS JOIN user ON user.id = user_id AND is_active"  # not IN: it lists all users first
        f" WHERE channel_id = ? AND active AND user_id NOT IN ({placeholders(but)})",
        message_id,
        channel_id,
        *but,
    )


def add_of_user(db: Db, user_id: UserId, ids: Sequence[int]) -> None:
    """Mark messages as unread for a user."""
    db.many(
        "INSERT OR IGNORE INTO unread (message_id, user_id) VALUES (?, ?)",
        [(message_id, user_id) for message_id in ids],
    )
    until = indexed_until(db, user_id)
    db.many(
        "INSERT OR IGNORE INTO unread_by_user (user_id, message_id) VALUES (?, ?)",
        [(user_id, message_id) for message_id in ids if message_id <= until],
    )


def move(db: Db, ids: Collection[int], topic_id: TopicId) -> None:
    """Store where messages are that have moved to a topic; whose they are does not change."""
    goal = _progress(db).goal
    db.many(
        "UPDATE message_place SET place = ? WHERE message_id = ?",
        [(topic_id, message_id) for message_id in ids if message_id <= goal],
    )


def remove(db: Db, user_ids: Collection[UserId], ids: Collection[int]) -> None:
    """Mark messages as read for these users."""
    if len(user_ids) > outdated_rows.FEW:
        _remove_of_many(db, frozenset(user_ids), ids)
        return
    goal = _progress(db).goal
    db.many(
        "DELETE FROM unread WHERE message_id = ? AND user_id = ?",
        [(message_id, user_id) for message_id in ids for user_id in user_ids],
    )
    db.many(
        "DELETE FROM unread_by_user WHERE user_id = ? AND message_id = ?",
        [(user_id, message_id) for user_id in user_ids for message_id in ids if message_id <= goal],
    )


def _remove_of_many(db: Db, user_ids: frozenset[UserId], ids: Collection[int]) -> None:
    few: list[int] = []
    for message_id in ids:
        having = users_of(db, message_id)
        kept = having - user_ids
        if len(having) <= outdated_rows.FEW or 2 * len(kept) > len(having):
            few.append(message_id)
            continue
        # All rows together, and then the few that stay: a third of the time that finding each of them takes.
        _remove_where(db, [message_id], "TRUE")
        _insert(db, message_id, sorted(kept))
    of_users = "user_id IN (SELECT value FROM json_each(?))"
    _remove_where(db, few, of_users, orjson.dumps(sorted(user_ids)).decode())


def remove_of_each(db: Db, ids_by_user: Mapping[UserId, Collection[int]]) -> None:
    """Mark messages as read, other ones for each user."""
    goal = _progress(db).goal
    pairs = [(user_id, one) for user_id, ids in ids_by_user.items() for one in ids]
    db.many("DELETE FROM unread WHERE user_id = ? AND message_id = ?", pairs)
    db.many(
        "DELETE FROM unread_by_user WHERE user_id = ? AND message_id = ?",
        [pair for pair in pairs if pair[1] <= goal],
    )


def remove_outside(db: Db, ids: Collection[int], channel_id: ChannelId) -> None:
    """Mark messages as read for the users of `outside`."""
    _remove_where(db, ids, _OUTSIDE, channel_id, channel_id, channel_id)


def remove_messages(db: Db, ids: Collection[int]) -> None:
    """Delete the rows of these messages, which are about to be deleted."""
    _remove_where(db, ids, "TRUE")


def _remove_where(db: Db, ids: Collection[int], condition: str, *values: SqlValue) -> None:
    """Delete the rows of messages and of users that match a condition over `user_id`."""
    goal = _progress(db).goal
    listed = [message_id for message_id in ids if message_id <= goal]
    many = [
        one
        for one in listed
        if count_of_message(db, one, most=outdated_rows.FEW + 1) > outdated_rows.FEW
    ]
    outdated_rows.note_unread(db, many)
    few = set(listed).difference(many)
    for part in parts(few):
        db.run(
            "DELETE FROM unread_by_user WHERE (user_id, message_id) IN (SELECT user_id, message_id FROM unread"
            f" WHERE message_id IN ({placeholders(part)}) AND {condition})",
            *part,
            *values,
        )
    for part in parts(ids):
        db.run(
            f"DELETE FROM unread WHERE message_id IN ({placeholders(part)}) AND {condition}",
            *part,
            *values,
        )


def remove_until(db: Db, user_id: UserId, until: int) -> None:
    """Mark all messages up to this one as read for a user."""
    db.run(
        "DELETE FROM unread WHERE user_id = ?1 AND message_id IN"
        " (SELECT message_id FROM unread_by_user WHERE user_id = ?1 AND message_id <= ?2"
        " UNION ALL SELECT id FROM message WHERE id > ?3 AND id <= ?2)",
        user_id,
        until,
        indexed_until(db, user_id),
    )
    db.run("DELETE FROM unread_by_user WHERE user_id = ? AND message_id <= ?", user_id, until)


# Unread messages by message


def users_of(db: Db, message_id: int) -> frozenset[UserId]:
    """Return users who have not read a message."""
    text: str = db.value(  # thousands are read faster as an array
        "SELECT json_group_array(user_id) FROM unread WHERE message_id = ?", message_id
    )
    return frozenset(orjson.loads(text))


def count_of_message(db: Db, message_id: int, *, most: int) -> int:
    """Return the number of users who have not read a message, counted up to `most`."""
    number: int = db.value(
        "SELECT count(*) FROM (SELECT 1 FROM unread WHERE message_id = ? LIMIT ?)", message_id, most
    )
    return number


def among(db: Db, user_id: UserId, ids: Collection[int]) -> set[int]:
    """Return which of the messages are unread for the user."""
    sorted_ids = sorted(ids)
    listed = bisect_right(sorted_ids, indexed_until(db, user_id))
    unread = _waiting_among(db, user_id, sorted_ids[listed:])
    if listed:
        unread.update(_listed_among(db, user_id, sorted_ids[:listed]))
    return unread


def _listed_among(db: Db, user_id: UserId, ids: Sequence[int]) -> set[int]:
    counts = outdated_rows.unread_counts(db, "listed")
    rows = "unread_by_user AS listed WHERE user_id = ? AND message_id"
    if ids[-1] - ids[0] < DENSE * len(ids):
        # One array: looking up each of them takes ten times as long.
        text: str = db.value(
            f"SELECT json_group_array(message_id) FROM {rows} BETWEEN ? AND ?{counts}",
            *(user_id, ids[0], ids[-1]),
        )
        return set(orjson.loads(text)).intersection(ids)
    unread: set[int] = set()
    for part in parts(ids):
        sql = f"SELECT message_id FROM {rows} IN ({placeholders(part)}){counts}"
        unread.update(db.column(sql, user_id, *part))
    return unread


def _waiting_among(db: Db, user_id: UserId, ids: Sequence[int]) -> set[int]:
    unread: set[int] = set()
    for part in parts(ids):
        sql = f"SELECT message_id FROM unread WHERE user_id = ? AND message_id IN ({placeholders(part)})"
        unread.update(db.column(sql, user_id, *part))
    return unread


def outside(
    db: Db, ids: Collection[int], channel_id: ChannelId
) -> list[tuple[list[UserId], list[int]]]:
    """Return unread messages of users who are not subscribed to the channel, or were not when its history is protected.

    Users who have the same of these messages unread are together.
    """
    ids_by_users: defaultdict[str, list[int]] = defaultdict(list)
    for message_id, user_ids in db.rows(
        "SELECT message_id, json_group_array(user_id) FROM unread"
        f" WHERE message_id IN (SELECT value FROM json_each(?)) AND {_OUTSIDE} GROUP BY message_id",
        orjson.dumps(sorted(ids)).decode(),
        *[channel_id] * 3,
    ):
        ids_by_users[user_ids].append(message_id)
    if len(ids_by_users) < 2:  # as is usual
        return [(orjson.loads(users), theirs) for users, theirs in ids_by_users.items()]
    ids_by_user: defaultdict[UserId, list[int]] = defaultdict(list)
    for users, theirs in ids_by_users.items():
        for user_id in orjson.loads(users):
            ids_by_user[user_id] += theirs
    users_by_ids: defaultdict[tuple[int, ...], list[UserId]] = defaultdict(list)
    for user_id, theirs in ids_by_user.items():
        users_by_ids[tuple(sorted(theirs))].append(user_id)
    return [(users, [*theirs]) for theirs, users in users_by_ids.items()]


# Unread messages of one user: first those that are listed by user, then the few that wait


def _waiting(db: Db, user_id: UserId) -> list[int]:
    return db.column(
        f"SELECT message.id FROM {WAITING_OF_USER} ORDER BY message.id",
        user_id,
        indexed_until(db, user_id),
    )


def next_where(
    db: Db, user_id: UserId, condition: str, value: int, *, above: int, limit: int
) -> tuple[list[int], int | None]:
    """Return the matching ones of the next `limit` unread messages; and the last ID, None at the end."""
    rows = db.rows(
        f"SELECT next.message_id, message.{condition} FROM (SELECT message_id FROM unread_by_user AS listed"
        f" WHERE user_id = ? AND message_id > ?{outdated_rows.unread_counts(db, 'listed')}"
        " ORDER BY message_id LIMIT ?) AS next"
        " CROSS JOIN message ON message.id = next.message_id",
        value,
        user_id,
        above,
        limit,
    )
    rows += db.rows(
        f"SELECT message.id, message.{condition} FROM {WAITING_OF_USER} ORDER BY message.id LIMIT ?",
        value,
        user_id,
        max(above, indexed_until(db, user_id)),
        limit - len(rows),
    )
    message_ids = sorted(message_id for message_id, is_meant in rows if is_meant)
    return message_ids, max(row[0] for row in rows) if len(rows) == limit else None


def oldest(db: Db, user_id: UserId, limit: int) -> list[int]:
    """Return a user's oldest unread messages, ascending."""
    ids: list[int] = db.column(
        "SELECT message_id FROM unread_by_user AS listed WHERE user_id = ?"
        f"{outdated_rows.unread_counts(db, 'listed')} ORDER BY message_id LIMIT ?",
        user_id,
        limit,
    )
    return ids if len(ids) == limit else [*ids, *_waiting(db, user_id)][:limit]


def newest_beyond(db: Db, user_id: UserId, number: int) -> MessageId | None:
    """Return the newest unread message beyond the newest `number`; None if there are no more."""
    waiting = _waiting(db, user_id)
    if number < len(waiting):
        return MessageId(waiting[-number - 1])
    newest: MessageId | None = db.value(
        "SELECT message_id FROM unread_by_user AS listed WHERE user_id = ?"
        f"{outdated_rows.unread_counts(db, 'listed')} ORDER BY message_id DESC LIMIT 1 OFFSET ?",
        user_id,
        number - len(waiting),
    )
    return newest
