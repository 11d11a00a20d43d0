"""Messages: edit, move, delete, report. Thin."""

import hashlib
from typing import Annotated, Literal

from typing_extensions import TypedDict

from server_lite.access.channels import access_channel_by_id, access_channel_for_posting
from server_lite.access.message_changes import (
    check_channel_edit,
    check_content_edit,
    check_deletion,
    check_topic_edit,
    check_whole_move,
    may_delete_any,
)
from server_lite.access.message_validation import check_topic, clean_topic, normalize_content
from server_lite.access.messages import access_message
from server_lite.actions import message_deletion, notification_messages
from server_lite.actions.message_deletion import delete_messages, first_to_delete
from server_lite.actions.message_edits import edit_message
from server_lite.actions.message_moves import (
    SLICE,
    Mode,
    Move,
    annotate,
    move_some_policies,
    next_part,
    planned,
)
from server_lite.api.answers import Done
from server_lite.api.decoding import LongText, MaxLength
from server_lite.api.idempotency import earlier_answer, remember
from server_lite.api.params import Alias, RequestInfo
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.endpoints.messages import ABSENT
from server_lite.errors import ApiError, Conflict, Insufficient
from server_lite.ids import ChannelId, MessageId
from server_lite.narrow.query import query
from server_lite.narrow.terms import Term
from server_lite.objects.uploads import AttachmentObject, attachment_object
from server_lite.store import channels, messages, realm, topics, uploads, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

DELETED = "(deleted)"
"""Content of a message whose text was removed."""

AT_ONCE = 1000
"""Maximum of messages in a topic that one request deletes."""


class Edited(TypedDict):
    """Files that no message links now, so that the client can offer to delete them."""

    detached_uploads: list[AttachmentObject]


class Complete(TypedDict):
    """Whether the whole topic was deleted."""

    complete: bool


async def edit(
    context: Context,
    user: UserRow,
    message_id: MessageId,
    *,
    topic: Annotated[LongText, Alias("subject")] = ABSENT,
    propagate_mode: Mode = "change_one",
    send_notification_to_old_thread: bool = False,
    send_notification_to_new_thread: bool = True,
    content: LongText = ABSENT,
    prev_content_sha256: str | None = None,
    stream_id: ChannelId | None = None,
    request: RequestInfo,
) -> Edited:
    """Edit a message's content, topic or channel."""
    edit = _Edit(
        user=user,
        message_id=message_id,
        topic=topic,
        mode=propagate_mode,
        old=send_notification_to_old_thread,
        new=send_notification_to_new_thread,
        content=content,
        expected=prev_content_sha256,
        stream_id=stream_id,
        request=request,
    )
    resend = request.resend
    earlier: Edited | None = (
        None if resend is None else context.read(lambda db: earlier_answer(db, user.id, resend))
    )
    if earlier is not None:
        return earlier
    if propagate_mode == "change_all":
        now = context.database.clock()
        await context.database.read_long(lambda db: edit.check_whole(db, now), asker=user.id)
    async with context.rendering.ahead(
        user, "" if content == ABSENT else content, request.base_url
    ):
        await context.write_in_slices(edit)
    assert edit.answer is not None
    return edit.answer


@dataclass(kw_only=True)
class _Edit:
    """A change that moves messages in parts: called until it returns False.

    Each part checks all permissions again, because they may have changed since the previous part.
    """

    user: UserRow
    message_id: MessageId
    topic: str
    mode: Mode
    old: bool
    new: bool
    content: str
    expected: str | None
    stream_id: int | None
    request: RequestInfo
    answer: Edited | None = None
    above: int = 0
    """ID up to which the topic's messages were moved."""
    moved: int = 0
    respelt: Move | None = None
    """Respelling of the topic whose event was sent, to be recorded on the messages above `above`."""

    def __call__(self, tx: Tx) -> bool:
        if self.respelt is not None:
            return self._annotate(tx, self.respelt)
        resend = self.request.resend
        earlier = None if resend is None else earlier_answer(tx, self.user.id, resend)
        if earlier is not None:
            self.answer = earlier
            return False
        row, text, move = self._meant(tx, tx.now)
        if move is not None:
            move, above = next_part(tx, self.user, move, self.above)
            if above is not None:
                self.above = above
                self._move_part(tx, move)
                return True
            if move_some_policies(tx, move):
                return True
        self.answer = self._finish(tx, row, text, move)
        if resend is not None:
            remember(tx, self.user.id, resend, self.answer)
        if move is not None and move.is_respelling and len(move.ids) > SLICE:
            self.respelt, self.above = move, SLICE
            return True
        return False

    def check_whole(self, db: Db, now: float) -> None:
        """Refuse to move a whole topic some of whose messages are too old."""
        row, _, move = self._meant(db, now)
        if move is not None and self.mode == "change_all" and not move.is_resolving:
            assert row.topic_id is not None
            check_whole_move(
                db, self.user, row.topic_id, to_other_channel=move.changes_channel, now=now
            )

    def _meant(self, db: Db, now: float) -> tuple[MessageRow, str | None, Move | None]:
        row = access_message(db, self.user, self.message_id)
        text = None if self.content == ABSENT else _text(row, self.content, self.expected)
        if text is not None and self.stream_id is not None:
            raise ApiError("Cannot change message content while changing channel")
        if row.channel_id is None and self.topic != ABSENT:
            raise ApiError("Direct messages cannot have topics.")
        if row.channel_id is None and self.stream_id is not None:
            raise ApiError("Direct messages cannot be moved to channels.")
        name = row.topic if self.topic == ABSENT else clean_topic(self.topic)
        move = _move(db, self.user, row, name, self.stream_id, self.mode, now)
        if move is None and text is None:
            raise ApiError("Nothing to change")
        if move is None and self.mode != "change_one":
            raise ApiError("Invalid propagate_mode without topic edit")
        if text is not None:
            check_content_edit(db, self.user, row, now)
        return row, text, move

    def _move_part(self, tx: Tx, move: Move) -> None:
        first = messages.by_id(tx, move.ids[0]) if move.ids else None
        if first is not None:
            edit_message(tx, self.user, first, content=None, move=move)
            self.moved += len(move.ids)

    def _finish(self, tx: Tx, row: MessageRow, text: str | None, move: Move | None) -> Edited:
        linked = uploads.linked_in(tx, [row.id]) if text is not None and row.has_attachment else []
        base_url = self.request.base_url
        edit_message(tx, self.user, row, content=text, move=move, base_url=base_url)
        if move is not None:
            count = self.moved + len(move.ids)
            notification_messages.announce_move(
                tx, self.user, move, count, old=self.old, new=self.new, base_url=base_url
            )
        detached = [upload for upload in linked if not uploads.newest_messages_of(tx, upload.id, 1)]
        return {"detached_uploads": [attachment_object(upload, ()) for upload in detached]}

    def _annotate(self, tx: Tx, move: Move) -> bool:
        part = move.ids[self.above : self.above + SLICE]
        self.above += SLICE
        still = set(messages.ids_in_topic(tx, move.old_topic_id, first=part[0], limit=len(part)))
        annotate(tx, self.user, move, [one for one in part if one in still - {move.row.id}])
        return self.above < len(move.ids)


