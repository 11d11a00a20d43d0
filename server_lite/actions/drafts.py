"""Creates, edits and deletes drafts. Events go to all clients of the user, the originating one included."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from server_lite.events.personal import DraftRemoved, DraftsAdded, DraftUpdated
from server_lite.objects.personal import draft_object
from server_lite.store import drafts
from server_lite.store.database import Tx
from server_lite.store.drafts import DraftRow
from server_lite.store.users import UserRow

AT_ONCE: Final = 200_000
"""Characters of drafts that are sent at once, with 1,000 for each draft."""


def create(tx: Tx, rows: Sequence[DraftRow]) -> list[int]:
    """Create drafts of one user; returns their IDs, in the same order."""
    created = [replace(row, id=drafts.insert(tx, row)) for row in rows]
    if created:
        event = DraftsAdded(drafts=[draft_object(row) for row in created])
        tx.emit(event, to=[created[0].user_id])
    return [row.id for row in created]


def edit(tx: Tx, row: DraftRow) -> None:
    """Replace the stored draft of this ID with `row`."""
    drafts.replace(tx, row)
    tx.emit(DraftUpdated(draft=draft_object(row)), to=[row.user_id])


def delete(tx: Tx, row: DraftRow) -> None:
    """Delete the draft."""
    drafts.delete(tx, row.id)
    tx.emit(DraftRemoved(draft_id=row.id), to=[row.user_id])


def show_again(tx: Tx, user: UserRow) -> None:
    """After draft syncing was enabled again, send the drafts that are stored to the user's clients.

    With many, these register again: an event of megabytes would hold all others.
    """
    if drafts.size(tx, user.id) > AT_ONCE:
        tx.end_queues([user.id])
        return
    rows = drafts.of_user(tx, user.id)
    if rows:
        tx.emit(DraftsAdded(drafts=[draft_object(row) for row in rows]), to=[user.id])
