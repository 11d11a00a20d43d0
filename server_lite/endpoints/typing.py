"""Typing notifications for messages and edits. Thin."""

from typing import Literal

from server_lite.access.channels import access_channel_by_id, check_posting
from server_lite.access.message_validation import clean_topic
from server_lite.access.messages import access_message
from server_lite.access.recipients import people_named
from server_lite.access.users import check_person
from server_lite.actions import typing
from server_lite.api.answers import Done
from server_lite.errors import ApiError
from server_lite.ids import ChannelId, MessageId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

Op = Literal["start", "stop"]


def notify(
    tx: Tx,
    user: UserRow,
    *,
    op: Op,
    type: Literal["direct", "private", "stream", "channel"] = "direct",
    to: list[int] | None = None,
    stream_id: ChannelId | None = None,
    topic: str | None = None,
) -> Done:
    """Notify users of starting or stopping to type in a conversation."""
    check_person(user)
    started = op == "start"
    if type in ("direct", "private"):
        if to is None:
            raise ApiError("Missing 'to' argument")
        if not to:
            raise ApiError("Empty 'to' list")
        typing.in_direct(tx, user, people_named(tx, user, to), started=started)
        return {}
    if stream_id is None:
        raise ApiError("Missing channel ID")
    if topic is None:
        raise ApiError("Missing topic")
    channel = access_channel_by_id(tx, user, stream_id, wants="content")
    check_posting(tx, user, channel)
    typing.in_channel(tx, user, channel, clean_topic(topic), started=started)
    return {}


def notify_edit(tx: Tx, user: UserRow, message_id: MessageId, *, op: Op) -> Done:
    """Notify users of starting or stopping to edit a message."""
    check_person(user)
    row = access_message(tx, user, message_id)
    if row.sender_id != user.id:
        raise ApiError("You don't have permission to edit this message")
    typing.of_edit(tx, user, row, started=op == "start")
    return {}
