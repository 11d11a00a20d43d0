"""What each operator of a narrow means, as a condition over the table `message`. Reads only."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from server_lite.access.addressing import people_named
from server_lite.access.channels import access_channel_by_id, access_channel_by_name
from server_lite.errors import ApiError, BadNarrow
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.events.messages import RESOLVED_PREFIX
from server_lite.narrow.search import Sought, sought
from server_lite.narrow.terms import Term
from server_lite.store import conversations, flags, topics
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db, marks
from server_lite.store.users import UserRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A table in which SQLite can begin, in the order of ids, instead of in `message`."""

    table: str
    key: str
    """Its column with the message's id."""
    condition: str
    values: list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One term as SQL. It may be NULL, which is no match."""

    sql: str
    values: list[Any] = field(default_factory=list)
    start: Start | None = None
    """The same, where SQLite could begin; the best of all the terms' is taken."""
    words: tuple[Sought, ...] = ()
    """What to mark in the matches."""


NOTHING: Final = Clause(sql="0")
EVERYTHING: Final = Clause(sql="1")
Compile = Callable[[Db, UserRow, Term], Clause]


def compiled(db: Db, user: UserRow, term: Term) -> Clause:
    """A term, without its negation; raises BadNarrow. Channel and topic are `place`'s."""
    operator = _OPERATORS.get(term.operator)
    if operator is None:
        raise BadNarrow(f"unknown operator {term.operator}")
    return operator(db, user, term)


# Where


def channel_of(db: Db, user: UserRow, term: Term) -> ChannelRow:
    """The channel that a term names by id or name; raises BadNarrow."""
    named = term.operand
    try:
        if isinstance(named, int):
            return access_channel_by_id(db, user, named, wants="content")
        if isinstance(named, str):
            try:
                return access_channel_by_name(db, user, named, wants="content")
            except ApiError:
                if not named.isdecimal() or len(named) > 18:
                    raise
                return access_channel_by_id(db, user, int(named), wants="content")
    except ApiError as error:
        raise BadNarrow(f"unknown channel {named}") from error
    raise BadNarrow("channel must be a name or an ID")


