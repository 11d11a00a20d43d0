"""Which messages are worth a notification, and its text; the count in the terminal's title. Pure."""

from collections.abc import Iterable
from datetime import time
from typing import Literal, TypeAlias

from tui.api.model import Message, MessageId, VisibilityPolicy
from tui.content.extracts import plain_text
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.narrow import Conversation, DmNarrow, TopicNarrow, conversation_of
from tui.store import Store
from tui.view import names
from tui.view.rows import parsed, written
from tui.view.unread_counts import UnreadCounts

Level: TypeAlias = Literal["direct", "mentions", "all"]

MOST = 3
"""Most notifications at once; more become one that counts them."""
LONGEST = 200

WILDCARDS = frozenset({"stream_wildcard_mentioned", "topic_wildcard_mentioned"})
"""Flags of messages that mention all of a channel or topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notification: two lines of plain text without control characters."""

    title: str
    body: str


def notices(
    store: Store, arrived: Iterable[MessageId], *, level: Level, with_content: bool
) -> list[Notice]:
    """Return the notifications of new messages; at most `MOST`, or one for all of them."""
    messages = [
        message
        for message_id in arrived
        if (message := store.message(message_id)) is not None and _is_wanted(store, message, level)
    ]
    if len(messages) > MOST:
        people = names.listed(dict.fromkeys(_sender(store, message) for message in messages))
        return [Notice(title=f"{len(messages)} new messages", body=f"from {people}")]
    return [_notice(store, message, with_content=with_content) for message in messages]


def _is_wanted(store: Store, message: Message, level: Level) -> bool:
    if message.sender_id == store.self_id or message.sender_id in store.muted_users:
        return False
    if "read" in message.flags:
        return False
    place = conversation_of(message)
    if isinstance(place, DmNarrow) or "mentioned" in message.flags:
        return store.settings.enable_desktop_notifications
    if store.is_muted(place):
        return False
    if not WILDCARDS.isdisjoint(message.flags) and store.settings.wildcard_mentions_notify:
        return store.settings.enable_desktop_notifications
    if level == "direct":
        return False
    return level == "all" or "has_alert_word" in message.flags or _follows(store, place)


def _follows(store: Store, place: TopicNarrow) -> bool:
    """Whether the user wants notifications of all messages in the topic."""
    settings = store.settings
    if store.policy(place) == VisibilityPolicy.FOLLOWED:
        return settings.enable_followed_topic_desktop_notifications
    subscription = store.channels.subscription(place.channel_id)
    if subscription is None:
        return False
    own = subscription.desktop_notifications
    return settings.enable_stream_desktop_notifications if own is None else own


def _notice(store: Store, message: Message, *, with_content: bool) -> Notice:
    place = conversation_of(message)
    sender = _sender(store, message)
    hidden = isinstance(place, DmNarrow) and not store.settings.pm_content_in_desktop_notifications
    return Notice(
        title=f"{sender}{_where(store, place)}",
        body=_beginning(message) if with_content and not hidden else "wrote a message",
    )


def _sender(store: Store, message: Message) -> str:
    return names.person(store, message.sender_id, message.sender_full_name)


def _where(store: Store, place: Conversation) -> str:
    if isinstance(place, TopicNarrow):
        return f" in {names.conversation(store, place)}"
    return " to you and others" if len(place.user_ids) > 2 else ""


def _beginning(message: Message) -> str:
    is_markdown = message.content_type == "text/x-markdown"
    content = message.content
    nodes = written(content) if is_markdown else parsed(content, message.is_me_message)
    line = " ".join(sanitize_line(plain_text(nodes)).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def is_quiet(hours: str, now: time) -> bool:
    """Whether `now` is in quiet hours; `hours` such as `22:00-07:00`, "" for never."""
    if not hours:
        return False
    begin, end = (time.fromisoformat(each) for each in hours.split("-"))
    if begin <= end:
        return begin <= now < end
    return now >= begin or now < end


def terminal_title(store: Store, count: int) -> str:
    """Return `(3) Organization`: the count of unread messages, and the organization."""
    name = sanitize_line(store.realm.settings.name) or "Chinwag"
    return f"({count}) {name}" if count else name


def waiting(store: Store, counts: UnreadCounts) -> int:
    """Return the count of unread messages, of the kinds that the user wants counted."""
    if store.settings.desktop_icon_count_display == 4:  # the user wants none
        return 0
    everything = store.settings.desktop_icon_count_display == 1
    return counts.everything if everything else counts.personal
