"""The drawn lines of the items seen last. Bounded; no layout, no drawing of its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from textual.strip import Strip

CAPACITY = 600
"""Items kept; a line costs about 1.5 KB, so this is some 5 MB."""


class StripCache:
    """Least recently used strips by key; selected and plain are kept side by side."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[tuple[Hashable, bool], tuple[Hashable, list[Strip]]] = (
            OrderedDict()
        )

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, revision: Hashable, selected: bool) -> list[Strip] | None:
        """The strips drawn for exactly that revision, or None."""
        entry = self._entries.get((key, selected))
        if entry is None or entry[0] != revision:
            return None
        self._entries.move_to_end((key, selected))
        return entry[1]

    def put(self, key: Hashable, revision: Hashable, selected: bool, strips: list[Strip]) -> None:
        """Keep strips; the least recently used ones go when there are too many."""
        self._entries[key, selected] = (revision, strips)
        self._entries.move_to_end((key, selected))
        if len(self._entries) > self._capacity:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Forget everything: the width or the theme changed."""
        self._entries.clear()
