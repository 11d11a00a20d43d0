"""The terms of a narrow: every operator, and whether a message matches. No I/O, no clock.

`matches` returns None where only the server can decide: the term needs more than the message (followed
topics, the text index), or has a name or address of an unknown ID.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tui.api.model import Message
from tui.dataclass import dataclass

Operand: TypeAlias = str | int | tuple[int, ...]

OPERATORS = frozenset(
    {
        "channel",
        "channels",
        "topic",
        "dm",
        "dm-including",
        "group-pm-with",
        "sender",
        "is",
        "has",
        "search",
        "id",
        "with",
        "near",
        "mentions",
        "in",
    }
)
ALIASES: Mapping[str, str] = {
    "stream": "channel",
    "streams": "channels",
    "subject": "topic",
    "pm-with": "dm",
    "from": "sender",
    "to": "dm",
}
"""Other names of operators, with the ones used here."""

IS_OPERANDS = frozenset(
    {"dm", "unread", "starred", "mentioned", "alerted", "resolved", "followed", "muted"}
)
HAS_OPERANDS = frozenset({"link", "image", "attachment", "reaction"})
RESOLVED_PREFIX = "✔ "

_WIRE_OPERATORS: Mapping[str, str] = {"channel": "stream", "channels": "streams"}
"""Spellings that servers of every level know; `channel` is only known since level 250."""

_EMPTY_TOPIC = "general chat"

_MENTION_FLAGS = frozenset(
    {
        "mentioned",
        "wildcard_mentioned",
        "stream_wildcard_mentioned",
        "topic_wildcard_mentioned",
    }
)


@dataclass(frozen=True, slots=True)
class Term:
    """One condition; IDs are numbers, names and email addresses are texts."""

    operator: str
    operand: Operand
    negated: bool = False

    def __post_init__(self) -> None:
        assert self.operator in OPERATORS, self.operator

    def matches(self, message: Message) -> bool | None:
        """Whether the message matches this term; None where only the server can decide."""
        matches = _PREDICATES[self.operator](message, self.operand)
        return matches if matches is None else matches != self.negated

    def to_api(self) -> dict[str, object]:
        """Return the term for the API."""
        operand = list(self.operand) if isinstance(self.operand, tuple) else self.operand
        return {
            "operator": _WIRE_OPERATORS.get(self.operator, self.operator),
            "operand": operand,
            "negated": self.negated,
        }


def same_topic(one: str, other: str) -> bool:
    """Whether two topics are the same, in any case."""
    return one == other or one.casefold() == other.casefold()


def _channel(message: Message, operand: Operand) -> bool | None:
    if isinstance(operand, str):
        name = message.display_recipient
        return isinstance(name, str) and name.casefold() == operand.casefold()
    return message.channel_id == operand


def _channels(message: Message, _operand: Operand) -> bool | None:
    return False if message.channel_id is None else None


def _topic(message: Message, operand: Operand) -> bool | None:
    if message.topic == "" and same_topic(str(operand), _EMPTY_TOPIC):
        # The usual name of the empty topic, which servers accept for it.
        return False if message.channel_id is None else None
    return message.channel_id is not None and same_topic(message.topic, str(operand))


def _dm(message: Message, operand: Operand) -> bool | None:
    listed = _listed(message, operand)
    if message.channel_id is not None:
        return False
    if listed is None or listed == message.participant_ids:
        return None if listed is None else True
    # The reader may be left out of the list, and which participant that is is unknown here.
    one_more = listed < message.participant_ids and len(message.participant_ids - listed) == 1
    return None if one_more else False


def _dm_including(message: Message, operand: Operand) -> bool | None:
    if message.channel_id is not None:
        return False
    listed = _listed(message, operand)
    return None if listed is None else listed <= message.participant_ids


def _group_dm(message: Message, operand: Operand) -> bool | None:
    return False if len(message.participant_ids) < 3 else _dm_including(message, operand)


def _listed(message: Message, operand: Operand) -> frozenset[int] | None:
    """Return the IDs that the operand lists; None if an address is none of the participants'."""
    if isinstance(operand, tuple):
        return frozenset(operand)
    if isinstance(operand, int):
        return frozenset({operand})
    if isinstance(message.display_recipient, str):
        return None
    by_email = {person.email.casefold(): int(person.id) for person in message.display_recipient}
    ids = [by_email.get(email.strip().casefold()) for email in operand.split(",")]
    user_ids = frozenset(user_id for user_id in ids if user_id is not None)
    return user_ids if len(user_ids) == len(ids) else None


def _sender(message: Message, operand: Operand) -> bool | None:
    if isinstance(operand, str):
        return True if message.sender_email.casefold() == operand.casefold() else None
    return message.sender_id == operand


def _is(message: Message, operand: Operand) -> bool | None:
    in_channel = message.channel_id is not None
    match operand:
        case "dm":
            return not in_channel
        case "unread":
            return "read" not in message.flags
        case "starred":
            return "starred" in message.flags
        case "mentioned":
            return bool(message.flags & _MENTION_FLAGS)
        case "alerted":
            return "has_alert_word" in message.flags
        case "resolved":
            return in_channel and message.topic.startswith(RESOLVED_PREFIX)
        case "followed":
            return None if in_channel else False
        case _:
            return None


def _has(message: Message, operand: Operand) -> bool | None:
    if operand == "reaction":
        return bool(message.reactions)
    # The server decides what counts as link or image when it parses the Markdown.
    plain = message.content_type == "text/html" and not any(
        tag in message.content for tag in ("<a ", "<img", "<video", "<audio")
    )
    return False if plain else None


def _id(message: Message, operand: Operand) -> bool | None:
    return message.id == operand


def _always(_message: Message, _operand: Operand) -> bool | None:
    return True


def _unknown(_message: Message, _operand: Operand) -> bool | None:
    return None


def _in(_message: Message, operand: Operand) -> bool | None:
    return True if operand == "all" else None


_PREDICATES: Mapping[str, Callable[[Message, Operand], bool | None]] = {
    "channel": _channel,
    "channels": _channels,
    "topic": _topic,
    "dm": _dm,
    "dm-including": _dm_including,
    "group-pm-with": _group_dm,
    "sender": _sender,
    "is": _is,
    "has": _has,
    "search": _unknown,
    "id": _id,
    "with": _unknown,
    "near": _always,
    "mentions": _unknown,
    "in": _in,
}
