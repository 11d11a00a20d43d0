"""Submessages as the API's JSON. Pure."""

from typing import Any

from server_lite.store.submessages import SubmessageRow


def submessage_object(row: SubmessageRow) -> dict[str, Any]:
    """An entry of a message's `submessages`."""
    return {
        "id": row.id,
        "message_id": row.message_id,
        "sender_id": row.sender_id,
        "msg_type": row.msg_type,
        "content": row.content,
    }
