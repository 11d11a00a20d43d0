"""Rows of reactions, oldest first. SQL only.

The identity of a reaction is (message, person, type, code): names are only what the person typed.
"""

from collections.abc import Collection

from server_lite.dataclass import dataclass
from server_lite.ids import MessageId, UserId
from server_lite.store.connection import Db, marks


@dataclass(frozen=True, slots=True)
class ReactionRow:
    """One row of `reaction`; `type` is unicode_emoji, realm_emoji or service_extra_emoji."""

    message_id: MessageId
    user_id: UserId
    type: str
    code: str
    name: str


_COLUMNS = "message_id, user_id, reaction_type, emoji_code, emoji_name"


def of_messages(db: Db, ids: Collection[int]) -> dict[int, list[ReactionRow]]:
    """Reactions by message; messages without any are left out."""
    wanted = sorted(ids)
    found: dict[int, list[ReactionRow]] = {}
    for row in db.rows(
        f"SELECT {_COLUMNS} FROM reaction WHERE message_id IN ({marks(wanted)}) ORDER BY id",
        *wanted,
    ):
        reaction = ReactionRow(*row)
        found.setdefault(reaction.message_id, []).append(reaction)
    return found


def exists(db: Db, reaction: ReactionRow) -> bool:
    """Whether the person already reacted so."""
    return (
        db.row(
            "SELECT 1 FROM reaction WHERE message_id = ? AND user_id = ? AND reaction_type = ?"
            " AND emoji_code = ?",
            reaction.message_id,
            reaction.user_id,
            reaction.type,
            reaction.code,
        )
        is not None
    )


def insert(db: Db, reaction: ReactionRow) -> None:
    """A new reaction."""
    db.run(
        f"INSERT INTO reaction ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
        reaction.message_id,
        reaction.user_id,
        reaction.type,
        reaction.code,
        reaction.name,
    )


def delete(db: Db, reaction: ReactionRow) -> None:
    """Take a reaction back."""
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
    """Any reaction on the message with this name, code and type, whoever made it; None matches all."""
    row = db.row(
        f"SELECT {_COLUMNS} FROM reaction WHERE message_id = ? AND (? IS NULL OR emoji_name = ?)"
        " AND (? IS NULL OR emoji_code = ?) AND (? IS NULL OR reaction_type = ?) ORDER BY id LIMIT 1",
        message_id,
        name,
        name,
        code,
        code,
        type,
        type,
    )
    return ReactionRow(*row) if row else None


def of_person(
    db: Db, message_id: MessageId, user_id: UserId, code: str, type: str | None
) -> ReactionRow | None:
    """The person's reaction with this code; a type of None matches all."""
    row = db.row(
        f"SELECT {_COLUMNS} FROM reaction WHERE message_id = ? AND user_id = ? AND emoji_code = ?"
        " AND (? IS NULL OR reaction_type = ?)",
        message_id,
        user_id,
        code,
        type,
        type,
    )
    return ReactionRow(*row) if row else None
