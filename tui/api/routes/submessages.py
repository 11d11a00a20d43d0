"""Votes in polls and ticks in to-do lists. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import MessageId


async def send(connection: Connection, *, message_id: MessageId, content: str) -> None:
    """POST /submessage: `content` is the widget's JSON text."""
    await connection.post(
        "/submessage", {"message_id": message_id, "msg_type": "widget", "content": content}
    )
