"""A cache of the drawn lines of recent items. Bounded; no layout, no drawing of its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from textual.strip import Strip

CAPACITY = 160
"""Most items: a few screens of them. A line costs about a kilobyte."""

MOST_SEGMENTS = 20_000
"""Most segments of lines; text has a few in a line, a picture one for each cell (some 400 bytes)."""


class StripCache:
    """Least recently used strips by key; selected and plain ones are kept side by side."""

    def __init__(self, capacity: int = CAPACITY, most_segments: int = MOST_SEGMENTS) -> None:
        self._capacity = capacity
        self._most_segments = most_segments
        self._segments = 0
        self._entries: OrderedDict[tuple[Hashable, bool], tuple[Hashable, list[Strip]]] = (
            OrderedDict()
        )

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, revision: Hashable, selected: bool) -> list[Strip] | None:
        """Return the strips drawn for exactly that revision; None if there are none."""
        entry = self._entries.get((key, selected))
        if entry is None or (entry[0] is not revision and entry[0] != revision):
            return None
        self._entries.move_to_end((key, selected))
        return entry[1]

    def put(self, key: Hashable, revision: Hashable, selected: bool, strips: list[Strip]) -> None:
        """Cache strips; the least recently used ones go when there are too many."""
        self._drop((key, selected))
        self._entries[key, selected] = (revision, strips)
        self._segments += _size(strips)
        while len(self._entries) > 1 and (
            len(self._entries) > self._capacity or self._segments > self._most_segments
        ):
            self._drop(next(iter(self._entries)))

    def forget(self, key: Hashable) -> None:
        """Drop the strips of one item."""
        self._drop((key, False))
        self._drop((key, True))

    def _drop(self, place: tuple[Hashable, bool]) -> None:
        entry = self._entries.pop(place, None)
        if entry is not None:
            self._segments -= _size(entry[1])

    def clear(self) -> None:
        """Drop all strips, since the width or the theme changed."""
        self._entries.clear()
        self._segments = 0


def _size(strips: list[Strip]) -> int:
    return sum(len(strip._segments) for strip in strips)
