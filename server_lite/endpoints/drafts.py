"""Drafts: list, create, edit, delete. Thin."""

from typing_extensions import TypedDict

from server_lite.access.drafts import (
    access_draft,
    check_room,
    check_synchronizing,
    checked_drafts,
)
from server_lite.actions import drafts as actions
from server_lite.api.answers import Done
from server_lite.dataclass import dataclass
from server_lite.ids import DraftId
from server_lite.objects.personal import DraftObject, draft_object
from server_lite.store import drafts as store
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.drafts import DraftRow, DraftType
from server_lite.store.users import UserRow


@dataclass(frozen=True, slots=True)
class DraftFields:
    """A draft as a client sends it; the timestamp defaults to now."""

    type: DraftType
    to: list[int]
    topic: str
    content: str
    timestamp: int | float | None = None


class Drafts(TypedDict):
    """All drafts of the user."""

    count: int
    drafts: list[DraftObject]


class Created(TypedDict):
    """IDs of the created drafts, in the order of the request."""

    ids: list[int]


def listing(db: Db, user: UserRow) -> Drafts:
    """Get the user's drafts, least recently edited first."""
    check_synchronizing(user)
    rows = store.of_user(db, user.id)
    return {"count": len(rows), "drafts": [draft_object(row) for row in rows]}


def create(tx: Tx, user: UserRow, *, drafts: list[DraftFields] | None = None) -> Created:
    """Create drafts; either all or none."""
    check_synchronizing(user)
    check_room(tx, user, len(drafts or []))
    rows = [_row(tx, user, 0, draft) for draft in drafts or []]
    return {"ids": actions.create(tx, checked_drafts(tx, user, rows))}


def edit(tx: Tx, user: UserRow, draft_id: DraftId, *, draft: DraftFields) -> Done:
    """Edit a draft."""
    check_synchronizing(user)
    row = access_draft(tx, user, draft_id)
    (checked,) = checked_drafts(tx, user, [_row(tx, user, row.id, draft)])
    actions.edit(tx, checked)
    return {}


def delete(tx: Tx, user: UserRow, draft_id: DraftId) -> Done:
    """Delete a draft."""
    check_synchronizing(user)
    actions.delete(tx, access_draft(tx, user, draft_id))
    return {}


def _row(tx: Tx, user: UserRow, draft_id: int, draft: DraftFields) -> DraftRow:
    at = tx.now if draft.timestamp is None else float(draft.timestamp)
    return DraftRow(draft_id, user.id, draft.type, draft.to, draft.topic, draft.content, at)
