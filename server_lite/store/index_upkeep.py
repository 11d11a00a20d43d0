"""When new messages are added to the search index, and when it is merged. Opens no transaction, knows no thread."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from server_lite.store import search_index
from server_lite.store.connection import Db

ADD_AFTER: Final = 256
"""Messages that wait before they are added together."""
ADD_AFTER_CHARACTERS: Final = 100_000
"""Characters of waiting messages after which they are added."""
ADDED_AT_ONCE: Final = 256
"""Messages that are added in one transaction, fewer if they are long."""
MERGE_AFTER: Final = 8
"""Commits that changed the index, after which it is merged; beyond 16 SQLite does it within a commit."""
NewMessage = tuple[int, int]
"""ID and number of characters."""


class IndexUpkeep:
    """How far the search index is behind. Used by the thread that has the writer's turn."""

    def __init__(self, db: Db) -> None:
        self.newest: int = db.value("SELECT max(id) FROM message") or 0
        """The newest message on disk."""
        self.complete_until: int = search_index.complete_until(db)
        """Newer messages wait."""
        self._characters = 0
        self._add_after = ADD_AFTER
        self._unmerged = 0

    @property
    def is_due(self) -> bool:
        """Whether there is enough to do for a step."""
        return self._has_to_add or self._unmerged >= MERGE_AFTER

    @property
    def _has_to_add(self) -> bool:
        is_many = self.newest - self.complete_until >= self._add_after
        return is_many or self._characters >= ADD_AFTER_CHARACTERS

    def note_commit(self, new_messages: Sequence[NewMessage], *, changes_index: bool) -> None:
        """Note what a transaction stored."""
        if new_messages:
            self.newest, _ = new_messages[-1]
            self._characters += sum(length for _, length in new_messages)
        self._unmerged += changes_index

    def step(self, db: Db) -> Callable[[], None]:
        """Add some messages, or merge some parts; returns what to call when that is on disk."""
        if self._has_to_add:
            return partial(self._note_step, self.add(db))
        return partial(self._note_merged, found_some=search_index.merge(db))

    def add(self, db: Db) -> int:
        """Add the next messages that wait; returns the ID up to which none does, for `note_added`."""
        return search_index.add_waiting(db, self.newest, count=ADDED_AT_ONCE)

    def note_added(self, until: int) -> None:
        """Note that messages up to this ID were added, on disk."""
        self.complete_until = max(self.complete_until, until)
        self._add_after = ADD_AFTER
        if self.complete_until >= self.newest:
            self._characters = 0

    def _note_step(self, until: int) -> None:
        self.note_added(until)
        self._unmerged += 1

    def _note_merged(self, *, found_some: bool) -> None:
        if not found_some:
            self._unmerged = 0

    def postpone(self) -> None:
        """Wait for as many changes again: the index cannot be written now."""
        self._unmerged = self._characters = 0
        self._add_after = self.newest - self.complete_until + ADD_AFTER
