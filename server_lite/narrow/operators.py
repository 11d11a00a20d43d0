"""Each operator of a narrow as a condition over the table `message`. Reads only."""

from collections.abc import Callable
from typing import Final

from server_lite.access.channels import access_channel_by_id, access_channel_by_name
from server_lite.access.recipients import people_named
from server_lite.errors import ApiError, BadNarrow
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.ids import ChannelId, MessageId
from server_lite.narrow.clauses import EVERYTHING, NOTHING, Clause, DrivingIndex
from server_lite.narrow.is_has_operators import among_topics, has_part, in_view, is_state
from server_lite.narrow.search import parse_search
from server_lite.narrow.terms import Term
from server_lite.store import conversations, search_index, topics
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

Compile = Callable[[Db, UserRow, Term], Clause]


def compiled(db: Db, user: UserRow, term: Term) -> Clause:
    """Return a term's clause, without its negation; raises BadNarrow. Channel and topic are `query`'s."""
    operator = _OPERATORS.get(term.operator)
    if operator is None:
        raise BadNarrow(f"unknown operator {term.operator}")
    return operator(db, user, term)


# Channels and topics


def channel_of(db: Db, user: UserRow, term: Term) -> ChannelRow:
    """Return the channel that a term names by ID or name; raises BadNarrow."""
    named = term.operand
    try:
        if isinstance(named, int):
            return access_channel_by_id(db, user, ChannelId(named), wants="content")
        if isinstance(named, str):
            try:
                return access_channel_by_name(db, user, named, wants="content")
            except ApiError:
                if not named.isdecimal() or len(named) > 18:
                    raise
                return access_channel_by_id(db, user, ChannelId(int(named)), wants="content")
    except ApiError as error:
        raise BadNarrow(f"unknown channel {named}") from error
    raise BadNarrow("channel must be a name or an ID")


def _channel(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.channel_id = ?", values=[channel_of(db, user, term).id])


def topic_name(term: Term) -> str:
    """Return the topic that a term names; the placeholder of old clients means the empty topic."""
    if not isinstance(term.operand, str):
        raise BadNarrow("topic must be a string")
    return "" if term.operand == EMPTY_TOPIC_DISPLAY_NAME else term.operand


def topic_in(db: Db, channel: ChannelRow, name: str) -> Clause:
    """Match one topic of one channel."""
    topic = topics.by_name(db, channel.id, name)
    return NOTHING if topic is None else Clause(sql="message.topic_id = ?", values=[topic.id])


def _topic(db: Db, user: UserRow, term: Term) -> Clause:
    key = topics.name_key(topic_name(term))
    return among_topics(db.column("SELECT id FROM topic WHERE name_key = ?", key))


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
    people = _people(db, user, term, f"unknown user in {_shown(term)}")
    conversation = conversations.between(db, {user.id, *(person.id for person in people)})
    if conversation is None:
        return NOTHING
    return Clause(sql="message.conversation_id = ?", values=[conversation.id])


def _dm_including(db: Db, user: UserRow, term: Term) -> Clause:
    return _conversations_with(db, user, term, "1")


def _group_with(db: Db, user: UserRow, term: Term) -> Clause:
    return _conversations_with(db, user, term, "conversation.members LIKE '%,%,%'")


def _conversations_with(db: Db, user: UserRow, term: Term, which: str) -> Clause:
    people = {person.id for person in _people(db, user, term, f"unknown user {_shown(term)}")} | {
        user.id
    }
    member = (
        "id IN (SELECT conversation_member.conversation_id FROM conversation_member"
        " WHERE conversation_member.user_id = ?)"
    )
    every = " AND ".join(member for _ in people)
    return Clause(
        sql=f"message.conversation_id IN (SELECT id FROM conversation WHERE {which} AND {every})",
        values=[*sorted(people)],
    )


# People


def _people(db: Db, user: UserRow, term: Term, complaint: str) -> list[UserRow]:
    operand: object = term.operand
    if isinstance(operand, str) and operand.isdecimal() and len(operand) < 19:
        operand = int(operand)
    try:
        return people_named(db, user, operand)
    except ApiError as error:
        raise BadNarrow(complaint) from error


def _person(db: Db, user: UserRow, term: Term) -> UserRow:
    people = _people(db, user, term, f"unknown user {_shown(term)}")
    if len(people) != 1:
        raise BadNarrow(f"{term.operator} takes one user")
    return people[0]


def _shown(term: Term) -> str:
    return str(term.operand)


def _sender(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.sender_id = ?", values=[_person(db, user, term).id])


def _mentions(db: Db, user: UserRow, term: Term) -> Clause:
    tag = f'<span class="user-mention" data-user-id="{_person(db, user, term).id}">'
    return Clause(sql="instr(message.rendered, ?) > 0", values=[tag])


def _id(db: Db, user: UserRow, term: Term) -> Clause:
    return Clause(sql="message.id = ?", values=[message_id(term)])


def message_id(term: Term) -> MessageId:
    """Return the message that a term names; raises BadNarrow."""
    operand = term.operand
    if isinstance(operand, int):
        return MessageId(operand)
    if isinstance(operand, str) and operand.isdecimal() and len(operand) < 19:
        return MessageId(int(operand))
    raise BadNarrow(f"invalid message ID {operand}")


def _near(db: Db, user: UserRow, term: Term) -> Clause:
    return EVERYTHING  # it locates, and does not filter: clients use it as the anchor


def _search(db: Db, user: UserRow, term: Term) -> Clause:
    if not isinstance(term.operand, str):
        raise BadNarrow("search must be a string")
    if not term.operand:
        raise BadNarrow("operand cannot be blank.")
    search_terms = tuple(parse_search(term.operand))
    indexed = " AND ".join(one.fts for one in search_terms if one.words)
    # Terms without letters are not indexed: they are searched in the text itself.
    signs = [one.text for one in search_terms if not one.words]
    parts = ["instr(message.plain, ?) > 0"] * len(signs)
    start = None
    if indexed:
        search_index.require(db)
        parts.append(
            "message.id IN (SELECT message_text.rowid FROM message_text WHERE message_text MATCH ?)"
        )
        if not signs:
            start = DrivingIndex(
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
        search_terms=search_terms,
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
    "is": is_state,
    "in": in_view,
    "has": has_part,
    "id": _id,
    "near": _near,
    "search": _search,
}
