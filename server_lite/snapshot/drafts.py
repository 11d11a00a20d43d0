"""Initial state: what I have begun to write: drafts, snippets, scheduled messages, reminders. Reads only."""

from typing import Any, Final

from server_lite.objects.drafts import draft_object
from server_lite.snapshot.base import Asked, Section
from server_lite.store import drafts as draft_rows
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting


def drafts(db: Db, asked: Asked) -> dict[str, Any]:
    """The person's drafts; none where they are kept on each client alone."""
    if not setting(asked.user, "enable_drafts_synchronization"):
        return {"drafts": []}
    return {"drafts": [draft_object(row) for row in draft_rows.of_user(db, asked.user.id)]}


SECTIONS: Final[dict[str, Section]] = {
    "drafts": drafts,
}
