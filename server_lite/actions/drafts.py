"""Keeping drafts. Every client of the person is told, the one that wrote it too: it knows its own."""

from collections.abc import Sequence
from dataclasses import replace

from server_lite.events.personal import DraftRemoved, DraftsAdded, DraftUpdated
from server_lite.objects.personal import draft_object
from server_lite.store import drafts
from server_lite.store.database import Tx
from server_lite.store.drafts import DraftRow
from server_lite.store.users import UserRow


def create(tx: Tx, rows: Sequence[DraftRow]) -> list[int]:
    """New drafts of one person; returns their ids, in the same order."""
    created = [replace(row, id=drafts.insert(tx, row)) for row in rows]
    if created:
        event = DraftsAdded(drafts=[draft_object(row) for row in created])
        tx.emit(event, to=[created[0].user_id])
    return [row.id for row in created]


def edit(tx: Tx, row: DraftRow) -> None:
    """The draft with this id is as `row` says."""
    drafts.replace(tx, row)
    tx.emit(DraftUpdated(draft=draft_object(row)), to=[row.user_id])


def delete(tx: Tx, row: DraftRow) -> None:
    """Throw a draft away."""
    drafts.delete(tx, row.id)
    tx.emit(DraftRemoved(draft_id=row.id), to=[row.user_id])


def show_again(tx: Tx, user: UserRow) -> None:
    """The person wants drafts on all clients again: tell of those that were kept meanwhile."""
    rows = drafts.of_user(tx, user.id)
    if rows:
        tx.emit(DraftsAdded(drafts=[draft_object(row) for row in rows]), to=[user.id])