def _channel(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.channel_id = ?", values=[channel_of(db, user, term).id])


def topic_name(term: Term) -> str:
    """The topic that a term names; the name for old clients means the empty one."""
    if not isinstance(term.operand, str):
        raise BadNarrow("topic must be a string")
    return "" if term.operand == EMPTY_TOPIC_DISPLAY_NAME else term.operand


def topic_in(db: Db, channel: ChannelRow, name: str) -> Clause:
    """One topic of one channel."""
    topic = topics.by_name(db, channel.id, name)
    return NOTHING if topic is None else Clause(sql="message.topic_id = ?", values=[topic.id])


def _topic(db: Db, user: UserRow, term: Term) -> Clause:
    key = topics.name_key(topic_name(term))
    return _among_topics(db.column("SELECT id FROM topic WHERE name_key = ?", key))


def _among_topics(ids: list[int]) -> Clause:
    if len(ids) == 1:
        return Clause(sql="message.topic_id = ?", values=ids)
    return Clause(sql=f"message.topic_id IN ({marks(ids)})", values=ids)


def _channels(db: Db, user: UserRow, term: Term) -> Clause:
    condition = _CHANNELS.get(str(term.operand))
    if condition is None:
        raise BadNarrow(f"unknown channels operand {term.operand}")
    return Clause(sql=f"message.channel_id IN (SELECT id FROM channel WHERE {condition})")


_CHANNELS: Final = {
    "public": "NOT invite_only",
    "web-public": "is_web_public",
    "archived": "is_archived",
}


def _dm(db: Db, user: UserRow, term: Term) -> Clause:
    people = _people(db, term, f"unknown user in {_shown(term)}")
    conversation = conversations.between(db, {user.id, *(person.id for person in people)})
    if conversation is None:
        return NOTHING
    return Clause(sql="message.conversation_id = ?", values=[conversation.id])


def _dm_including(db: Db, user: UserRow, term: Term) -> Clause:
    return _conversations_with(db, user, term, "1")


def _group_with(db: Db, user: UserRow, term: Term) -> Clause:
    return _conversations_with(db, user, term, "conversation.members LIKE '%,%,%'")


def _conversations_with(db: Db, user: UserRow, term: Term, which: str) -> Clause:
    people = {person.id for person in _people(db, term, f"unknown user {_shown(term)}")} | {user.id}
    member = (
        "id IN (SELECT conversation_member.conversation_id FROM conversation_member"
        " WHERE conversation_member.user_id = ?)"
    )
    every = " AND ".join(member for _ in people)
    return Clause(
        sql=f"message.conversation_id IN (SELECT id FROM conversation WHERE {which} AND {every})",
        values=sorted(people),
    )


# Who


def _people(db: Db, term: Term, complaint: str) -> list[UserRow]:
    operand: Any = term.operand
    if isinstance(operand, str) and operand.isdecimal() and len(operand) < 19:
        operand = int(operand)
    try:
        return people_named(db, operand)
    except ApiError as error:
        raise BadNarrow(complaint) from error


def _person(db: Db, term: Term) -> UserRow:
    people = _people(db, term, f"unknown user {_shown(term)}")
    if len(people) != 1:
        raise BadNarrow(f"{term.operator} takes one user")
    return people[0]


def _shown(term: Term) -> str:
    return str(term.operand)


def _sender(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.sender_id = ?", values=[_person(db, term).id])


def _mentions(db: Db, user: UserRow, term: Term) -> Clause:
    tag = f'<span class="user-mention" data-user-id="{_person(db, term).id}">'
    return Clause(sql="instr(message.rendered, ?) > 0", values=[tag])


# What


def _is(db: Db, user: UserRow, term: Term) -> Clause:
    operand = term.operand
    if operand in ("dm", "private"):
        return Clause(sql="message.channel_id IS NULL")
    if operand == "unread":
        return _unread(user)
    if operand == "starred":
        return _flag(user, "starred")
    if operand == "alerted":
        return _flag(user, flags.ALERT)
    if operand == "mentioned":
        return Clause(
            sql="message.id IN (SELECT message_id FROM flag WHERE user_id = ? AND flag IN (?, ?, ?))",
            values=[user.id, *flags.MENTIONS],
        )
    if operand == "resolved":
        return Clause(
            sql="message.topic_id IN (SELECT id FROM topic WHERE substr(name, 1, 2) = ?)",
            values=[RESOLVED_PREFIX],
        )
    if operand == "followed":
        return _among_topics(_topics_with_policy(db, user, 3))
    if operand == "muted":
        return _muted(db, user)
    raise BadNarrow(f"unknown 'is' operand {operand}")


def _unread(user: UserRow) -> Clause:
    return Clause(
        sql="EXISTS (SELECT 1 FROM unread WHERE unread.user_id = ?"
        " AND unread.message_id = message.id)",
        values=[user.id],
        start=Start(
            table="unread",
            key="unread.message_id",
            condition="unread.user_id = ?",
            values=[user.id],
        ),
    )


def _flag(user: UserRow, name: str) -> Clause:
    return Clause(
        sql="EXISTS (SELECT 1 FROM flag WHERE flag.user_id = ? AND flag.flag = ?"
        " AND flag.message_id = message.id)",
        values=[user.id, name],
        start=Start(
            table="flag AS marked",
            key="marked.message_id",
            condition="marked.user_id = ? AND marked.flag = ?",
            values=[user.id, name],
        ),
    )


def _topics_with_policy(db: Db, user: UserRow, *policies: int) -> list[int]:
    return db.column(
        "SELECT topic.id FROM user_topic JOIN topic ON topic.channel_id = user_topic.channel_id"
        " AND topic.name_key = user_topic.name_key WHERE user_topic.user_id = ?"
        f" AND user_topic.visibility_policy IN ({marks(policies)})",
        user.id,
        *policies,
    )


def _muted(db: Db, user: UserRow) -> Clause:
    muted = _topics_with_policy(db, user, 1)
    loud = _topics_with_policy(db, user, 2, 3)
    return Clause(
        sql=f"(message.topic_id IN ({marks(muted)}) OR (message.channel_id IN"
        " (SELECT channel_id FROM subscription WHERE user_id = ? AND active AND is_muted)"
        f" AND message.topic_id NOT IN ({marks(loud)})))",
        values=[*muted, user.id, *loud],
    )


def _in(db: Db, user: UserRow, term: Term) -> Clause:
    if term.operand == "all":
        return EVERYTHING
    if term.operand == "home":
        muted = _muted(db, user)
        return Clause(sql=f"NOT ifnull({muted.sql}, 0)", values=muted.values)
    raise BadNarrow(f"unknown 'in' operand {term.operand}")


def _has(db: Db, user: UserRow, term: Term) -> Clause:
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


def _id(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.id = ?", values=[message_id(term)])


def message_id(term: Term) -> int:
    """The message that a term names; raises BadNarrow."""
    operand = term.operand
    if isinstance(operand, int):
        return operand
    if isinstance(operand, str) and operand.isdecimal() and len(operand) < 19:
        return int(operand)
    raise BadNarrow(f"invalid message ID {operand}")


def _near(db: Db, user: UserRow, term: Term) -> Clause:
    return EVERYTHING  # where to look, not what for: clients make it the anchor


def _search(db: Db, user: UserRow, term: Term) -> Clause:
    if not isinstance(term.operand, str):
        raise BadNarrow("search must be a string")
    words = tuple(sought(term.operand))
    indexed = " AND ".join(one.fts for one in words if one.words)
    # What has no letters is in no index: it is looked for in the text itself.
    signs = [one.text for one in words if not one.words]
    parts = ["instr(message.plain, ?) > 0"] * len(signs)
    start = None
    if indexed:
        parts.append(
            "message.id IN (SELECT message_text.rowid FROM message_text WHERE message_text MATCH ?)"
        )
        if not signs:
            start = Start(
                table="message_text",
                key="message_text.rowid",
                condition="message_text MATCH ?",
                values=[indexed],
            )
    if not parts:
        return EVERYTHING
    return Clause(
        sql=f"({' AND '.join(parts)})",
        values=[*signs, *([indexed] if indexed else [])],
        start=start,
        words=words,
    )


_OPERATORS: Final[dict[str, Compile]] = {
    "channel": _channel,
    "channels": _channels,
    "topic": _topic,
    "dm": _dm,
    "dm-including": _dm_including,
    "group-pm-with": _group_with,
    "sender": _sender,
    "mentions": _mentions,
    "is": _is,
    "in": _in,
    "has": _has,
    "id": _id,
    "near": _near,
    "search": _search,
}
