"""Rows of direct conversations: one per set of people, the sender included. SQL only."""

from collections.abc import Collection

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, placeholders
from server_lite.store.rows import insert_row


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One row of `conversation`. `members` are all participants, ascending."""

    id: int
    members: tuple[UserId, ...]
    max_id: int
    """Its newest message; 0 when none is left."""


def _conversation(row: tuple[int, str, int]) -> ConversationRow:
    conversation_id, members, max_id = row
    return ConversationRow(
        conversation_id, tuple(UserId(int(member)) for member in members.split(",")), max_id
    )


def _key(members: Collection[UserId]) -> str:
    return ",".join(map(str, sorted(set(members))))


def between(db: Db, members: Collection[UserId]) -> ConversationRow | None:
    """The conversation of exactly these people."""
    row = db.row("SELECT id, members, max_id FROM conversation WHERE members = ?", _key(members))
    return _conversation((row[0], row[1], row[2])) if row else None


def ensure(db: Db, members: Collection[UserId]) -> ConversationRow:
    """The same, made if it is new."""
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
    """Conversations by id."""
    if not ids:
        return {}
    sorted_ids = sorted(set(ids))
    rows = db.rows(
        f"SELECT id, members, max_id FROM conversation WHERE id IN ({placeholders(sorted_ids)})",
        *sorted_ids,
    )
    return {row[0]: _conversation((row[0], row[1], row[2])) for row in rows}


def recent(db: Db, user_id: UserId, limit: int) -> list[tuple[list[str], int]]:
    """A person's conversations that have messages, the most recent first: IDs of all members, and the newest message.

    The IDs are text, as they are stored: many are only written on.
    """
    rows = db.rows(
        "SELECT members, max_id FROM conversation WHERE max_id > 0 AND id IN"
        " (SELECT conversation_id FROM conversation_member WHERE user_id = ?)"
        " ORDER BY max_id DESC LIMIT ?",
        user_id,
        limit,
    )
    return [(members.split(","), max_id) for members, max_id in rows]


def raise_max_id(db: Db, conversation_id: int, message_id: MessageId) -> None:
    """A message came into the conversation."""
    db.run("UPDATE conversation SET max_id = ? WHERE id = ?", message_id, conversation_id)


def recount(db: Db, conversation_id: int) -> None:
    """A message was deleted: find the newest again."""
    db.run(
        "UPDATE conversation SET max_id = (SELECT coalesce(max(id), 0) FROM message"
        " WHERE conversation_id = ?) WHERE id = ?",
        conversation_id,
        conversation_id,
    )