def _text(row: MessageRow, content: str, expected: str | None) -> str:
    if expected is not None and hashlib.sha256(row.content.encode()).hexdigest() != expected:
        raise Conflict("'prev_content_sha256' value does not match the expected value.")
    return normalize_content(content) if content.strip() else DELETED


def _move(
    db: Db,
    user: UserRow,
    row: MessageRow,
    topic: str,
    stream_id: int | None,
    mode: Mode,
    now: float,
) -> Move | None:
    """Return the requested move, None if nothing moves; raises ApiError if the user may not move it."""
    if row.channel_id is None:
        return None
    origin = channels.by_id(db, row.channel_id)
    assert origin is not None
    goes_out = stream_id is not None and stream_id != origin.id
    if not goes_out and topic == row.topic:
        return None
    if origin.is_archived:
        raise ApiError("You don't have permission to edit this message")
    target = origin
    if goes_out:
        assert stream_id is not None
        check_channel_edit(db, user, row, origin, now)
        target = access_channel_for_posting(db, user, stream_id)
    if topic != row.topic:
        check_topic_edit(db, user, row, origin, topic, now)
    check_topic(db, user, target, topic)
    return planned(db, row, target, topic, mode)


async def delete(
    context: Context, user: UserRow, message_id: MessageId, *, request: RequestInfo
) -> Done:
    """Delete a message."""

    def step(tx: Tx) -> Done | None:
        row = access_message(tx, user, message_id)
        check_deletion(tx, user, row, tx.now)
        if not first_to_delete(tx, [row.id]):
            return None
        delete_messages(tx, [row], by=user.id)
        return {}

    return await context.once_in_slices(user.id, request.resend, step)


def report(
    tx: Tx,
    user: UserRow,
    message_id: MessageId,
    *,
    report_type: Literal["spam", "harassment", "inappropriate", "norms", "other"],
    description: Annotated[str, MaxLength(1000)] = "",
) -> Done:
    """Report a message to the moderators."""
    row = access_message(tx, user, message_id)
    channel = channels.by_id(tx, realm.setting(tx, "moderation_request_channel_id"))
    if channel is None:
        raise ApiError("Moderation request channel must be specified to enable message reporting.")
    if report_type == "other" and not description.strip():
        raise ApiError("An explanation is required when reporting a message as other.")
    author = users.by_id(tx, row.sender_id)
    assert author is not None
    notification_messages.send_report(
        tx, channel, user, author, row, f"**{report_type}** {description.strip()}"
    )
    return {}


async def delete_topic(
    context: Context,
    user: UserRow,
    stream_id: ChannelId,
    *,
    topic_name: Annotated[str, Alias("topic")],
) -> Complete:
    """Delete the newest messages of a topic; repeat until `complete` to delete all of it."""
    name = clean_topic(topic_name)
    deleted = 0
    complete = False

    def step(tx: Tx) -> bool:
        nonlocal deleted, complete
        channel = access_channel_by_id(tx, user, stream_id, wants="content")
        if not may_delete_any(tx, user, channel):
            raise Insufficient("Must be an organization administrator")
        topic = topics.by_name(tx, channel.id, name)
        if topic is None or topic.max_id == 0:
            complete = True
            return False
        newest = query(tx, user, [Term("channel", channel.id), Term("topic", topic.name)]).ids(
            tx, limit=message_deletion.SLICE + 1, newest=True
        )
        part = first_to_delete(tx, [*map(MessageId, newest[: message_deletion.SLICE])])
        delete_messages(tx, messages.by_ids(tx, part), by=user.id)
        deleted += len(part)
        complete = len(newest) == len(part)
        return not complete and deleted < AT_ONCE

    await context.write_in_slices(step)
    return {"complete": complete}
