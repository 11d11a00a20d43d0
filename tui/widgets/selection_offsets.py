"""Stable numbers for the lines of a list, for text selections. No Textual.

Textual stores a selection as (character, line number). The numbers given here do not change when the list is
scrolled or when items come at its ends, and sort like the lines.
"""

from __future__ import annotations

from tui.widgets.list_diff import Diff

LINES = 1 << 20
"""Lines that fit into one item's range of numbers."""


class LineAddresses:
    """The mapping between (index of an item, line in it) and one number."""

    def __init__(self) -> None:
        self._base = 0

    def address(self, index: int, line: int) -> int:
        """Return the number of a line."""
        return (index + self._base) * LINES + line

    def locate(self, address: int) -> tuple[int, int]:
        """Return index and line of a number; may be outside of the list."""
        index, line = divmod(address, LINES)
        return index - self._base, line

    def follow(self, change: Diff, first: int, last: int) -> bool:
        """Keep the numbers of the items from `first` to `last` through an update.

        False if that is impossible: items between them came, went or moved.
        """
        new_first, new_last = change.find(first), change.find(last)
        if new_first is None or new_last is None:
            return False
        self._base += first - new_first
        return new_last - new_first == last - first
