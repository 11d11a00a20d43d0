"""What the server itself says in channels: that messages moved, that a topic is resolved. Asks no permission."""

from typing import Final

from server_lite.access.addressing import ToChannel
from server_lite.access.composition import MAX_TOPIC
from server_lite.actions.message_moves import Move
from server_lite.actions.messages import send_message
from server_lite.events.messages import RESOLVED_PREFIX
from server_lite.store import subscriptions, topics, user_topics, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.personal_settings import setting
from server_lite.store.user_topics import Policy
from server_lite.store.users import NOTIFICATION_BOT, UserRow

CLIENT: Final = "Internal"
"""What messages of the server say they were sent with."""


def say(tx: Tx, channel: ChannelRow, topic: str, text: str, *, read_by: set[int]) -> None:
    """A message of the notification bot."""
    bot = users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    send_message(tx, bot, ToChannel(channel, topic), text, client=CLIENT, read_by=read_by)


def mention(user: UserRow) -> str:
    """The person's name as a mention that notifies nobody."""
    return f"@_**{user.full_name}|{user.id}**"


def tell_move(tx: Tx, user: UserRow, move: Move, *, old: bool, new: bool) -> None:
    """Say where messages went, in the topic they left (`old`) and in the one they came to (`new`)."""
    if move.is_resolving:
        if new:
            tell_resolved(tx, user, move)
        return
    count = len(move.rows)
    rest = topics.by_name(tx, move.origin.id, move.old_topic)
    is_whole = rest is None or rest.max_id == 0
    here, there = _link(move.origin, move.old_topic), _link(move.channel, move.topic)
    who = mention(user)
    if new and not move.is_respelling:
        what = "This topic was" if is_whole else _messages(count)
        say(
            tx,
            move.channel,
            move.topic,
            f"{what} moved here from {here} by {who}.",
            read_by={user.id},
        )
    if old and not move.is_respelling:
        text = (
            f"This topic was moved to {there} by {who}."
            if is_whole
            else f"{_messages(count)} moved from this topic to {there} by {who}."
        )
        say(tx, move.origin, move.old_topic, text, read_by={user.id})


def _messages(count: int) -> str:
    return "A message was" if count == 1 else f"{count} messages were"


def _link(channel: ChannelRow, topic: str) -> str:
    return f"#**{channel.name}>{topic}**"


def tell_resolved(tx: Tx, user: UserRow, move: Move) -> None:
    """Say that the topic is resolved, or no longer; news only to those who want it as such."""
    word = "resolved" if move.topic.startswith(RESOLVED_PREFIX) else "unresolved"
    text = f"{mention(user)} has marked this topic as {word}."
    say(tx, move.channel, move.topic, text, read_by={user.id} | _not_curious(tx, move))


def _not_curious(tx: Tx, move: Move) -> set[int]:
    followers = {
        one.user_id
        for one in user_topics.of_topic(tx, move.channel.id, move.topic)
        if one.policy == Policy.FOLLOWED
    }
    found: set[int] = set()
    for user_id in subscriptions.subscriber_ids(tx, move.channel.id):
        person = users.by_id(tx, user_id)
        assert person is not None
        policy = setting(person, "resolved_topic_notice_auto_read_policy")
        if policy == "always" or (policy == "except_followed" and user_id not in followers):
            found.add(user_id)
    return found


def tell_report(
    tx: Tx, channel: ChannelRow, reporter: UserRow, author: UserRow, row: MessageRow, reason: str
) -> None:
    """A report of a message, for the moderators' channel."""
    topic = f"{author.full_name}'s moderation requests"[:MAX_TOPIC]
    lines = [f"> {line}" for line in row.content.splitlines()[:20]]
    text = f"{mention(reporter)} reported a message sent by {mention(author)}: {reason}"
    say(tx, channel, topic, "\n".join([text, "", *lines]), read_by=set())
