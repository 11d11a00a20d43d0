"""Local drafts on disk, with a revision each, so that two clients never overwrite one another.

No network, no clock.
"""

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from tui.api.model import DraftId
from tui.cache.database import Database
from tui.cache.locks import FileLock, try_lock
from tui.cache.records import UNREADABLE, draft_from_text, draft_to_text
from tui.store.drafts import LocalDraft, LocalDraftId


class DraftFile:
    """The local drafts of an account, as this process last saw them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._revisions: dict[LocalDraftId, int] = {}
        self._seen = -1
        self._lock: FileLock | None = None

    def changed_elsewhere(self) -> bool:
        """Whether another process wrote to the file since this one read it."""
        return self._database.data_version() != self._seen

    def load(self) -> list[LocalDraft]:
        """Return all drafts; unreadable ones are left where they are."""
        drafts = []
        self._revisions.clear()
        self._seen = self._database.data_version()
        rows = self._database.rows("SELECT local_id, revision, updated, draft FROM draft")
        for local_id, revision, updated, text in rows:
            try:
                drafts.append(draft_from_text(local_id, updated, text))
            except UNREADABLE:
                continue
            self._revisions[drafts[-1].local_id] = revision
        return drafts

    def own(self) -> bool:
        """Whether this process synchronizes the drafts with the server; it takes over if none does."""
        if self._lock is None and not self._database.is_read_only:
            self._lock = try_lock(self._database.path.with_name("drafts.lock"))
        return self._lock is not None

    def close(self) -> None:
        """Let another process synchronize the drafts."""
        if self._lock is not None:
            self._lock.leave()
            self._lock = None

    def put(self, draft: LocalDraft, *, otherwise: LocalDraftId) -> LocalDraft:
        """Save the text of a draft; return it as it is on disk, with its notes.

        If another process changed its text or deleted it meanwhile, both are kept: this one is then a new
        draft with the ID `otherwise`, without a copy on the server.
        """
        last_revision = self._revisions.get(draft.local_id)
        with self._database.transaction():
            revision, row = self._row(draft.local_id)
            if revision != last_revision and (row is None or row.content != draft.content):
                draft = replace(draft, local_id=otherwise, draft_id=None, synced=None, asked=None)
                revision = None
            elif row is not None:
                draft = replace(draft, draft_id=row.draft_id, synced=row.synced, asked=row.asked)
            self._write(draft, (revision or 0) + 1)
        self._revisions[draft.local_id] = (revision or 0) + 1  # only now is it on disk
        return draft

    def note(self, local_id: LocalDraftId, **notes: Any) -> LocalDraft | None:
        """Record the server's state of a draft (`draft_id`, `synced`, `asked`, `updated`), whatever its text is.

        Returns the draft as it is then; None if it is gone. Its text on disk is not changed.
        """
        with self._database.transaction():
            revision, row = self._row(local_id)
            if row is None or revision is None:
                return None
            row = replace(row, **notes)
            self._write(row, revision)
        self._revisions[local_id] = revision
        return row

    def _row(self, local_id: LocalDraftId) -> tuple[int | None, LocalDraft | None]:
        rows = self._database.rows(
            "SELECT revision, updated, draft FROM draft WHERE local_id = ?", local_id
        )
        if not rows:
            return None, None
        revision, updated, text = rows[0]
        return revision, draft_from_text(local_id, updated, text)

    def _write(self, draft: LocalDraft, revision: int) -> None:
        self._database.run(
            "INSERT OR REPLACE INTO draft (local_id, revision, updated, draft) VALUES (?, ?, ?, ?)",
            draft.local_id,
            revision,
            draft.updated,
            draft_to_text(draft),
        )

    def transaction(self) -> AbstractContextManager[None]:
        """Commit all changes of the block, of drafts and other tables, or none."""
        return self._database.transaction()

    def remove(self, local_id: LocalDraftId) -> LocalDraft | None:
        """Delete a draft, and record that the server's copy is to be deleted.

        If the server was asked to create a copy and did not answer, returns the rest of the draft, without
        text, until the copy's ID is known. A draft that another process changed meanwhile stays.
        """
        with self._database.transaction():
            revision, row = self._row(local_id)
            if row is None or revision != self._revisions.get(local_id):
                return None
            if row.draft_id is None and row.asked is not None and row.content:
                row = replace(row, content="")
                self._write(row, (revision or 0) + 1)
                self._revisions[local_id] = (revision or 0) + 1
                return row
            self._database.run("DELETE FROM draft WHERE local_id = ?", local_id)
            if row.draft_id is not None:
                self.note_deletion(row.draft_id)
        return None

    def note_deletion(self, draft_id: DraftId) -> None:
        """Record that the server's copy is to be deleted as soon as the server can be reached."""
        self._database.run("INSERT OR IGNORE INTO lost_draft (draft_id) VALUES (?)", draft_id)

    def deletions(self) -> list[DraftId]:
        """Return the deletions of `note_deletion` that are not done yet."""
        return [DraftId(row[0]) for row in self._database.rows("SELECT draft_id FROM lost_draft")]

    def forget_deletion(self, draft_id: DraftId) -> None:
        """Forget a deletion, since the server's copy is gone."""
        self._database.run("DELETE FROM lost_draft WHERE draft_id = ?", draft_id)
