"""Sends messages. Checks no permissions except for mentions: an address exists only if the user may post."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import orjson

from server_lite.access.channel_audience import who_may_read, who_may_see
from server_lite.access.mentions import Names
from server_lite.access.message_audience import (
    MessageAudience,
    audience_in_channel,
    audience_of,
)
from server_lite.access.recipients import Address, ChannelRecipient, DirectRecipient
from server_lite.access.rendering import rendered_for
from server_lite.access.users import ids_who_cannot_access
from server_lite.actions import outgoing_webhooks
from server_lite.actions.automatic_topic_policies import after_mentions, after_sending
from server_lite.actions.mentions import check_mentions, flags_for
from server_lite.actions.polls_and_todos import WIDGET, widget_of
from server_lite.actions.uploads import set_links
from server_lite.actions.user_visibility import emit_acquaintance
from server_lite.dataclass import dataclass
from server_lite.events.channels import ChannelUpdated
from server_lite.events.messages import MessageSent
from server_lite.ids import MessageId, TopicId, UserId
from server_lite.markup.rendered import Rendered
from server_lite.objects.messages import new_object, unknown_sender
from server_lite.store import (
    channels,
    conversations,
    flags,
    local_echo,
    messages,
    queues,
    realm,
    submessages,
    topics,
    unread_messages,
    users,
)
from server_lite.store.bots import BotType
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.event_log import Local
from server_lite.store.messages import MessageRow
from server_lite.store.submessages import SubmessageRow
from server_lite.store.user_topics import Policy
from server_lite.store.users import UserRow

READING_CLIENTS: Final = frozenset(
    {
        "android",
        "chinwag",
        "ios",
        "snipe",
        "website",
        "zulipandroid",
        "zulipdesktop",
        "zulipelectron",
        "zulipflutter",
        "zulipios",
        "zulipmobile",
        "zulipterminal",
    }
)
"""Clients for reading, in lower case. Messages sent by other clients are unread for the sender, who may have
an integration send with their API key.
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of sending a message."""

    id: MessageId
    policy: Policy | None = None
    """Visibility policy that the topic got for the sender; None if it did not change."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The place and the recipients of a message."""

    channel: ChannelRow | None
    topic_id: TopicId | None
    is_start: bool
    """Whether the message starts a topic."""
    topic: str
    conversation_id: int | None
    audience: MessageAudience


def send_message(
    tx: Tx,
    sender: UserRow,
    to: Address,
    content: str,
    *,
    client: str,
    local: Local | None = None,
    read_by_sender: bool | None = None,
    read_by: Collection[UserId] = (),
    base_url: str = "",
    widget: str | None = None,
) -> Sent:
    """Store a message and send it to its recipients.

    `content` was cleaned (`access.composition`). `local` counts only while its queue exists; a message
    repeated under it is sent once. `read_by_sender` None: decided by the client's name.
    `read_by` are further users for whom the message starts as read.
    `widget` is the first submessage, JSON; None: derived from the text.
    """
    digest = b""
    if local is not None and not local_echo.is_live(tx, sender.id, local.queue_id):
        local = None
    if local is not None:
        digest = hashlib.blake2b(orjson.dumps([*to.key, content]), digest_size=16).digest()
        earlier = local_echo.find(tx, local.queue_id, local.local_id, digest)
        if earlier is not None:
            return Sent(earlier)
    names = Names(tx, sender, base_url)
    rendered = rendered_for(tx, names, content)
    place = _place(tx, sender, to)
    recipients, everyone, unaware, muting = place.audience
    if rendered.group_ids or rendered.mentions_channel or rendered.mentions_topic:
        check_mentions(tx, sender, rendered, recipients=recipients, topic_id=place.topic_id)
    has_read = {*muting, *everyone.intersection(read_by)} if read_by else {*muting}
    if _reads_own(client, read_by_sender) or sender.id not in recipients:
        has_read.add(sender.id)
    bots = _called_bots(tx, place, rendered) if rendered.user_ids else frozenset[UserId]()
    row, personal = _store(tx, sender, place, content, rendered, client, has_read, bots)
    first = widget or widget_of(content)
    extra = [] if first is None else [submessages.insert(tx, row.id, sender.id, WIDGET, first)]
    if local is not None:
        local_echo.remember(tx, local.queue_id, local.local_id, row.id, digest)
    event = _sent(tx, row, names, extra)
    if bots:
        everyone |= bots
        unaware = ids_who_cannot_access(tx, sender, everyone)
    if unaware:
        masked = {**event.message, **unknown_sender(sender.id, realm.domain(tx))}
        tx.emit(replace(event, message=masked), to=unaware, personal=personal)
    tx.emit(
        event,
        to=everyone - unaware if unaware else everyone,
        public_listeners=() if place.channel is None else _listeners(tx, place.channel),
        personal=personal,
        local=local,
    )
    outgoing_webhooks.note(
        tx,
        sender,
        row.id,
        channel=place.channel,
        content=content,
        mentioned=rendered.user_ids,
        participants=recipients,
    )
    if place.channel is None:
        return Sent(row.id)
    if rendered.user_ids:
        after_mentions(tx, rendered.user_ids & recipients, place.channel, place.topic)
    policy = after_sending(tx, sender, place.channel, place.topic, is_start=place.is_start)
    return Sent(row.id, policy)


