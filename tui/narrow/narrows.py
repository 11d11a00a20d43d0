"""The narrows that the client can show: a closed set of frozen types. No I/O, no clock."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.model import ChannelId, Message, MessageId, UserId
from tui.dataclass import dataclass
from tui.errors import BadNarrow
from tui.narrow.terms import Term, same_topic


class _Narrow:
    """The operations of all narrows, by their terms, all of which have to match."""

    __slots__ = ()

    def terms(self) -> tuple[Term, ...]:
        raise NotImplementedError

    def to_api(self) -> list[dict[str, object]]:
        """Return the narrow for the API."""
        return [term.to_api() for term in self.terms()]

    def contains(self, message: Message) -> bool | None:
        """Whether the message belongs to the narrow; None if only the server can decide."""
        terms = self.terms()
        # `with` stands for the conversation that a message is in now, whatever the other terms are.
        places = _PLACES if any(term.operator == "with" for term in terms) else ()
        answers = [term.matches(message) for term in terms if term.operator not in places]
        if False in answers:
            return False
        if None in answers or (_perhaps_elsewhere(message) and not any(map(_has_whole, terms))):
            return None
        return True


_PLACES = ("channel", "topic", "dm")


def _perhaps_elsewhere(message: Message) -> bool:
    """Whether the message may be outside of the user's own history.

    An earlier message belongs to it if the user ever marked it, which shows in its flags only while it is
    marked.
    """
    marked = "read" not in message.flags or not message.flags.isdisjoint(("starred", "collapsed"))
    return "historical" in message.flags and not marked


def _has_whole(term: Term) -> bool:
    """Whether more than the user's own history is searched: a channel is, with all its messages."""
    return term.operator in ("channel", "channels") and not term.negated


@dataclass(frozen=True, slots=True)
class AllMessages(_Narrow):
    """The combined feed: all messages that the user receives."""

    def terms(self) -> tuple[Term, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class ChannelNarrow(_Narrow):
    """A channel with all its topics."""

    channel_id: ChannelId

    def terms(self) -> tuple[Term, ...]:
        return (Term("channel", self.channel_id),)

    def contains(self, message: Message) -> bool | None:
        return message.channel_id == self.channel_id


@dataclass(frozen=True, slots=True, eq=False)
class TopicNarrow(_Narrow):
    """A topic of a channel, in any case. "" is the empty topic."""

    channel_id: ChannelId
    topic: str

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TopicNarrow)
            and self.channel_id == other.channel_id
            and same_topic(self.topic, other.topic)
        )

    def __hash__(self) -> int:
        return hash((self.channel_id, self.topic.casefold()))

    def terms(self) -> tuple[Term, ...]:
        return (Term("channel", self.channel_id), Term("topic", self.topic))

    def contains(self, message: Message) -> bool | None:
        # Without the terms as long as the channel is another one: each message is looked for in all narrows.
        return message.channel_id == self.channel_id and _Narrow.contains(self, message)


@dataclass(frozen=True, slots=True)
class DmNarrow(_Narrow):
    """A direct conversation: all participants, the user too."""

    user_ids: frozenset[UserId]

    def terms(self) -> tuple[Term, ...]:
        return (Term("dm", tuple(sorted(self.user_ids))),)

    def other(self, self_id: UserId) -> UserId:
        """Return the other user of a conversation of two, or oneself in one with oneself."""
        return next(iter(self.user_ids - {self_id}), self_id)

    def contains(self, message: Message) -> bool | None:
        return message.channel_id is None and message.participant_ids == self.user_ids


@dataclass(frozen=True, slots=True)
class AllDms(_Narrow):
    """Every direct message."""

    def terms(self) -> tuple[Term, ...]:
        return (Term("is", "dm"),)


@dataclass(frozen=True, slots=True)
class Mentions(_Narrow):
    """Messages that mention the user, alone or with everyone."""

    def terms(self) -> tuple[Term, ...]:
        return (Term("is", "mentioned"),)


@dataclass(frozen=True, slots=True)
class Starred(_Narrow):
    """Messages that the user starred."""

    def terms(self) -> tuple[Term, ...]:
        return (Term("is", "starred"),)


@dataclass(frozen=True, slots=True)
class Unread(_Narrow):
    """All unread messages."""

    def terms(self) -> tuple[Term, ...]:
        return (Term("is", "unread"),)


@dataclass(frozen=True, slots=True)
class Search(_Narrow):
    """Any other set of terms."""

    conditions: tuple[Term, ...]

    def terms(self) -> tuple[Term, ...]:
        return self.conditions


