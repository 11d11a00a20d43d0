"""Editing, moving, deleting and reporting a message. Thin."""

import hashlib
from typing import Annotated, Literal

from typing_extensions import TypedDict

from server_lite.access.channels import access_channel_by_id, access_channel_for_posting
from server_lite.access.composition import check_topic, clean_content, clean_topic
from server_lite.access.message_changes import (
    check_channel_edit,
    check_content_edit,
    check_deletion,
    check_topic_edit,
    check_whole_move,
    may_delete_any,
)
from server_lite.access.messages import access_message
from server_lite.actions import notices
from server_lite.actions.message_deletion import delete_messages
from server_lite.actions.message_edits import edit_message
from server_lite.actions.message_moves import Mode, Move, planned
from server_lite.answers import Done
from server_lite.decoding import MaxLength
from server_lite.endpoints.messages import ABSENT
from server_lite.errors import ApiError, Conflict, Insufficient
from server_lite.narrow.query import query
from server_lite.narrow.terms import Term
from server_lite.objects.uploads import AttachmentObject, attachment_object
from server_lite.params import Alias, ChannelId, MessageId, RequestInfo
from server_lite.store import channels, messages, realm, topics, uploads, users
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

DELETED = "(deleted)"
"""The text of a message that was emptied."""

AT_ONCE = 1000
"""Messages of a topic deleted by one request."""


class Edited(TypedDict):
    """Files that no message links any more, so that the person can be asked whether to keep them."""

    detached_uploads: list[AttachmentObject]


class Complete(TypedDict):
    """Whether nothing of the topic is left."""

    complete: bool


def edit(
    tx: Tx,
    user: UserRow,
    message_id: MessageId,
    *,
    topic: Annotated[str, Alias("subject")] = ABSENT,
    propagate_mode: Mode = "change_one",
    send_notification_to_old_thread: bool = False,
    send_notification_to_new_thread: bool = True,
    content: str = ABSENT,
    prev_content_sha256: str | None = None,
    stream_id: ChannelId | None = None,
    request: RequestInfo,
) -> Edited:
    """Change a message's text, its topic, or its channel."""
    row = access_message(tx, user, message_id)
    text = None if content == ABSENT else _text(row, content, prev_content_sha256)
    if text is not None and stream_id is not None:
        raise ApiError("Cannot change message content while changing channel")
    if row.channel_id is None and topic != ABSENT:
        raise ApiError("Direct messages cannot have topics.")
    if row.channel_id is None and stream_id is not None:
        raise ApiError("Direct messages cannot be moved to channels.")
    name = row.topic if topic == ABSENT else clean_topic(topic)
    move = _move(tx, user, row, name, stream_id, propagate_mode)
    if move is None and text is None:
        raise ApiError("Nothing to change")
    if move is None and propagate_mode != "change_one":
        raise ApiError("Invalid propagate_mode without topic edit")
    if text is not None:
        check_content_edit(tx, user, row, tx.now)
    linked = uploads.linked_in(tx, [row.id]) if text is not None and row.has_attachment else []
    edit_message(tx, user, row, content=text, move=move, base_url=request.base_url)
    if move is not None:
        notices.tell_move(
            tx,
            user,
            move,
            old=send_notification_to_old_thread,
            new=send_notification_to_new_thread,
        )
    detached = [upload for upload in linked if not uploads.messages_of(tx, upload.id)]
    return {"detached_uploads": [attachment_object(upload, ()) for upload in detached]}


def _text(row: MessageRow, content: str, expected: str | None) -> str:
    if expected is not None and hashlib.sha256(row.content.encode()).hexdigest() != expected:
        raise Conflict("'prev_content_sha256' value does not match the expected value.")
    return clean_content(content) if content.strip() else DELETED


def _move(
    tx: Tx, user: UserRow, row: MessageRow, topic: str, stream_id: int | None, mode: Mode
) -> Move | None:
    """The move that was asked for, if it is one and the person may make it."""
    if row.channel_id is None:
        return None
    origin = channels.by_id(tx, row.channel_id)
    assert origin is not None
    goes_out = stream_id is not None and stream_id != origin.id
    if not goes_out and topic == row.topic:
        return None
    if origin.is_archived:
        raise ApiError("You don't have permission to edit this message")
    target = origin
    if goes_out:
        assert stream_id is not None
        check_channel_edit(tx, user, row, origin, tx.now)
        target = access_channel_for_posting(tx, user, stream_id)
    if topic != row.topic:
        check_topic_edit(tx, user, row, origin, topic, tx.now)
    check_topic(tx, user, target, topic)
    move = planned(tx, user, row, target, topic, mode)
    if mode == "change_all" and not move.is_resolving:
        check_whole_move(tx, user, move.rows, to_other_channel=goes_out, now=tx.now)
    return move


def delete(tx: Tx, user: UserRow, message_id: MessageId) -> Done:
    """Delete a message."""
    row = access_message(tx, user, message_id)
    check_deletion(tx, user, row, tx.now)
    delete_messages(tx, [row], by=user.id)
    return {}


def report(
    tx: Tx,
    user: UserRow,
    message_id: MessageId,
    *,
    report_type: Literal["spam", "harassment", "inappropriate", "norms", "other"],
    description: Annotated[str, MaxLength(1000)] = "",
) -> Done:
    """Tell the moderators of a message."""
    row = access_message(tx, user, message_id)
    channel = channels.by_id(tx, realm.setting(tx, "moderation_request_channel_id"))
    if channel is None:
        raise ApiError("Moderation request channel must be specified to enable message reporting.")
    if report_type == "other" and not description.strip():
        raise ApiError("An explanation is required when reporting a message as other.")
    author = users.by_id(tx, row.sender_id)
    assert author is not None
    notices.tell_report(tx, channel, user, author, row, f"**{report_type}** {description.strip()}")
    return {}


def delete_topic(
    tx: Tx, user: UserRow, stream_id: ChannelId, *, topic_name: Annotated[str, Alias("topic")]
) -> Complete:
    """Delete the newest messages of a topic; repeated until `complete`, nothing of it is left."""
    channel = access_channel_by_id(tx, user, stream_id, wants="content")
    if not may_delete_any(tx, user, channel):
        raise Insufficient("Must be an organization administrator")
    topic = topics.by_name(tx, channel.id, clean_topic(topic_name))
    if topic is None or topic.max_id == 0:
        return {"complete": True}
    newest = query(tx, user, [Term("channel", channel.id), Term("topic", topic.name)]).ids(
        tx, limit=AT_ONCE + 1, newest=True
    )
    delete_messages(tx, messages.by_ids(tx, newest[:AT_ONCE]), by=user.id)
    return {"complete": len(newest) <= AT_ONCE}
