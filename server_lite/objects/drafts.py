"""Drafts as the API's JSON. Reads nothing."""

from typing import Any

from server_lite.store.drafts import DraftRow


def draft_object(row: DraftRow) -> dict[str, Any]:
    """The Draft object; the topic is as it was written, also where it is empty."""
    return {
        "id": row.id,
        "type": row.type,
        "to": row.to,
        "topic": row.topic,
        "content": row.content,
        "timestamp": int(row.timestamp),
    }
