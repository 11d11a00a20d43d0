"""Submessages as the API's JSON. Pure."""

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store.submessages import SubmessageRow


class SubmessageObject(TypedDict):
    """A part of a poll or to-do list; `content` is JSON."""

    id: int
    message_id: int
    sender_id: UserId
    msg_type: str
    content: str


def submessage_object(row: SubmessageRow) -> SubmessageObject:
    """Return an entry of a message's `submessages`."""
    return {
        "id": row.id,
        "message_id": row.message_id,
        "sender_id": row.sender_id,
        "msg_type": row.msg_type,
        "content": row.content,
    }
