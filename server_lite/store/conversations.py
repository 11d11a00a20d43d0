"""Rows of direct conversations: one per set of participants, the sender included. SQL only."""

from collections.abc import Collection

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, placeholders
from server_lite.store.rows import insert_row


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A row of `conversation`. `members` are all participants, ascending."""

    id: int
    members: tuple[UserId, ...]
    max_id: int
    """ID of the newest message; 0 without messages."""


def _conversation(row: tuple[int, str, int]) -> ConversationRow:
    conversation_id, members, max_id = row
    return ConversationRow(
        conversation_id, tuple(UserId(int(member)) for member in members.split(",")), max_id
    )


def _key(members: Collection[UserId]) -> str:
    return ",".join(map(str, sorted(set(members))))


def between(db: Db, members: Collection[UserId]) -> ConversationRow | None:
    """Return the conversation with exactly these participants."""
    row = db.row("SELECT id, members, max_id FROM conversation WHERE members = ?", _key(members))
    return _conversation((row[0], row[1], row[2])) if row else None


def ensure(db: Db, members: Collection[UserId]) -> ConversationRow:
    """Return the conversation with exactly these participants; created if missing."""
    conversation = between(db, members)
    if conversation is not None:
        return conversation
    everyone = sorted(set(members))
    conversation_id = insert_row(db, "conversation", members=_key(everyone))
    db.many(
        "INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)",
        [(user_id, conversation_id) for user_id in everyone],
    )
    return ConversationRow(conversation_id, tuple(everyone), 0)


def by_ids(db: Db, ids: Collection[int]) -> dict[int, ConversationRow]:
    """Return conversations by ID."""
    if not ids:
        return {}
    sorted_ids = sorted(set(ids))
    rows = db.rows(
        f"SELECT id, members, max_id FROM conversation WHERE id IN ({placeholders(sorted_ids)})",
        *sorted_ids,
    )
    return {row[0]: _conversation((row[0], row[1], row[2])) for row in rows}


def recent(db: Db, user_id: UserId, limit: int) -> list[str]:
    """Return a user's nonempty conversations, most recent first, each as a JSON object.

    It has the newest message as `max_message_id`, and the other participants as `user_ids`.
    """
    return db.column(
        "SELECT '{\"max_message_id\":' || max_id || ',\"user_ids\":['"
        " || trim(replace(',' || members || ',', ?, ','), ',') || ']}'"
        " FROM conversation WHERE max_id > 0 AND id IN"
        " (SELECT conversation_id FROM conversation_member WHERE user_id = ?)"
        " ORDER BY max_id DESC LIMIT ?",
        f",{user_id},",
        user_id,
        limit,
    )


def raise_max_id(db: Db, conversation_id: int, message_id: MessageId) -> None:
    """Store the conversation's newest message."""
    db.run("UPDATE conversation SET max_id = ? WHERE id = ?", message_id, conversation_id)


def recount(db: Db, conversation_id: int) -> None:
    """Recompute the newest message after a deletion."""
    db.run(
        "UPDATE conversation SET max_id = (SELECT coalesce(max(id), 0) FROM message"
        " WHERE conversation_id = ?) WHERE id = ?",
        conversation_id,
        conversation_id,
    )
