"""Outgoing messages and local drafts as text for the disk, and back. Pure."""

import json
from typing import Final, get_args

from tui.api.destination import Destination, DirectDestination, TopicDestination
from tui.api.model import ChannelId, DraftId, LocalId, MessageId, QueueId, UserId
from tui.store.drafts import LocalDraft, LocalDraftId, RequestedDraft
from tui.store.outbox import OutgoingMessage, OutgoingState

UNREADABLE: Final = (ValueError, TypeError, LookupError, OverflowError)
"""Errors of reading a damaged record, or one of another version."""


def outgoing_to_text(message: OutgoingMessage) -> str:
    """Return JSON for `outgoing_from_text`."""
    return json.dumps(
        {
            "local_id": message.local_id,
            "key": message.idempotency_key,
            "to": destination_to_json(message.destination),
            "content": message.content,
            "created": message.created,
            "state": message.state,
            "error": message.error,
            "attempted": message.attempted,
            "attempted_after": message.attempted_after,
            "queue_id": message.queue_id,
            "message_id": message.message_id,
            "generation": message.generation,
        }
    )


def outgoing_from_text(text: str) -> OutgoingMessage:
    """Return the message; raises one of UNREADABLE for any other text.

    Also if a damaged byte became a character of it: what would be sent is not what was written.
    """
    data = json.loads(text)
    if not text.isascii() or data["state"] not in get_args(OutgoingState):
        raise ValueError("damaged")
    destination = destination_from_json(data["to"])
    if destination is None:
        raise ValueError("a message goes somewhere")
    after, message_id = data["attempted_after"], data["message_id"]
    return OutgoingMessage(
        local_id=LocalId(str(data["local_id"])),
        idempotency_key=str(data["key"]),
        destination=destination,
        content=str(data["content"]),
        created=float(data["created"]),
        state=data["state"],
        error=str(data["error"]),
        attempted=None if data["attempted"] is None else float(data["attempted"]),
        attempted_after=None if after is None else MessageId(int(after)),
        queue_id=None if data["queue_id"] is None else QueueId(str(data["queue_id"])),
        message_id=None if message_id is None else MessageId(int(message_id)),
        generation=str(data.get("generation", "")),
    )


def draft_to_text(draft: LocalDraft) -> str:
    """Return JSON for `draft_from_text`."""
    return json.dumps(
        {
            "to": None if draft.destination is None else destination_to_json(draft.destination),
            "content": draft.content,
            "draft_id": draft.draft_id,
            "synced": draft.synced,
            "asked": None if draft.asked is None else [draft.asked.content, draft.asked.updated],
        }
    )


def draft_from_text(local_id: str, updated: float, text: str) -> LocalDraft:
    """Return the draft; raises one of UNREADABLE for any other text."""
    data = json.loads(text)
    draft_id, request = data["draft_id"], data.get("asked")
    return LocalDraft(
        local_id=LocalDraftId(local_id),
        destination=None if data["to"] is None else destination_from_json(data["to"]),
        content=str(data["content"]),
        updated=updated,
        draft_id=None if draft_id is None else DraftId(int(draft_id)),
        synced=None if data["synced"] is None else str(data["synced"]),
        asked=None if request is None else RequestedDraft(str(request[0]), float(request[1])),
    )


def destination_to_json(destination: Destination) -> dict[str, object]:
    """Return an object for `destination_from_json`."""
    if isinstance(destination, DirectDestination):
        return {"people": sorted(destination.user_ids)}
    return {"channel": destination.channel_id, "topic": destination.topic}


def destination_from_json(data: dict[str, object]) -> Destination | None:
    """Return the destination; None for an unknown kind."""
    match data:
        case {"people": list(people)}:
            return DirectDestination(user_ids=frozenset(UserId(int(each)) for each in people))
        case {"channel": int(channel_id), "topic": str(topic)}:
            return TopicDestination(channel_id=ChannelId(channel_id), topic=topic)
        case _:
            return None
