"""Messages: edit, move, delete, report. Thin."""

import hashlib
from dataclasses import field, replace
from typing import Annotated, Literal, cast

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
from server_lite.api.idempotency import Progress
from server_lite.api.params import Alias, RequestInfo
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.endpoints.messages import ABSENT
from server_lite.errors import ApiError, Conflict, Insufficient
from server_lite.ids import ChannelId, MessageId, TopicId
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
    earlier = context.earlier_answer()
    if earlier is not None:
        return cast(Edited, earlier)
    if propagate_mode == "change_all":
        now = context.database.clock()
        await context.database.read_long(lambda db: edit.check_whole(db, now), asker=user.id)
    async with context.rendering.ahead(
        user, "" if content == ABSENT else content, request.base_url
    ):
        return await context.write_in_slices(edit, edit.progress)


class _Respelling(TypedDict):
    """A topic's new spelling, whose event was sent, to be recorded on each of its messages."""

    topic_id: TopicId
    old: str
    new: str
    at: float
    """UNIX seconds; messages that moved into the topic since then always had the new spelling."""
    above: MessageId
    """Message up to which it was recorded."""
    until: MessageId
    answer: Edited


@dataclass(slots=True)
class _MoveProgress(Progress):
    """What was done of moving messages."""

    moved: int = 0
    respelling: _Respelling | None = None


@dataclass(kw_only=True)
class _Edit:
    """A change that moves messages in parts: called until it returns the answer.

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
    above: int = 0
    """ID up to which the topic's messages were moved."""
    progress: _MoveProgress = field(default_factory=_MoveProgress)

    def __call__(self, tx: Tx) -> Edited | None:
        respelling = self.progress.respelling
        if respelling is not None and _is_spelled(tx, respelling):
            return None if self._record_some(tx, respelling) else respelling["answer"]
        row, text, move = self._meant(tx, tx.now)
        if move is not None:
            move, above = next_part(tx, self.user, move, self.above)
            if above is not None:
                self.above = above
                self._move_part(tx, move)
                return None
            if move_some_policies(tx, move):
                return None
        answer = self._finish(tx, row, text, move)
        if move is None or not move.is_respelling or len(move.ids) <= SLICE:
            return answer
        self.progress.respelling = {
            "topic_id": move.old_topic_id,
            "old": move.old_topic,
            "new": move.topic,
            "at": tx.now,
            "above": move.ids[SLICE - 1],
            "until": move.ids[-1],
            "answer": answer,
        }
        return None

    def check_whole(self, db: Db, now: float) -> None:
        """Refuse to move a whole topic some of whose messages are too old."""
        if self._is_there(db):
            return  # nothing moves, or what is left of a respelling is recorded
        row, _, move = self._meant(db, now)
        if move is not None and self.mode == "change_all" and not move.is_resolving:
            assert row.topic_id is not None
            check_whole_move(
                db, self.user, row.topic_id, to_other_channel=move.changes_channel, now=now
            )

    def _is_there(self, db: Db) -> bool:
        """Whether the message is in the topic and channel that the request names."""
        row = access_message(db, self.user, self.message_id)
        names = {row.topic} if self.topic == ABSENT else {row.topic, clean_topic(self.topic)}
        return len(names) == 1 and self.stream_id in (None, row.channel_id)

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
            self.progress.moved += len(move.ids)

    def _finish(self, tx: Tx, row: MessageRow, text: str | None, move: Move | None) -> Edited:
        linked = uploads.linked_in(tx, [row.id]) if text is not None and row.has_attachment else []
        base_url = self.request.base_url
        edit_message(tx, self.user, row, content=text, move=move, base_url=base_url)
        if move is not None:
            count = self.progress.moved + len(move.ids)
            notification_messages.announce_move(
                tx, self.user, move, count, old=self.old, new=self.new, base_url=base_url
            )
        detached = [upload for upload in linked if not uploads.newest_messages_of(tx, upload.id, 1)]
        return {"detached_uploads": [attachment_object(upload, ()) for upload in detached]}

    def _record_some(self, tx: Tx, respelling: _Respelling) -> bool:
        """Record the new spelling on some messages; returns whether there may be more of them."""
        ids = messages.ids_not_moved_since(
            tx,
            respelling["topic_id"],
            respelling["at"],
            above=respelling["above"],
            until=respelling["until"],
            limit=SLICE,
        )
        for row in messages.by_ids(tx, ids[:1]):
            assert row.channel_id is not None
            channel = channels.by_id(tx, row.channel_id)
            assert channel is not None
            before = replace(row, topic=respelling["old"])
            annotate(tx, self.user, planned(tx, before, channel, respelling["new"], self.mode), ids)
            respelling["above"] = ids[-1]
        return len(ids) == SLICE


def _is_spelled(db: Db, respelling: _Respelling) -> bool:
    """Whether the topic still has the new spelling."""
    topic = topics.by_id(db, respelling["topic_id"])
    return topic is not None and topic.name == respelling["new"]


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


async def delete(context: Context, user: UserRow, message_id: MessageId) -> Done:
    """Delete a message."""

    def step(tx: Tx) -> Done | None:
        row = access_message(tx, user, message_id)
        check_deletion(tx, user, row, tx.now)
        if not first_to_delete(tx, [row.id]):
            return None
        delete_messages(tx, [row], by=user.id)
        return {}

    return await context.write_in_slices(step)


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


@dataclass(slots=True)
class _DeletionProgress(Progress):
    """How many messages of a topic were deleted."""

    deleted: int = 0


async def delete_topic(
    context: Context,
    user: UserRow,
    stream_id: ChannelId,
    *,
    topic_name: Annotated[str, Alias("topic")],
) -> Complete:
    """Delete the newest messages of a topic; repeat until `complete` to delete all of it."""
    name = clean_topic(topic_name)
    progress = _DeletionProgress()

    def step(tx: Tx) -> Complete | None:
        channel = access_channel_by_id(tx, user, stream_id, wants="content")
        if not may_delete_any(tx, user, channel):
            raise Insufficient("Must be an organization administrator")
        topic = topics.by_name(tx, channel.id, name)
        if topic is None or topic.max_id == 0:
            return {"complete": True}
        newest = query(tx, user, [Term("channel", channel.id), Term("topic", topic.name)]).ids(
            tx, limit=message_deletion.SLICE + 1, newest=True
        )
        part = first_to_delete(tx, [*map(MessageId, newest[: message_deletion.SLICE])])
        delete_messages(tx, messages.by_ids(tx, part), by=user.id)
        progress.deleted += len(part)
        complete = len(newest) == len(part)
        return {"complete": complete} if complete or progress.deleted >= AT_ONCE else None

    return await context.write_in_slices(step, progress)
