"""Rows of submessages: what was added to polls and to-do lists, in order. SQL only."""

from collections.abc import Collection

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, marks


@dataclass(frozen=True, slots=True)
class SubmessageRow:
    """One row of `submessage`; `content` is JSON text."""

    id: int
    message_id: MessageId
    sender_id: UserId
    msg_type: str
    content: str


_COLUMNS = "id, message_id, sender_id, msg_type, content"


def of_messages(db: Db, ids: Collection[int]) -> dict[int, list[SubmessageRow]]:
    """Submessages by message; messages without any are left out."""
    wanted = sorted(ids)
    found: dict[int, list[SubmessageRow]] = {}
    for row in db.rows(
        f"SELECT {_COLUMNS} FROM submessage WHERE message_id IN ({marks(wanted)}) ORDER BY id",
        *wanted,
    ):
        submessage = SubmessageRow(*row)
        found.setdefault(submessage.message_id, []).append(submessage)
    return found


def insert(
    db: Db, message_id: MessageId, sender_id: UserId, msg_type: str, content: str
) -> SubmessageRow:
    """Add one."""
    submessage_id = db.insert(
        "INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)",
        message_id,
        sender_id,
        msg_type,
        content,
    )
    return SubmessageRow(submessage_id, message_id, sender_id, msg_type, content)