Narrow: TypeAlias = (
    AllMessages
    | ChannelNarrow
    | TopicNarrow
    | DmNarrow
    | AllDms
    | Mentions
    | Starred
    | Unread
    | Search
)
Conversation: TypeAlias = TopicNarrow | DmNarrow

_NEED_ID = frozenset({"channel", "sender", "dm", "dm-including", "group-pm-with", "mentions"})
"""Operators whose operand has to become an ID: only the client knows parts of names."""

_BY_IS: dict[str, Narrow] = {
    "dm": AllDms(),
    "mentioned": Mentions(),
    "starred": Starred(),
    "unread": Unread(),
}


class Directory(Protocol):
    """The IDs of names, as far as the client knows them."""

    @property
    def self_id(self) -> UserId:
        """The user's own ID."""

    def channel_id(self, name: str) -> ChannelId | None:
        """Return the channel that a name or a part of it means; None if unknown. Raises BadNarrow if several
        match.
        """

    def user_id(self, email_or_name: str) -> UserId | None:
        """Return the user that an email, a name or a part of it means; None if unknown. Raises BadNarrow if
        several match.
        """


def conversation_of(message: Message) -> Conversation:
    """Return the conversation of the message."""
    if message.channel_id is None:
        return DmNarrow(message.participant_ids)
    return TopicNarrow(message.channel_id, message.topic)


def destination_of(conversation: Conversation) -> Destination:
    """Return the destination of messages to the conversation."""
    if isinstance(conversation, TopicNarrow):
        return TopicDestination(channel_id=conversation.channel_id, topic=conversation.topic)
    return DirectDestination(user_ids=conversation.user_ids)


def narrow_of(terms: Sequence[Term], self_id: UserId) -> Narrow:
    """Return the narrow of these terms: one of the specific classes where one fits."""
    match list(terms):
        case []:
            return AllMessages()
        case [Term("channel", int(channel_id), False)]:
            return ChannelNarrow(ChannelId(channel_id))
        case [Term("channel", int(channel_id), False), Term("topic", str(topic), False)] | [
            Term("topic", str(topic), False),
            Term("channel", int(channel_id), False),
        ]:
            return TopicNarrow(ChannelId(channel_id), topic)
        case [Term("dm", int(user_id), False)]:
            return DmNarrow(frozenset({UserId(user_id), self_id}))
        case [Term("dm", tuple(user_ids), False)]:
            return DmNarrow(frozenset({*map(UserId, user_ids), self_id}))
        case [Term("is", str(operand), False)] if operand in _BY_IS:
            return _BY_IS[operand]
        case _:
            return Search(tuple(terms))


def without_near(terms: Sequence[Term]) -> tuple[list[Term], MessageId | None]:
    """Return the conditions, and the ID of the message to begin at (the first `near:`), None without one.

    Raises BadNarrow where it is negated.
    """
    near_terms = [term for term in terms if term.operator == "near"]
    if any(term.negated for term in near_terms):
        raise BadNarrow("“near:” cannot be excluded, because it is no condition: remove its “-”.")
    others = [term for term in terms if term.operator != "near"]
    near = near_terms[0].operand if near_terms else None
    return others, MessageId(near) if isinstance(near, int) else None


def resolve(terms: Sequence[Term], directory: Directory) -> tuple[Term, ...]:
    """Return the terms with IDs for known names and addresses; `me` is the user.

    Raises BadNarrow for a part of a name that several have.
    """
    return tuple(_resolve(term, directory) for term in terms)


def unresolved(terms: Sequence[Term]) -> str:
    """Return a sentence about an unknown name, not sanitized; "" where all are known."""
    for term in terms:
        if isinstance(term.operand, str) and term.operator in _NEED_ID:
            what = "channel" if term.operator == "channel" else "person"
            return f"No {what} matches “{term.operand}”."
    return ""


def _resolve(term: Term, directory: Directory) -> Term:
    operand = term.operand
    if not isinstance(operand, str):
        return term
    if term.operator == "channel":
        channel_id = directory.channel_id(operand)
        return term if channel_id is None else Term("channel", channel_id, term.negated)
    if term.operator in ("sender", "group-pm-with", "mentions"):
        user_id = _user_id(operand, directory)
        return term if user_id is None else Term(term.operator, user_id, term.negated)
    if term.operator in ("dm", "dm-including"):
        ids = [_user_id(part.strip(), directory) for part in operand.split(",")]
        user_ids = tuple(user_id for user_id in ids if user_id is not None)
        return Term(term.operator, user_ids, term.negated) if len(user_ids) == len(ids) else term
    return term


def _user_id(name: str, directory: Directory) -> UserId | None:
    return directory.self_id if name == "me" else directory.user_id(name)
