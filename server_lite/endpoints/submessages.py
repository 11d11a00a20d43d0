"""Submessages of polls and to-do lists. Thin."""

from typing import Annotated, Literal

from server_lite.access.messages import access_message
from server_lite.actions.submessages import add_submessage
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.ids import MessageId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def send(
    tx: Tx,
    user: UserRow,
    *,
    message_id: MessageId,
    msg_type: Literal["widget"],
    content: Annotated[str, MaxLength(10_000)],
) -> Done:
    """Add a submessage: vote, add an option or a task, check off a task."""
    add_submessage(tx, user, access_message(tx, user, message_id), msg_type, content)
    return {}
