"""The operators `is`, `in` and `has`: a message's state for a user, and its contents. Reads only."""

from typing import Final

from server_lite.errors import BadNarrow
from server_lite.events.messages import RESOLVED_PREFIX
from server_lite.narrow.clauses import EVERYTHING, Clause, DrivingIndex
from server_lite.narrow.terms import Term
from server_lite.store import flags, outdated_rows, shared_flags, unread_messages
from server_lite.store.connection import Db, placeholders
from server_lite.store.users import UserRow

OWN_FLAGS: Final = "flag AS marked"
"""Flags that users set themselves."""
FLAGS_OF_TEXTS: Final = f"{shared_flags.ANY_FLAG} AS marked"
"""Flags that texts give: SQLite merges the rows of both tables, by ID."""


def among_topics(ids: list[int]) -> Clause:
    """Match messages of some topics, in any channel."""
    if len(ids) == 1:
        return Clause(sql="message.topic_id = ?", values=[*ids])
    return Clause(sql=f"message.topic_id IN ({placeholders(ids)})", values=[*ids])


def is_state(db: Db, user: UserRow, term: Term) -> Clause:
    """Match `is:`: direct, unread, with a flag, or in a topic of some kind."""
    operand = term.operand
    if operand in ("dm", "private"):
        return Clause(sql="message.channel_id IS NULL")
    if operand == "unread":
        return _unread(db, user)
    if operand == "starred":
        return _flag(user, "starred", OWN_FLAGS)
    if operand == "alerted":
        return _flag(user, flags.ALERT, FLAGS_OF_TEXTS)
    if operand == "mentioned":
        return Clause(
            sql=f"message.id IN (SELECT message_id FROM {shared_flags.ANY_FLAG} AS any_flag"
            " WHERE user_id = ? AND flag IN (?, ?, ?))",
            values=[user.id, *flags.MENTIONS],
        )
    if operand == "resolved":
        return Clause(
            sql="message.topic_id IN (SELECT id FROM topic WHERE substr(name, 1, 2) = ?)",
            values=[RESOLVED_PREFIX],
        )
    if operand == "followed":
        return among_topics(_topics_with_policy(db, user, 3))
    if operand == "muted":
        return _muted(db, user)
    raise BadNarrow(f"unknown 'is' operand {operand}")


def _unread(db: Db, user: UserRow) -> Clause:
    return Clause(
        sql="EXISTS (SELECT 1 FROM unread WHERE unread.user_id = ?"
        " AND unread.message_id = message.id)",
        values=[user.id],
        start=DrivingIndex(
            table="unread_by_user",
            key="unread_by_user.message_id",
            condition="unread_by_user.user_id = ?"
            f"{outdated_rows.unread_counts(db, 'unread_by_user')}",
            values=[user.id],
            until=unread_messages.indexed_until(db, user.id),
        ),
    )


def _flag(user: UserRow, name: str, table: str) -> Clause:
    return Clause(
        sql=f"EXISTS (SELECT 1 FROM {table} WHERE marked.user_id = ? AND marked.flag = ?"
        " AND marked.message_id = message.id)",
        values=[user.id, name],
        start=DrivingIndex(
            table=table,
            key="marked.message_id",
            condition="marked.user_id = ? AND marked.flag = ?",
            values=[user.id, name],
        ),
    )


def _topics_with_policy(db: Db, user: UserRow, *policies: int) -> list[int]:
    return db.column(
        "SELECT topic.id FROM user_topic JOIN topic ON topic.channel_id = user_topic.channel_id"
        " AND topic.name_key = user_topic.name_key WHERE user_topic.user_id = ?"
        f" AND user_topic.visibility_policy IN ({placeholders(policies)})",
        user.id,
        *policies,
    )


def _muted(db: Db, user: UserRow) -> Clause:
    muted = _topics_with_policy(db, user, 1)
    unmuted_topics = _topics_with_policy(db, user, 2, 3)
    return Clause(
        sql=f"(message.topic_id IN ({placeholders(muted)}) OR (message.channel_id IN"
        " (SELECT channel_id FROM subscription WHERE user_id = ? AND active AND is_muted)"
        f" AND message.topic_id NOT IN ({placeholders(unmuted_topics)})))",
        values=[*muted, user.id, *unmuted_topics],
    )


def in_view(db: Db, user: UserRow, term: Term) -> Clause:
    """Match `in:home`, which is everything unmuted, or `in:all`."""
    if term.operand == "all":
        return EVERYTHING
    if term.operand == "home":
        muted = _muted(db, user)
        return Clause(sql=f"NOT ifnull({muted.sql}, 0)", values=muted.values)
    raise BadNarrow(f"unknown 'in' operand {term.operand}")


def has_part(db: Db, user: UserRow, term: Term) -> Clause:
    """Match `has:`: a link, an image, an attachment, a reaction."""
    condition = _HAS.get(str(term.operand).removesuffix("s"))
    if condition is None:
        raise BadNarrow(f"unknown 'has' operand {term.operand}")
    return Clause(sql=condition)


_HAS: Final = {
    "link": "message.has_link",
    "image": "message.has_image",
    "attachment": "message.has_attachment",
    "reaction": "EXISTS (SELECT 1 FROM reaction WHERE reaction.message_id = message.id)",
}
