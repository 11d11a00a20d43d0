"""Validates and normalizes text and topics for storage. Reads only.

Text and topics that are too long are truncated, as clients and bots of this API expect; everything else
that cannot be stored is refused.
"""

import unicodedata
from typing import Final, Literal, NamedTuple

from server_lite.access.channel_permissions import has_permission
from server_lite.errors import ApiError
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.ids import ChannelId, UserId
from server_lite.store import channels, settings, topics, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

MAX_CONTENT: Final = 10_000
MAX_TOPIC: Final = 60
_CUT_CONTENT: Final = "\n[message truncated]"
_CUT_TOPIC: Final = "..."
_NO_TOPIC: Final = frozenset({"(no topic)", EMPTY_TOPIC_DISPLAY_NAME})
_CONTROLS: Final = frozenset({"Cc", "Cs"})


def normalize_content(content: str) -> str:
    """Return a message's text without trailing white space and leading blank lines."""
    text = content.rstrip().lstrip("\n")
    if not text:
        raise ApiError("Message must not be empty")
    return text if len(text) <= MAX_CONTENT else _cut(text, MAX_CONTENT, _CUT_CONTENT)


def clean_topic(topic: str, *, on_overflow: Literal["cut", "refuse"] = "cut") -> str:
    """Return the normalized topic; names by which old clients know the empty topic become the empty topic.

    Raises ApiError for characters that no topic can contain; a topic that is too long is truncated as for
    messages, or refused where it refers to an existing topic.
    """
    text = topic.strip()
    if on_overflow == "refuse" and len(text) > MAX_TOPIC:
        raise ApiError(f"topic is too long (limit: {MAX_TOPIC} characters)")
    if not (text.isascii() and text.isprintable()):  # as most are
        for position, character in enumerate(text[: MAX_TOPIC + 1], start=1):
            if not is_writable(character):
                raise ApiError(f"Invalid character in topic, at position {position}!")
    if text in _NO_TOPIC:
        return ""
    return text if len(text) <= MAX_TOPIC else cut_topic(text)


def cut_topic(topic: str) -> str:
    """Return the topic, truncated with dots at the maximum length."""
    return _cut(topic, MAX_TOPIC, _CUT_TOPIC)


def is_writable(character: str) -> bool:
    """Whether the character may be stored: no control, no surrogate, none of Unicode's 66 noncharacters."""
    code = ord(character)
    is_noncharacter = 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
    return not is_noncharacter and unicodedata.category(character) not in _CONTROLS


def _cut(text: str, limit: int, marker: str) -> str:
    return text if len(text) <= limit else text[: limit - len(marker)] + marker


class _TopicRule(NamedTuple):
    """Which topics a user may write in, in a channel."""

    policy: str
    may_create: bool


def _topic_rule(db: Db, user_id: UserId, channel_id: ChannelId) -> _TopicRule:
    user, channel = users.by_id(db, user_id), channels.by_id(db, channel_id)
    assert user is not None
    assert channel is not None
    policy = channel.topics_policy
    if policy == "inherit":
        policy = settings.value(db, "topics_policy", "allow_empty_topic")
    return _TopicRule(policy, has_permission(db, user, channel, "can_create_topic_group"))


def check_topic(db: Db, user: UserRow, channel: ChannelRow, topic: str) -> None:
    """Refuse a topic that the channel forbids, or a new one if the user may not create topics."""
    rule = db.cached(_topic_rule, user.id, channel.id)
    if rule.policy == "disable_empty_topic" and not topic:
        raise ApiError("Topics are required in this channel.")
    if rule.policy == "empty_topic_only" and topic:
        raise ApiError(f"Only the {EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.")
    if not rule.may_create:
        existing = topics.by_name(db, channel.id, topic)
        if existing is None or existing.max_id == 0:
            raise ApiError("You do not have permission to create new topics in this channel.")
