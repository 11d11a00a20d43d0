"""Drafts as the API's JSON. Reads nothing."""

from typing_extensions import TypedDict

from server_lite.store.drafts import DraftRow, DraftType


class DraftObject(TypedDict):
    """A draft; `to` are a channel's id or people's, `timestamp` is in UNIX seconds."""

    id: int
    type: DraftType
    to: list[int]
    topic: str
    content: str
    timestamp: int


def draft_object(row: DraftRow) -> DraftObject:
    """The Draft object; the topic is as it was written, also where it is empty."""
    return {
        "id": row.id,
        "type": row.type,
        "to": row.to,
        "topic": row.topic,
        "content": row.content,
        "timestamp": int(row.timestamp),
    }
