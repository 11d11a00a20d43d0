"""Sending, fetching, editing and deleting messages. No state, no retries."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from tui.api.connection import Connection
from tui.api.destination import Destination, to_parameters
from tui.api.history import HistoryEntry
from tui.api.model import (
    Anchor,
    Attachment,
    ChannelId,
    LocalId,
    Message,
    MessageId,
    NotUnlessSent,
    QueueId,
    UserId,
)
from tui.api.wire import ApiNarrow
from tui.dataclass import dataclass

GENERATION_CHANGED: Final = "ORGANIZATION_GENERATION_CHANGED"
"""The code of a refusal: the server was restored from a backup since the message was written."""
PropagateMode: TypeAlias = Literal["change_one", "change_later", "change_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """The sent message; the policy is 2 or 3 if sending unmuted or followed the topic."""

    id: MessageId
    automatic_new_visibility_policy: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedMessages:
    """Messages by ascending ID; the `found_…` say which ends of the narrow were reached.

    `anchor` is the ID that was used, None if messages were fetched by ID.
    """

    anchor: int | None
    found_anchor: NotUnlessSent
    found_oldest: NotUnlessSent
    found_newest: NotUnlessSent
    history_limited: NotUnlessSent
    messages: tuple[Message, ...]


async def send(
    connection: Connection,
    *,
    destination: Destination,
    content: str,
    queue_id: QueueId | None,
    local_id: LocalId | None,
    idempotency_key: str | None,
    generation: str = "",
) -> SentMessage:
    """POST /messages: return the new ID. The queue's event has the `local_id`.

    ApiRefused codes: STREAM_DOES_NOT_EXIST, STREAM_WILDCARD_MENTION_NOT_ALLOWED,
    TOPIC_WILDCARD_MENTION_NOT_ALLOWED, GENERATION_CHANGED. See `ApiError.may_have_arrived` before sending
    again.
    """
    answer = await connection.post(
        "/messages",
        {
            **to_parameters(destination),
            "content": content,
            "queue_id": queue_id,
            "local_id": local_id,
            "read_by_sender": True,
        },
        idempotency_key=idempotency_key,
        generation=generation,
    )
    return answer.whole(SentMessage)


async def fetch(
    connection: Connection,
    *,
    narrow: ApiNarrow,
    anchor: Anchor,
    include_anchor: bool,
    num_before: int,
    num_after: int,
    apply_markdown: bool,
) -> FetchedMessages:
    """GET /messages: return the matching messages around an anchor; at most 5000 in all, better 1000.

    ApiRefused code BAD_REQUEST: the narrow is not valid for the server.
    """
    answer = await connection.get(
        "/messages",
        {
            "narrow": narrow,
            "anchor": anchor,
            "include_anchor": include_anchor,
            "num_before": num_before,
            "num_after": num_after,
            "apply_markdown": apply_markdown,
            "client_gravatar": True,
            "allow_empty_topic_name": True,
        },
    )
    return answer.whole(FetchedMessages)


async def first_since(
    connection: Connection, *, narrow: ApiNarrow, moment: str
) -> MessageId | None:
    """GET /messages: return the first match not older than an ISO 8601 time (level 445), None if there is
    none.
    """
    answer = await connection.get(
        "/messages",
        {
            "narrow": narrow,
            "anchor": "date",
            "anchor_date": moment,
            "num_before": 0,
            "num_after": 0,
            "client_gravatar": True,
            "allow_empty_topic_name": True,
        },
    )
    messages = answer.whole(FetchedMessages).messages
    return messages[0].id if messages else None


async def fetch_by_id(
    connection: Connection, *, message_ids: Sequence[MessageId], apply_markdown: bool
) -> tuple[Message, ...]:
    """GET /messages: return the accessible ones of these messages (since level 300)."""
    answer = await connection.get(
        "/messages",
        {
            "message_ids": message_ids,
            "apply_markdown": apply_markdown,
            "client_gravatar": True,
            "allow_empty_topic_name": True,
        },
    )
    return answer.whole(FetchedMessages).messages


async def get(connection: Connection, *, message_id: MessageId, apply_markdown: bool) -> Message:
    """GET /messages/{id}: return one message. Code BAD_REQUEST: it does not exist, or is not accessible."""
    answer = await connection.get(
        f"/messages/{message_id}",
        {"apply_markdown": apply_markdown, "allow_empty_topic_name": True},
    )
    return answer.read("message", Message)


async def edit(
    connection: Connection,
    *,
    message_id: MessageId,
    content: str,
    prev_content_sha256: str | None,
) -> tuple[Attachment, ...]:
    """PATCH /messages/{id}: set new content; return uploads that no message refers to any more.

    ApiRefused code EXPECTATION_MISMATCH: the current content does not match the hash (hex).
    """
    answer = await connection.patch(
        f"/messages/{message_id}",
        {"content": content, "prev_content_sha256": prev_content_sha256},
    )
    return answer.read_or("detached_uploads", tuple[Attachment, ...], ())


async def move(
    connection: Connection,
    *,
    message_id: MessageId,
    topic: str | None,
    channel_id: ChannelId | None,
    propagate_mode: PropagateMode,
    notify_old_topic: bool,
    notify_new_topic: bool,
) -> None:
    """PATCH /messages/{id}: move it to another topic or channel, perhaps with its neighbors.

    ApiRefused code MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: `data` counts those that may be moved.
    """
    await connection.patch(
        f"/messages/{message_id}",
        {
            "topic": topic,
            "stream_id": channel_id,
            "propagate_mode": propagate_mode,
            "send_notification_to_old_thread": notify_old_topic,
            "send_notification_to_new_thread": notify_new_topic,
        },
    )


async def delete(connection: Connection, *, message_id: MessageId) -> None:
    """DELETE /messages/{id}. Code BAD_REQUEST: deleted already, or not permitted."""
    await connection.delete(f"/messages/{message_id}", {})


async def history(connection: Connection, *, message_id: MessageId) -> tuple[HistoryEntry, ...]:
    """GET /messages/{id}/history: return every version, oldest first."""
    answer = await connection.get(
        f"/messages/{message_id}/history", {"allow_empty_topic_name": True}
    )
    return answer.read("message_history", tuple[HistoryEntry, ...])


async def render(connection: Connection, *, content: str) -> str:
    """POST /messages/render: return the HTML of a message with this Markdown."""
    answer = await connection.post("/messages/render", {"content": content})
    return answer.read("rendered", str)


async def read_receipts(connection: Connection, *, message_id: MessageId) -> frozenset[UserId]:
    """GET /messages/{id}/read_receipts: return the readers who share read receipts."""
    answer = await connection.get(f"/messages/{message_id}/read_receipts", {})
    return answer.read("user_ids", frozenset[UserId])


async def matches_narrow(
    connection: Connection, *, message_ids: Sequence[MessageId], narrow: ApiNarrow
) -> frozenset[MessageId]:
    """GET /messages/matches_narrow: return which of the messages match."""
    answer = await connection.get(
        "/messages/matches_narrow", {"msg_ids": message_ids, "narrow": narrow}
    )
    return frozenset(answer.read("messages", dict[MessageId, object]))


async def report(
    connection: Connection, *, message_id: MessageId, report_type: str, description: str | None
) -> None:
    """POST /messages/{id}/report: report it to the moderators."""
    await connection.post(
        f"/messages/{message_id}/report",
        {"report_type": report_type, "description": description},
    )
