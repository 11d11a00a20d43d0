"""Local drafts on disk, with a revision each, so that two TUIs never overwrite one another.

No network, no clock.
"""

from contextlib import AbstractContextManager
from dataclasses import replace

from tui.api.model import DraftId
from tui.cache.database import Database
from tui.cache.records import draft_from_text, draft_to_text
from tui.store.drafts import LocalDraft, LocalDraftId


class DraftFile:
    """The local drafts of an account, as this process last saw them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._revisions: dict[LocalDraftId, int] = {}
        self._seen = -1

    def changed_elsewhere(self) -> bool:
        """Whether another process wrote to the file since this one read it."""
        return self._database.data_version() != self._seen

    def load(self) -> list[LocalDraft]:
        """All drafts; what cannot be read is left where it is."""
        drafts = []
        self._revisions.clear()
        self._seen = self._database.data_version()
        rows = self._database.rows("SELECT local_id, revision, updated, draft FROM draft")
        for local_id, revision, updated, text in rows:
            try:
                drafts.append(draft_from_text(local_id, updated, text))
            except (ValueError, KeyError, TypeError):
                continue
            self._revisions[drafts[-1].local_id] = revision
        return drafts

    def put(self, draft: LocalDraft, *, otherwise: LocalDraftId) -> LocalDraft:
        """Keep a draft; it is on disk when this returns.

        If another process changed or deleted it meanwhile, both are kept: this one is then a new
        draft with the id `otherwise`, which the server knows nothing of.
        """
        known = self._revisions.get(draft.local_id)
        with self._database.transaction():
            rows = self._database.rows(
                "SELECT revision FROM draft WHERE local_id = ?", draft.local_id
            )
            found = rows[0][0] if rows else None
            if found != known:
                draft, known = replace(draft, local_id=otherwise, draft_id=None, synced=None), None
            revision = (known or 0) + 1
            self._database.run(
                "INSERT OR REPLACE INTO draft (local_id, revision, updated, draft)"
                " VALUES (?, ?, ?, ?)",
                draft.local_id,
                revision,
                draft.updated,
                draft_to_text(draft),
            )
        self._revisions[draft.local_id] = revision
        return draft

    def transaction(self) -> AbstractContextManager[None]:
        """All changes of the file within, of drafts and of others, or none."""
        return self._database.transaction()

    def remove(self, local_id: LocalDraftId, server_copy: DraftId | None = None) -> bool:
        """Forget a draft, and note that the server's copy is to be deleted.

        False if another process changed it meanwhile: then both stay.
        """
        known = self._revisions.get(local_id, 0)
        with self._database.transaction():
            removed = self._database.run(
                "DELETE FROM draft WHERE local_id = ? AND revision = ?", local_id, known
            )
            if removed and server_copy is not None:
                self.note_deletion(server_copy)
        return removed > 0

    def note_deletion(self, draft_id: DraftId) -> None:
        """The server's copy is to be deleted as soon as it can be reached."""
        self._database.run("INSERT OR IGNORE INTO lost_draft (draft_id) VALUES (?)", draft_id)

    def deletions(self) -> list[DraftId]:
        """What `note_deletion` was told, and `forget_deletion` not yet."""
        return [DraftId(row[0]) for row in self._database.rows("SELECT draft_id FROM lost_draft")]

    def forget_deletion(self, draft_id: DraftId) -> None:
        """The server's copy is gone."""
        self._database.run("DELETE FROM lost_draft WHERE draft_id = ?", draft_id)
