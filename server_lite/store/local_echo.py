"""Messages by their clients' local IDs. SQL only; rows are deleted with their queue."""

from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db


def is_live(db: Db, user_id: UserId, queue_id: str) -> bool:
    """Whether the user has this queue."""
    return db.row("SELECT 1 FROM queue WHERE id = ? AND user_id = ?", queue_id, user_id) is not None


def find(db: Db, queue_id: str, local_id: str, digest: bytes) -> MessageId | None:
    """Return the message already sent under this local ID with the same digest."""
    message_id: MessageId | None = db.value(
        "SELECT message_id FROM local_echo WHERE queue_id = ? AND local_id = ? AND digest = ?",
        queue_id,
        local_id,
        digest,
    )
    return message_id


def remember(db: Db, queue_id: str, local_id: str, message_id: MessageId, digest: bytes) -> None:
    """Record the message sent under this local ID."""
    db.run(
        "INSERT OR REPLACE INTO local_echo (queue_id, local_id, message_id, digest)"
        " VALUES (?, ?, ?, ?)",
        queue_id,
        local_id,
        message_id,
        digest,
    )
