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
    """One row of `draft`; `to` are a channel's id or people's, time in UNIX seconds."""

    id: int
    user_id: UserId
    type: DraftType
    to: list[int]
    topic: str
    content: str
    timestamp: float


_ROWS: Final = Rows(DraftRow, "draft", columns={"to": "draft.recipient"})


def by_id(db: Db, draft_id: int) -> DraftRow | None:
    """The draft, whoever it belongs to."""
    return _ROWS.one(db, "WHERE id = ?", draft_id)


def of_user(db: Db, user_id: UserId) -> list[DraftRow]:
    """A person's drafts, the longest untouched first."""
    return _ROWS.all(db, "WHERE user_id = ? ORDER BY timestamp, id", user_id)


def count(db: Db, user_id: UserId) -> int:
    """How many drafts a person has."""
    number: int = db.value("SELECT count(*) FROM draft WHERE user_id = ?", user_id)
    return number


def insert(db: Db, draft: DraftRow) -> int:
    """A new draft; its id is given here and returned."""
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
    """Store everything of the draft with this id."""
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
    """Forget the draft."""
    db.run("DELETE FROM draft WHERE id = ?", draft_id)
