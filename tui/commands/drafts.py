"""Drafts: saved at every pause, and synchronized between this machine and the server. No Textual.

For each draft three texts are compared: here, on the server, and the last one that both had (`synced`). The
side that changed wins; if both did, both are kept, as two drafts. Servers strip white space around drafts, so
a text that differs by nothing else counts as the same: the text here stays as it is.
"""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from tui import bugs
from tui.api.destination import Destination
from tui.api.model import Draft, DraftId
from tui.api.routes import drafts as routes
from tui.cache.drafts import DraftFile
from tui.commands import draft_identity
from tui.commands.draft_copies import DraftCopies
from tui.commands.draft_moves import readdress
from tui.commands.outbox import KeyFactory
from tui.errors import ApiError, ApiRefused, ConfigError, RateLimited
from tui.narrow import Conversation
from tui.narrow import destination_of as destination_of_narrow
from tui.store import Changes
from tui.store.changes import TopicMove
from tui.store.drafts import (
    LocalDraft,
    LocalDraftId,
    RequestedDraft,
    conversation_of,
    destination_of,
    known_texts,
)
from tui.sync.backoff import Backoff
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live, Status

PAUSE_SECONDS = 2.0
"""Seconds to collect changes before the server gets them."""


class DraftSync:
    """The drafts of an account: call `load` once, then `run`."""

    def __init__(
        self,
        sync: Sync,
        disk: DraftFile,
        *,
        environment: Environment | None = None,
        key_factory: KeyFactory | None = None,
    ) -> None:
        self._sync = sync
        self._disk = disk
        self._environment = environment or Environment()
        self._key_factory = key_factory or KeyFactory()
        self._drafts: dict[LocalDraftId, LocalDraft] = {}
        self._work = asyncio.Event()
        self._gone = asyncio.Event()
        """Set with a draft that the server has to delete: other clients still show it."""
        self._owns = False
        # Requests whose events have not arrived yet, with the server's draft before.
        self._unconfirmed: dict[DraftId, Draft | None] = {}
        # Drafts requested twice, on a server without keys: an extra copy may turn up.
        self._twins: set[draft_identity.Wanted] = set()
        self._pushed: dict[DraftId, list[str]] = {}
        """The last texts that the server was given, in order: events of earlier ones may be late."""
        # Drafts deleted elsewhere. Only an event says so: a server that was restored from a backup lacks
        # drafts, too, and then ours may be the only copy.
        self._removed: set[DraftId] = set()
        self._copies = DraftCopies(sync, disk, self._key_factory.now)
        self._moved: list[TopicMove] = []
        self._refused: set[draft_identity.Wanted] = set()
        """What the server did not take, until there is another connection or the channels change."""
        self.unwritten: dict[LocalDraftId, LocalDraft] = {}
        """Drafts that the disk could not take yet."""
        sync.listen(self)

    def load(self) -> None:
        """Read the drafts on disk: at the start, and after another process wrote."""
        stored = {draft.local_id: draft for draft in self._disk.load()} | self.unwritten
        for gone in self._drafts.keys() - stored.keys():
            self._sync.drop_draft(gone)
        for local_id, draft in stored.items():
            if self._drafts.get(local_id) != draft and draft.content:
                self._sync.put_draft(draft)
        self._drafts = stored
        self._work.set()

    def look(self) -> None:
        """Read what another process of this account wrote, if it did. Costs next to nothing.

        Also writes what the disk could not take before. Raises ConfigError.
        """
        for draft in list(self.unwritten.values()):
            self._put(draft)
        if self._disk.changed_elsewhere():
            self.load()
        if not self._owns and self._disk.own():
            self._owns = True
            self._work.set()

    def close(self) -> None:
        """Release the synchronization to another process of this account."""
        self._disk.close()

    def write(
        self,
        local_id: LocalDraftId | None,
        destination: Destination | None,
        content: str,
        *,
        was: str | None = None,
    ) -> LocalDraftId | None:
        """Save the composer's text; on disk when this returns.

        None as ID creates a draft. `was` is the draft's text when the user began to change it (None: its
        current text); if it differs from the current text, the draft was changed elsewhere, and both are
        kept. If the disk takes nothing, the draft is kept in memory, and the user is told. Returns the ID of
        the draft to go on with, None if there is nothing to keep. Raises ConfigError if an empty one stays on
        disk.
        """
        existing = self._drafts.get(local_id) if local_id is not None else None
        if was is None:
            was = existing.content if existing is not None else ""
        if content == was and (existing is None or existing.content != content):
            return None  # untouched here, and sent, deleted or changed elsewhere
        if existing is not None and existing.content not in (was, content):
            existing = None
        if not content.strip():
            if existing is not None:
                self.discard(existing.local_id)
            return None
        if existing is not None and (existing.content, existing.destination) == (
            content,
            destination,
        ):
            return existing.local_id
        now = self._key_factory.now()
        if existing is None:
            return self._keep(
                draft_identity.begun(self._key_factory.new_key(), destination, content, now)
            ).local_id
        return self._keep(
            replace(existing, destination=destination, content=content, updated=now)
        ).local_id

    @contextmanager
    def handing_over(self, local_id: LocalDraftId | None, was: str) -> Iterator[None]:
        """Remove the draft in one transaction with what the block writes: both happen, or neither.

        A draft whose text differs from `was` was changed elsewhere, and stays.
        """
        existing = self._drafts.get(local_id) if local_id is not None else None
        left: LocalDraft | None = None
        with self._disk.transaction():
            yield
            if existing is not None and existing.content == was:
                left = self._disk.remove(existing.local_id)
        if existing is not None and existing.content == was:
            self._drop(existing, left)

    def discard(self, local_id: LocalDraftId) -> None:
        """Delete a draft that was sent or is not wanted, here and on the server."""
        draft = self._drafts.get(local_id)
        if draft is not None:
            self._drop(draft, self._disk.remove(local_id))

    def _drop(self, draft: LocalDraft, left: LocalDraft | None) -> None:
        del self._drafts[draft.local_id]
        if draft.draft_id is not None:
            before = self._unconfirmed.get(draft.draft_id)
            given = [*self._pushed.get(draft.draft_id, []), before.content if before else ""]
            self._copies.note_left(draft, given)
        self.unwritten.pop(draft.local_id, None)
        if left is not None:
            self._drafts[draft.local_id] = left
        self._sync.drop_draft(draft.local_id)
        self._work.set()
        self._gone.set()

    def of(self, conversation: Conversation) -> LocalDraft | None:
        """Return the draft of a conversation that was changed last; None if there is none.

        One that only the server has was begun on another machine: it becomes a local draft.
        """
        store = self._sync.store
        here = store.drafts.of(conversation, store.self_id)
        # Another process takes it, and shares it on disk.
        if here is not None or not self._disk.own():
            return here
        begun = store.drafts.begun_elsewhere(conversation, store.self_id)
        theirs = filter(self._is_from_elsewhere, begun)
        newest = max(theirs, key=lambda draft: draft.timestamp, default=None)
        return None if newest is None else self.open(newest)

    def _is_from_elsewhere(self, theirs: Draft) -> bool:
        """Whether it is not a draft of ours that was sent or discarded while the server was asked."""
        asked = draft_identity.requested(self._drafts.values())
        is_leaving = self._copies.is_leaving(theirs.id)
        return not is_leaving and draft_identity.seen(theirs) not in asked | self._twins

    def open(self, draft: Draft) -> LocalDraft:
        """Return a local draft of the server's draft, creating it if there is none."""
        for known in self._drafts.values():
            if known.draft_id == draft.id:
                return known
        new = draft_identity.begun(
            self._key_factory.new_key(),
            destination_of(draft),
            draft.content,
            float(draft.timestamp),
        )
        return self._keep(replace(new, draft_id=draft.id, synced=draft.content))

    async def run(self) -> None:
        """Synchronize until canceled."""
        backoff = Backoff()
        while True:
            await self._work.wait()
            try:
                await self._pause()
                self._work.clear()
                await self.reconcile()
                backoff.reset()
            except (ApiError, ConfigError) as error:
                if isinstance(error, ApiRefused) and not isinstance(error, RateLimited):
                    continue  # saved here; a later change, or a new connection, tries again
                if isinstance(error, ConfigError):
                    bugs.report(error, "Syncing drafts")
                self._work.set()
                pause = backoff.next_delay(self._environment.chance())
                await self._environment.sleep_unless(pause, self._sync.connected)

    async def _pause(self) -> None:
        """Collect changes for a while, and delete meanwhile what is sent. Raises ApiError."""
        pause: asyncio.Future[Any] = bugs.awaited(self._environment.sleep(PAUSE_SECONDS))
        gone: asyncio.Future[Any] = bugs.awaited(self._gone.wait())
        try:
            while not pause.done():
                await asyncio.wait({pause, gone}, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    await self._delete_all()
                    gone = bugs.awaited(self._gone.wait())
        finally:
            pause.cancel()
            gone.cancel()

    def _is_possible(self) -> bool:
        """Whether this process synchronizes, and the server is there."""
        store = self._sync.store_if_any
        if not self._owns or store is None or not isinstance(self._sync.status, Live):
            return False
        return store.settings.enable_drafts_synchronization

    async def _delete_all(self) -> None:
        self._gone.clear()
        if self._is_possible():
            await self._copies.delete_left()

    async def reconcile(self) -> None:
        """Synchronize all drafts once. Raises ApiError; what was done until then stays done."""
        self.look()  # from here on all of them are on disk
        if not self._is_possible():
            return
        await self._delete_all()
        moves = list(self._moved)
        await readdress(self._sync, moves)
        del self._moved[: len(moves)]
        for local_id in list(self._drafts):
            await self._reconcile_one(local_id)
        for theirs in self._sync.store.drafts.only_on_server():
            if self._twins and draft_identity.seen(theirs) in self._twins:
                await self._copies.delete(theirs.id)

    # Sync events

    def store_changed(self, changes: Changes) -> None:
        """Follow drafts that changed, here or on the server."""
        if changes.replaced:
            self._unconfirmed.clear()
            self._removed.clear()
        if changes.drafts_removed:
            self._drop_removed(changes.drafts_removed)
        for move in changes.moves:
            if move.is_whole:
                self._go_along(move)
        if changes.replaced or "drafts" in changes.parts:
            self._work.set()
        if self._refused and (changes.replaced or changes.channels):
            self._refused.clear()
            self._work.set()

    def status_changed(self, status: Status) -> None:
        """Synchronize again when the network is back."""
        if isinstance(status, Live):
            self._refused.clear()
            self._work.set()

    def _drop_removed(self, removed: Collection[DraftId]) -> None:
        """Drop drafts that were sent or deleted elsewhere and not changed here; others stay for `reconcile`."""
        for draft_id in removed:
            self._unconfirmed.pop(draft_id, None)  # created and deleted before it was seen
        gone = {each for each in removed if not self._copies.is_just_saved(each)}
        self._removed |= gone
        for draft in list(self._drafts.values()) if self._owns else ():
            if draft.draft_id in gone and draft.content == draft.synced:
                with suppress(ConfigError):  # the disk takes nothing now
                    self._vanished(draft)

    # Moved topics

    def _go_along(self, move: TopicMove) -> None:
        """Change the destination of a moved topic's drafts; the server's copies follow."""
        self_id, target = self._sync.store.self_id, destination_of_narrow(move.target)
        self._moved.append(move)
        for draft in list(self._drafts.values()):
            to = draft.destination
            if draft.content and to is not None and conversation_of(to, self_id) == move.source:
                self._keep(replace(draft, destination=target))
        self._work.set()

    # One draft

    async def _reconcile_one(self, local_id: LocalDraftId) -> None:
        """Synchronize a draft as it is by now: it may have changed while another one was. Raises ApiError."""
        draft = self._drafts.get(local_id)
        if draft is None or draft_identity.current(draft) in self._refused:
            return
        if len(draft.content.strip()) > self._sync.store.realm.limits.max_message_length:
            return  # servers would cut it; it stays here until it is shorter
        try:
            if draft.draft_id is None:
                await self._create(draft)
            else:
                await self._reconcile(draft, draft.draft_id)
        except ApiRefused as error:
            if isinstance(error, RateLimited):
                raise
            # It is saved here, and the other drafts do not wait for it.

    async def _reconcile(self, draft: LocalDraft, draft_id: DraftId) -> None:
        theirs = self._sync.store.drafts.get(draft_id)
        if draft_id in self._unconfirmed and self._unconfirmed[draft_id] == theirs:
            return  # the event of our own change is still to come
        self._unconfirmed.pop(draft_id, None)
        if theirs is None:
            self._vanished(draft)
            return
        if draft.asked is not None and draft_identity.same_text(
            theirs.content, draft.asked.content
        ):
            draft = self._note(draft, synced=draft.asked.content, asked=None)
        sent, saved = self._pushed.get(draft_id, []), self._copies.saved(draft_id)
        match draft_identity.compare(draft, theirs, sent, saved):
            case "same" if draft.synced != draft.content:
                self._note(draft, synced=draft.content)
            case "changed here":
                await self._push(draft, theirs)
            case "changed there":
                self._take(draft, theirs)
            case "changed on both" if not await self._copies.has_arrived(draft):
                # Ours becomes a draft of its own, theirs stays as it is.
                self._note(draft, draft_id=None, synced=None, asked=None)

    async def _create(self, draft: LocalDraft) -> None:
        """Create the draft on the server; an earlier request without an answer is repeated first."""
        ours = {each.draft_id for each in self._drafts.values()}
        theirs = self._sync.store.drafts.by_id.values()
        existing = draft_identity.arrived(draft, (each for each in theirs if each.id not in ours))
        if existing is not None:
            self._created(draft, existing.id)
            return
        if draft.asked is None or not self._sync.store.realm.idempotency_keys:
            if not draft.content:
                self._disk.remove(draft.local_id)  # the requested draft never arrived
                self._drafts.pop(draft.local_id, None)
                return
            if draft.asked is not None:
                self._twins.add(draft_identity.wanted(draft, draft.asked))
            draft = self._note(draft, asked=RequestedDraft(draft.content, draft.updated))
        assert draft.asked is not None, "it was just put down"
        try:
            (draft_id,) = await routes.create(
                self._sync.connection,
                drafts=[draft_identity.new_draft(draft, draft.asked)],
                idempotency_key=draft_identity.request_key(draft, draft.asked),
            )
        except ApiRefused:
            self._refused.add(draft_identity.wanted(draft, draft.asked))
            self._note(draft, asked=None)
            raise
        if draft_id not in self._removed.union(self._sync.store.drafts.by_id):
            self._unconfirmed[draft_id] = None
        self._copies.note_saved(draft_id)
        self._created(draft, draft_id)

    def _created(self, draft: LocalDraft, draft_id: DraftId) -> None:
        assert draft.asked is not None, "only what was asked for is made"
        latest = self._drafts.get(draft.local_id)
        if latest is None or not latest.content:  # sent or discarded meanwhile
            with self._disk.transaction():
                self._disk.note_deletion(draft_id)
                self._disk.remove(draft.local_id)
            self._drafts.pop(draft.local_id, None)
            self._work.set()
            return
        latest = self._note(latest, draft_id=draft_id, synced=draft.asked.content, asked=None)
        if latest.content != draft.asked.content:
            self._work.set()

    async def _push(self, draft: LocalDraft, theirs: Draft) -> None:
        assert draft.draft_id is not None, "what is pushed exists there"
        now = await self._copies.current(draft.draft_id)
        known = known_texts(draft).union({theirs.content.strip()})
        if now is not None and now.content.strip() not in known:
            return  # another machine wrote on, and the event that says so is late
        asked = RequestedDraft(draft.content, draft.updated)
        draft = self._note(draft, asked=asked)
        assert draft.draft_id is not None, "keeping it changes nothing"
        self._pushed[draft.draft_id] = [*self._pushed.get(draft.draft_id, [])[-9:], asked.content]
        try:
            await routes.edit(
                self._sync.connection,
                draft_id=draft.draft_id,
                draft=draft_identity.new_draft(draft, asked),
            )
        except ApiRefused as error:
            if error.status == 404:
                self._vanished(self._drafts.get(draft.local_id, draft))
                return
            self._refused.add(draft_identity.wanted(draft, asked))
            self._note(draft, asked=None)
            raise
        if self._sync.store.drafts.get(draft.draft_id) == theirs:
            self._unconfirmed[draft.draft_id] = theirs
        self._copies.note_saved(draft.draft_id)
        self._note(draft, asked=None, synced=asked.content)

    def _note(self, draft: LocalDraft, **notes: Any) -> LocalDraft:
        """Record the server's state of the draft; return the draft as it is by now, also in another process."""
        latest = self._disk.note(draft.local_id, **notes)
        if latest is None:  # sent or discarded while the server was asked
            return replace(draft, **notes)
        self._drafts[draft.local_id] = latest
        if latest.content:
            self._sync.put_draft(latest)
        return latest

    def _take(self, draft: LocalDraft, theirs: Draft) -> None:
        self._pushed.pop(theirs.id, None)
        with self._disk.transaction():
            kept = self._keep(
                replace(
                    draft,
                    content=theirs.content,
                    destination=destination_of(theirs),
                    updated=float(theirs.timestamp),
                )
            )
            if kept.local_id == draft.local_id:
                self._note(kept, synced=theirs.content, asked=None)

    def _vanished(self, draft: LocalDraft) -> None:
        """Handle a draft that the server lacks: deleted elsewhere, unless it was changed here since; or lost
        by the server, which gets it again.
        """
        if draft.content == draft.synced and draft.draft_id in self._removed:
            self._disk.remove(draft.local_id)
            self._drafts.pop(draft.local_id, None)
            self._sync.drop_draft(draft.local_id)
        elif draft.local_id in self._drafts:
            # With its old key, the server would answer with the ID of the draft that is gone.
            updated = draft.updated + draft_identity.MOMENT
            self._note(draft, draft_id=None, synced=None, asked=None, updated=updated)
            self._work.set()

    def _keep(self, draft: LocalDraft) -> LocalDraft:
        """Save a draft: on disk when this returns, or in memory until the disk takes it."""
        try:
            return self._put(draft)
        except ConfigError as error:
            bugs.report(error, "Saving drafts")
        self.unwritten[draft.local_id] = self._drafts[draft.local_id] = draft
        if draft.content:
            self._sync.put_draft(draft)
        return draft

    def _put(self, draft: LocalDraft) -> LocalDraft:
        other = LocalDraftId(self._key_factory.new_key())
        kept = self._disk.put(draft, otherwise=other)
        self.unwritten.pop(draft.local_id, None)
        if kept.local_id != draft.local_id:
            self.load()  # the other process's version must be seen, too
        self._drafts[kept.local_id] = kept
        if kept.content:
            self._sync.put_draft(kept)
        return kept
