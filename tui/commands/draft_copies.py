"""The server's copies of drafts: as they are now, and the deletion of those that were sent. No Textual.

What is known of a copy may be out of date: after a sleep, or while events are late, another machine may have
written on in it. So a copy that was not saved from here just now is asked for before it is replaced or deleted.
"""

from collections.abc import Callable, Iterable
from typing import Final

from tui.api.model import Draft, DraftId
from tui.api.routes import drafts as routes
from tui.cache.drafts import DraftFile
from tui.commands.draft_identity import AT_ONCE_SECONDS, same_text
from tui.errors import ApiRefused
from tui.store.drafts import LocalDraft, known_texts
from tui.sync.machine import Sync

SURE_SECONDS: Final = 60.0
"""Seconds after a save from here in which no other machine is expected to write in the same draft."""


class DraftCopies:
    """The copies of the drafts of one account. Methods that ask the server raise ApiError."""

    def __init__(self, sync: Sync, disk: DraftFile, now: Callable[[], float]) -> None:
        self._sync = sync
        self._disk = disk
        self._now = now
        self._saved: dict[DraftId, float] = {}
        """When each was saved from here."""
        self._left: dict[DraftId, frozenset[str]] = {}
        """The texts that the server may have of drafts that were sent or discarded here."""
        self._deleted: set[DraftId] = set()
        """Those that were deleted from here, maybe before the event that says so."""

    def note_saved(self, draft_id: DraftId) -> None:
        """Note that the server has just saved the text from here."""
        self._saved[draft_id] = self._now()

    def saved(self, draft_id: DraftId) -> float:
        """Return when it was last saved from here, in UNIX seconds; long ago if never."""
        return self._saved.get(draft_id, float("-inf"))

    def is_just_saved(self, draft_id: DraftId) -> bool:
        """Whether it was saved from here so recently that another client may have deleted it without these words."""
        return self._now() - self.saved(draft_id) < AT_ONCE_SECONDS

    def note_left(self, draft: LocalDraft, earlier: Iterable[str]) -> None:
        """Note that a draft was sent or discarded; `earlier` are texts that the server had, whose events may be late."""
        if draft.draft_id is not None:
            self._left[draft.draft_id] = known_texts(draft).union(map(str.strip, earlier))

    def is_leaving(self, draft_id: DraftId) -> bool:
        """Whether it was sent or discarded here."""
        return draft_id in self._deleted or draft_id in self._disk.deletions()

    async def current(self, draft_id: DraftId) -> Draft | None:
        """Return the server's copy as it is now; None if it is gone."""
        if self._now() - self.saved(draft_id) < SURE_SECONDS:
            return self._sync.store.drafts.get(draft_id)
        there = await routes.fetch(self._sync.connection)
        return next((each for each in there if each.id == draft_id), None)

    async def has_arrived(self, draft: LocalDraft) -> bool:
        """Whether the server has the draft's text, and the events that arrived are older."""
        return any(
            each.id == draft.draft_id and same_text(each.content, draft.content)
            for each in await routes.fetch(self._sync.connection)
        )

    async def delete_left(self) -> None:
        """Delete the copies of drafts that were sent or discarded, but none with words of another machine."""
        for draft_id in self._disk.deletions():
            known = self._left.get(draft_id)
            theirs = None if known is None else await self.current(draft_id)
            if known is None or theirs is None or theirs.content.strip() in known:
                await self.delete(draft_id)
            else:
                self._disk.forget_deletion(draft_id)

    async def delete(self, draft_id: DraftId) -> None:
        """Delete a copy, if it is still there."""
        self._deleted.add(draft_id)
        try:
            await routes.delete(self._sync.connection, draft_id=draft_id)
        except ApiRefused as error:
            if error.status != 404:
                raise
        self._disk.forget_deletion(draft_id)