def _store(
    tx: Tx,
    sender: UserRow,
    place: _Place,
    content: str,
    rendered: Rendered,
    client: str,
    has_read: set[UserId],
    bots: frozenset[UserId],
) -> tuple[MessageRow, dict[UserId, list[str]]]:
    """Store the message's rows; returns the message and the flags of recipients with any."""
    plain = rendered.plain
    recipients = place.audience.recipients
    row = messages.insert(
        tx,
        sender_id=sender.id,
        channel_id=None if place.channel is None else place.channel.id,
        topic_id=place.topic_id,
        topic=place.topic,
        conversation_id=place.conversation_id,
        content=content,
        rendered=rendered.html,
        plain=plain,
        timestamp=tx.now,
        client=client,
        has_link=rendered.has_link,
        has_image=rendered.has_image,
        has_attachment=rendered.has_attachment,
    )
    message_id = row.id
    tx.new_messages.append((message_id, len(plain)))
    if rendered.upload_path_ids:
        set_links(tx, sender, message_id, rendered.upload_path_ids)
    marked = flags_for(
        tx,
        rendered,
        plain,
        recipients=recipients | bots if bots else recipients,
        sender_id=sender.id,
        topic_id=place.topic_id,
    )
    if bots or sender.id not in recipients:
        marked[flags.HISTORICAL] = bots.union((sender.id,)).difference(recipients)
    if marked:
        flags.add_to_people(tx, message_id, marked)
    _add_unread(tx, message_id, place, has_read)
    _count(tx, message_id, place)
    return row, flags.shown_by_user({**marked, flags.READ: has_read})


def _called_bots(tx: Tx, place: _Place, rendered: Rendered) -> frozenset[UserId]:
    """Return mentioned bots that may read the channel and are not subscribed."""
    called = rendered.user_ids.difference(place.audience.recipients)
    if place.channel is None or not called:
        return frozenset()
    bots = {one.id for one in users.by_ids(tx, called) if one.bot_type == BotType.GENERIC}
    return who_may_read(tx, place.channel) & bots if bots else frozenset()


def _reads_own(client: str, read_by_sender: bool | None) -> bool:
    if read_by_sender is not None:
        return read_by_sender
    name = client.lower()
    return name in READING_CLIENTS or "desktop app" in name


def _place(tx: Tx, sender: UserRow, to: Address) -> _Place:
    if isinstance(to, ChannelRecipient):
        topic = topics.get_or_create(tx, to.channel.id, to.topic)
        audience = audience_in_channel(tx, sender, to.channel.id)
        return _Place(to.channel, topic.id, topic.is_empty, topic.name, None, audience)
    return _direct_place(tx, sender, to)


def _direct_place(tx: Tx, sender: UserRow, to: DirectRecipient) -> _Place:
    ids = tuple(person.id for person in to.people)
    conversation = conversations.between(tx, ids)
    if conversation is None:
        emit_acquaintance(tx, ids)
        conversation = conversations.ensure(tx, ids)
    audience = audience_of(tx, sender, frozenset(ids))
    return _Place(None, None, False, "", conversation.id, audience)


def _add_unread(tx: Tx, message_id: MessageId, place: _Place, has_read: Collection[UserId]) -> None:
    if place.channel is not None:
        unread_messages.add_to_subscribers(tx, message_id, place.channel.id, but=has_read)
    else:
        unread_messages.add(tx, message_id, place.audience.recipients.difference(has_read))


def _count(tx: Tx, message_id: MessageId, place: _Place) -> None:
    """Update the newest message of the topic or conversation, and the first message of the channel."""
    if place.conversation_id is not None:
        conversations.raise_max_id(tx, place.conversation_id, message_id)
        return
    assert place.channel is not None
    assert place.topic_id is not None
    topics.raise_max_id(tx, place.topic_id, message_id, was_empty=place.is_start)
    if place.channel.first_message_id is None:
        update_first_message(tx, place.channel)


def update_first_message(tx: Tx, channel: ChannelRow) -> None:
    """Recompute the channel's first message; if it changed, store it and send an event."""
    first = messages.first_in_channel(tx, channel.id)
    if first == channel.first_message_id:
        return
    channels.set_value(tx, channel.id, "first_message_id", first)
    tx.emit(
        ChannelUpdated(
            channel_id=channel.id,
            name=channel.name,
            property="first_message_id",
            value=first,
            extra={},
        ),
        to=who_may_see(tx, channel),
    )


def _sent(db: Db, row: MessageRow, names: Names, extra: Sequence[SubmessageRow]) -> MessageSent:
    """Return the event of a new message: it has no reactions yet, and `extra` are all its submessages."""
    base = new_object(db, row, names.topic_links(row.topic), extra)
    return MessageSent(message=base, content=row.content, rendered=row.rendered, topic=row.topic)


def _listeners(tx: Tx, channel: ChannelRow) -> frozenset[UserId]:
    """Return users with a queue for all public channels, if this channel is public."""
    return queues.listeners_to_all_public(tx) if channel.is_public else frozenset()
