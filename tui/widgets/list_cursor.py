"""The cursor of a list: the selected item, and its movement by keys. No Textual, no I/O.

The cursor stands on selectable items only, never leaves the screen when it is moved by key, and follows its
item when the list changes; if its item is gone it goes to the next one.
"""

from __future__ import annotations

from typing import Generic

from tui.widgets.list_diff import Diff
from tui.widgets.list_item import ItemT
from tui.widgets.list_layout import ListLayout, PlacedItem


class ListCursor(Generic[ItemT]):
    """A position in a layout, or none; moving it scrolls the layout as far as needed."""

    def __init__(self, layout: ListLayout[ItemT]) -> None:
        self._layout = layout
        self.index: int | None = None

    @property
    def item(self) -> ItemT | None:
        """The selected item, or None."""
        return None if self.index is None else self._layout.items[self.index]

    def follow(self, change: Diff) -> None:
        """Stay on the same item after an update of the layout, else go to a neighbor."""
        if self.index is None:
            return
        if not self._layout.items:
            self.index = None
            return
        new = change.follow(self.index)
        if new is None:
            new = len(self._layout.items) - 1
        self.index = self._selectable(new, +1)
        if self.index is None:
            self.index = self._selectable(new, -1)

    def step(self, direction: int) -> None:
        """Go to the next selectable item below (+1) or above (-1).

        An item taller than the screen is first scrolled to its end. A cursor that was scrolled out of sight
        comes back at the screen's edge; beyond the last item the list goes to its end.
        """
        layout = self._layout
        placed = self._on_screen()
        if placed is None:
            self._enter(direction)
        elif hidden := self._unread_rest(placed, direction):
            layout.move(direction * min(hidden, max(1, layout.height - 2)))
        elif (target := self._selectable(placed.at + direction, direction)) is None:
            layout.move(direction * max(layout.height, 1))
        else:
            self.index = target
            layout.reveal(self._block(target), target)

    def page(self, direction: int, parts: int = 1) -> None:
        """Scroll by a screen less one line, or by a part of it; a cursor stays on screen."""
        layout = self._layout
        before = layout.top, layout.line
        layout.move(direction * max(1, (layout.height - 1) // parts))
        if self.index is None:
            return
        if before == (layout.top, layout.line):
            edge = len(layout.items) - 1 if direction > 0 else 0
            self.index = self._selectable(edge, -direction)
        else:
            self.keep_on_screen()

    def to_start(self) -> None:
        """Go to the first item, with what is above it in sight."""
        self._layout.to_start()
        self.index = self._selectable(0, +1)

    def center(self) -> None:
        """Scroll until the item is in the middle of the screen."""
        if (placed := self._on_screen()) is not None:
            self._layout.move(placed.row + placed.height // 2 - self._layout.height // 2)

    def keep_on_screen(self) -> None:
        """If the cursor is out of sight, move it to the nearest item on screen."""
        if self.index is not None and self._on_screen() is None:
            self._enter(+1 if self.index <= self._layout.top else -1)

    def _enter(self, direction: int) -> None:
        """Go to the first (+1) or last (-1) selectable item on screen, a whole one if possible."""
        layout = self._layout
        here = [placed for placed in layout.visible() if layout.items[placed.at].selectable]
        whole = [p for p in here if p.row >= 0 and p.row + p.height <= layout.height]
        if here:
            self.index = (whole or here)[0 if direction > 0 else -1].at

    def _on_screen(self) -> PlacedItem | None:
        visible = self._layout.visible()
        return next((placed for placed in visible if placed.at == self.index), None)

    def _unread_rest(self, placed: PlacedItem, direction: int) -> int:
        """Return how many lines of an item taller than the screen are beyond the edge."""
        if placed.height <= self._layout.height:
            return 0
        below = placed.row + placed.height - self._layout.height
        return max(0, below if direction > 0 else -placed.row)

    def _selectable(self, start: int, direction: int) -> int | None:
        """Return the first selectable index from `start` on in that direction; None if there is none."""
        items = self._layout.items
        stop = len(items) if direction > 0 else -1
        return next((i for i in range(start, stop, direction) if items[i].selectable), None)

    def _block(self, index: int) -> int:
        """Return the first of the separators right above an item, which are shown with it."""
        items, first = self._layout.items, index
        most = self._layout.height // 2
        while first > 0 and not items[first - 1].selectable and index - first < most:
            first -= 1
        return first
