"""Rows of reactions, oldest first. SQL only.

A reaction is identified by (message, user, type, code): the name is only what the user typed.
"""

from collections.abc import Collection
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row


@dataclass(frozen=True, slots=True)
class ReactionRow:
    """A row of `reaction`; `type` is unicode_emoji, realm_emoji or service_extra_emoji."""

    message_id: MessageId
    user_id: UserId
    type: str
    code: str
    name: str


_ROWS: Final = Rows(
    ReactionRow,
    "reaction",
    columns={"type": "reaction_type", "code": "emoji_code", "name": "emoji_name"},
)


def of_messages(db: Db, ids: Collection[int]) -> dict[int, list[ReactionRow]]:
    """Return reactions by message; messages without any are left out."""
    by_message: dict[int, list[ReactionRow]] = {}
    for reaction in _ROWS.among(db, "message_id", ids):
        by_message.setdefault(reaction.message_id, []).append(reaction)
    return by_message


def emoji_of_person(db: Db, message_id: MessageId, user_id: UserId) -> set[tuple[str, str]]:
    """Return type and code of each of the user's reactions on the message."""
    rows = db.rows(
        "SELECT reaction_type, emoji_code FROM reaction WHERE message_id = ? AND user_id = ?",
        message_id,
        user_id,
    )
    return {(str(type), str(code)) for type, code in rows}


def insert(db: Db, reaction: ReactionRow) -> None:
    """Insert a reaction."""
    insert_row(
        db,
        "reaction",
        message_id=reaction.message_id,
        user_id=reaction.user_id,
        reaction_type=reaction.type,
        emoji_code=reaction.code,
        emoji_name=reaction.name,
    )


def delete(db: Db, reaction: ReactionRow) -> None:
    """Delete a reaction."""
    db.run(
        "DELETE FROM reaction WHERE message_id = ? AND user_id = ? AND reaction_type = ?"
        " AND emoji_code = ?",
        reaction.message_id,
        reaction.user_id,
        reaction.type,
        reaction.code,
    )


def find(
    db: Db, message_id: MessageId, *, name: str | None, code: str | None, type: str | None
) -> ReactionRow | None:
    """Return any user's reaction on the message with this name, code and type; None matches all."""
    return _ROWS.one(
        db,
        "WHERE message_id = ? AND (? IS NULL OR emoji_name = ?)"
        " AND (? IS NULL OR emoji_code = ?) AND (? IS NULL OR reaction_type = ?) ORDER BY id LIMIT 1",
        message_id,
        name,
        name,
        code,
        code,
        type,
        type,
    )


def of_person(
    db: Db, message_id: MessageId, user_id: UserId, code: str, type: str | None
) -> ReactionRow | None:
    """Return the user's reaction with this code; a type of None matches all."""
    return _ROWS.one(
        db,
        "WHERE message_id = ? AND user_id = ? AND emoji_code = ?"
        " AND (? IS NULL OR reaction_type = ?)",
        message_id,
        user_id,
        code,
        type,
        type,
    )
