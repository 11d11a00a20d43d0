"""Rows of submessages: additions to polls and to-do lists, in order. SQL only."""

from collections.abc import Collection
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row


@dataclass(frozen=True, slots=True)
class SubmessageRow:
    """A row of `submessage`; `content` is JSON text."""

    id: int
    message_id: MessageId
    sender_id: UserId
    msg_type: str
    content: str


_ROWS: Final = Rows(SubmessageRow, "submessage")


def of_messages(db: Db, ids: Collection[int]) -> dict[int, list[SubmessageRow]]:
    """Return submessages by message; messages without any are left out."""
    by_message: dict[int, list[SubmessageRow]] = {}
    for submessage in _ROWS.among(db, "message_id", ids):
        by_message.setdefault(submessage.message_id, []).append(submessage)
    return by_message


def insert(
    db: Db, message_id: MessageId, sender_id: UserId, msg_type: str, content: str
) -> SubmessageRow:
    """Insert a submessage."""
    submessage_id = insert_row(
        db,
        "submessage",
        message_id=message_id,
        sender_id=sender_id,
        msg_type=msg_type,
        content=content,
    )
    return SubmessageRow(submessage_id, message_id, sender_id, msg_type, content)
