"""Sends the server's own messages in channels: moves, resolved topics, reports. Checks no permissions."""

from collections.abc import Set as AbstractSet
from typing import Final

from server_lite.access.channel_audience import who_may_see
from server_lite.access.message_validation import MAX_TOPIC
from server_lite.access.recipients import ChannelRecipient
from server_lite.access.users import ids_who_cannot_access
from server_lite.actions.message_moves import Move
from server_lite.actions.messages import send_message
from server_lite.events.messages import RESOLVED_PREFIX
from server_lite.ids import UserId
from server_lite.markup.urls import message_path
from server_lite.objects.users import HIDDEN_NAME
from server_lite.store import subscriptions, topics, user_topics, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.personal_settings import ids_by_setting
from server_lite.store.user_topics import Policy
from server_lite.store.users import NOTIFICATION_BOT, UserRow

CLIENT: Final = "Internal"
"""Client name of the server's own messages."""
QUOTED: Final = 2_000
"""Characters of a reported message that the report quotes."""


def send(
    tx: Tx, channel: ChannelRow, topic: str, text: str, *, read_by: AbstractSet[UserId]
) -> None:
    """Send a message as the notification bot."""
    bot = users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    send_message(tx, bot, ChannelRecipient(channel, topic), text, client=CLIENT, read_by=read_by)


def mention(tx: Tx, user: UserRow, readers: frozenset[UserId]) -> str:
    """Return a silent mention of the user; a placeholder if any reader may not know the user."""
    if ids_who_cannot_access(tx, user, readers):
        return HIDDEN_NAME
    return f"@_**{user.full_name}|{user.id}**"


def _place(tx: Tx, channel: ChannelRow, topic: str, where: ChannelRow) -> str:
    """Return a link to a topic, shown in `where`; unnamed unless all its readers may see the channel."""
    is_known = channel.id == where.id or (
        (channel.is_web_public or not where.is_web_public)
        and who_may_see(tx, where) <= who_may_see(tx, channel)
    )
    return f"#**{channel.name}>{topic}**" if is_known else "another channel"


def announce_move(
    tx: Tx, user: UserRow, move: Move, count: int, *, old: bool, new: bool, base_url: str
) -> None:
    """Post where `count` messages moved, in the topic they left (`old`) and in their new topic (`new`)."""
    if move.is_resolving:
        if new:
            announce_resolved(tx, user, move)
        return
    rest = topics.by_name(tx, move.origin.id, move.old_topic)
    is_whole = rest is None or rest.max_id == 0
    if new and not move.is_respelling:
        here = _place(tx, move.origin, move.old_topic, move.channel)
        who = mention(tx, user, who_may_see(tx, move.channel))
        what = "This topic was" if is_whole else _messages(count, _link(move, base_url))
        send(
            tx,
            move.channel,
            move.topic,
            f"{what} moved here from {here} by {who}.",
            read_by={user.id},
        )
    if old and not move.is_respelling:
        there = _place(tx, move.channel, move.topic, move.origin)
        who = mention(tx, user, who_may_see(tx, move.origin))
        text = (
            f"This topic was moved to {there} by {who}."
            if is_whole
            else f"{_messages(count)} moved from this topic to {there} by {who}."
        )
        send(tx, move.origin, move.old_topic, text, read_by={user.id})


def _messages(count: int, link: str | None = None) -> str:
    if count != 1:
        return f"{count} messages were"
    return "A message was" if link is None else f"[A message]({link}) was"


def _link(move: Move, base_url: str) -> str:
    """Return the link to the moved message."""
    return base_url + message_path(move.channel.id, move.channel.name, move.topic, move.row.id)


def announce_resolved(tx: Tx, user: UserRow, move: Move) -> None:
    """Post that the topic was resolved or unresolved; unread only for users with that setting."""
    word = "resolved" if move.topic.startswith(RESOLVED_PREFIX) else "unresolved"
    who = mention(tx, user, who_may_see(tx, move.channel))
    text = f"{who} has marked this topic as {word}."
    send(tx, move.channel, move.topic, text, read_by={user.id} | _not_curious(tx, move))


def _not_curious(tx: Tx, move: Move) -> frozenset[UserId]:
    users_by_policy = ids_by_setting(tx, "resolved_topic_notice_auto_read_policy")
    always, except_followed = (
        users_by_policy.get(policy, frozenset()) for policy in ("always", "except_followed")
    )
    policies = user_topics.of_topic(tx, move.channel.id, move.topic)
    followers = policies.get(Policy.FOLLOWED, frozenset())
    subscribed = frozenset(subscriptions.subscriber_ids(tx, move.channel.id))
    return subscribed & always | (subscribed & except_followed) - followers


def send_report(
    tx: Tx, channel: ChannelRow, reporter: UserRow, author: UserRow, row: MessageRow, reason: str
) -> None:
    """Send a report of a message to the moderators' channel."""
    topic = f"{author.full_name}'s moderation requests"[:MAX_TOPIC]
    lines = [f"> {line}" for line in row.content[:QUOTED].splitlines()[:20]]
    readers = who_may_see(tx, channel)
    who, whose = mention(tx, reporter, readers), mention(tx, author, readers)
    text = f"{who} reported a message sent by {whose}: {reason}"
    send(tx, channel, topic, "\n".join([text, "", *lines]), read_by=set())
