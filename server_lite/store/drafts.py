"""Rows of drafts. SQL only."""

from typing import Final, Literal

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row

DraftType = Literal["", "stream", "private"]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A row of `draft`; `to` is a channel's ID or user IDs, time in UNIX seconds."""

    id: int
    user_id: UserId
    type: DraftType
    to: list[int]
    topic: str
    content: str
    timestamp: float


_ROWS: Final = Rows(DraftRow, "draft", columns={"to": "draft.recipient"})


def by_id(db: Db, draft_id: int) -> DraftRow | None:
    """Return the draft, whoever owns it."""
    return _ROWS.one(db, "WHERE id = ?", draft_id)


def of_user(db: Db, user_id: UserId) -> list[DraftRow]:
    """Return a user's drafts, least recently edited first."""
    return _ROWS.all(db, "WHERE user_id = ? ORDER BY timestamp, id", user_id)


def count(db: Db, user_id: UserId) -> int:
    """Return how many drafts a user has."""
    number: int = db.value("SELECT count(*) FROM draft WHERE user_id = ?", user_id)
    return number


def size(db: Db, user_id: UserId) -> int:
    """Return the characters of a user's drafts, with 1,000 more for each."""
    total: int = db.value(
        "SELECT ifnull(sum(length(content) + 1000), 0) FROM draft WHERE user_id = ?", user_id
    )
    return total


def insert(db: Db, draft: DraftRow) -> int:
    """Insert a draft; its ID is assigned and returned."""
    return insert_row(
        db,
        "draft",
        user_id=draft.user_id,
        type=draft.type,
        recipient=orjson.dumps(draft.to).decode(),
        topic=draft.topic,
        content=draft.content,
        timestamp=draft.timestamp,
    )


def replace(db: Db, draft: DraftRow) -> None:
    """Replace the draft of this ID."""
    db.run(
        "UPDATE draft SET type = ?, recipient = ?, topic = ?, content = ?, timestamp = ?"
        " WHERE id = ?",
        draft.type,
        orjson.dumps(draft.to).decode(),
        draft.topic,
        draft.content,
        draft.timestamp,
        draft.id,
    )


def delete(db: Db, draft_id: int) -> None:
    """Delete the draft."""
    db.run("DELETE FROM draft WHERE id = ?", draft_id)
