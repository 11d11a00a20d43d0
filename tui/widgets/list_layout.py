"""The layout of a list: which line of which item is at the top of the screen, and what follows.

No Textual, no drawing, no I/O.

The anchor (an item and a line inside it) is the truth. Heights of items that were never on screen are
estimates, so the position in lines from the very top is only a projection of the anchor, good enough for a
scrollbar: a wrong estimate can make the scrollbar's thumb a little wrong, but never moves the text that is
being read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate, compress, count
from operator import is_not
from typing import Generic, NamedTuple

from tui.widgets.list_diff import Diff, diff
from tui.widgets.list_item import ItemT


class PlacedItem(NamedTuple):
    """An item on the screen."""

    at: int
    """Its index."""
    row: int
    """Screen row of its first line; negative if the screen begins inside it."""
    height: int


class Position(NamedTuple):
    """The scroll position: the first selectable item on screen and its row (may be negative)."""

    key: Hashable
    row: int


class ListLayout(Generic[ItemT]):
    """Heights, anchor and visible items of a list of `items`.

    `measure` returns the exact height of an item in lines (at least 1); it is called only for items that come
    on screen or are passed on the way. All public attributes are set by the methods, never from outside.
    """

    def __init__(self, measure: Callable[[ItemT], int], *, follows_end: bool = True) -> None:
        """`follows_end`: at the bottom the list stays there when items come, and a new list begins there."""
        self.measure = measure
        self._follows_end = follows_end
        self.items: list[ItemT] = []
        self._heights: array[int] = array("I")
        self._total = 0
        self._above = 0
        self.width = 80
        self.height = 0
        self.top = 0
        """Index of the item that holds the first row of the screen."""
        self.line = 0
        """Line of that item on the first row. Negative: markers of the list are above it."""
        self.head = 0
        """Lines of the marker above the first item."""
        self.foot = 0
        """Lines of the marker below the last item."""
        self.more_above = False
        self.more_below = False
        self.at_end = True
        """Whether the last line of the list is on screen."""
        self.stays = False
        """Whether the next change is the user's own above the end: the list does not go to the end."""
        self.seen = 0
        """Items from this index on came while the user was further up."""
        self._placed: list[PlacedItem] | None = None
        """The items on screen, cached until the layout moves; used many times in a frame."""

    # Positions

    @property
    def following(self) -> bool:
        """Whether the list is at the very bottom, and stays there when items come."""
        return self._follows_end and self.at_end and not self.more_below

    @property
    def lines(self) -> int:
        """Height of the whole list in lines, partly estimated."""
        return self.head + self._total + self.foot if self.items else 0

    @property
    def y(self) -> int:
        """Lines above the screen, partly estimated."""
        return max(0, min(self.head + self._above + self.line, self.lines - self.height))

    @property
    def below(self) -> int:
        """How many selectable items arrived below and have not been on screen; 0 where they come anywhere."""
        return sum(item.selectable for item in self.items[self.seen :]) if self._follows_end else 0

    def visible(self) -> Sequence[PlacedItem]:
        """Return the items on screen from top to bottom, the first and last perhaps in part."""
        if self._placed is None:
            self._placed = []
            index, row = self.top, -self.line
            while index < len(self.items) and row < self.height:
                height = self._height(index)
                if row + height > 0:
                    self._placed.append(PlacedItem(index, row, height))
                row += height
                index += 1
        return self._placed

    def placed(self, at: int) -> PlacedItem | None:
        """Return where the item with that index is on screen; None if it is not."""
        visible = self.visible()
        if not visible or not visible[0].at <= at <= visible[-1].at:
            return None
        return visible[at - visible[0].at]

    def find(self, key: Hashable) -> int | None:
        """Return the index of the item with that key; None if there is none."""
        return next((i for i, item in enumerate(self.items) if item.key == key), None)

    # Changes of the items

    def open(
        self,
        items: Sequence[ItemT],
        *,
        more_above: bool = False,
        more_below: bool = False,
        head: int = 0,
        foot: int = 0,
    ) -> None:
        """Take other items, with ends as in `set_ends`; the caller then scrolls to a position."""
        self.more_above, self.more_below = more_above, more_below
        self.head, self.foot = head, foot
        self.items = list(items)
        self._heights = array("I", [item.estimate(self.width) for item in self.items])
        self._total = sum(self._heights)
        self.top = self.line = self._above = 0
        self._placed = None
        self.seen = len(self.items)

    def update(
        self, items: Sequence[ItemT], replaced: Mapping[Hashable, Hashable] | None = None
    ) -> Diff:
        """Take the next state of the same items; what is on screen stays where it is.

        At the very bottom the list stays at the bottom. Anywhere else the first selectable item on screen
        that still exists keeps its row; if none does, the next item below comes to the top, or else the end
        is shown.
        """
        following, was_complete = self.following and not self.stays, not self.more_below
        self.stays = False
        new = list(items)
        count = len(self.items)
        if following and self._append(new):
            return Diff(old_length=count, new_length=len(new), head=count, tail=0, moved={})
        change = diff(self.items, new, replaced)
        held = self._hold(change)
        self._carry(change, new)
        self.seen = self._carry_seen(change) if was_complete else len(new)
        self.items = new
        self._placed = None
        if following or (held is None and self._follows_end):
            self.to_end()
        elif held is None:
            self.to_start()
        elif self.height:
            index, row = held
            self._put(index, 0)
            self.place(index, max(row, 1 - self._height(index)))
        return change

    def _append(self, new: list[ItemT]) -> bool:
        """Take items that go on below those at the end; False, and nothing done, for any other change."""
        count = len(self.items)
        added = new[count:]
        if not 0 < len(added) <= self.height or not count or new[:count] != self.items:
            return False
        heights = [self.measure(item) for item in added]
        self.items = new
        self._heights.extend(heights)
        self._total += sum(heights)
        self.line += sum(heights)
        self.settle(is_measured=True)
        return True

    def exchange(self, items: Sequence[ItemT]) -> list[int] | None:
        """Take items with the keys and estimated heights of those before; return which are other objects.

        None, and nothing done, if the keys or heights differ.
        """
        before = self.items
        if len(items) != len(before):
            return None
        changed = [*compress(count(), map(is_not, before, items))]
        for at in changed:
            is_same = before[at].key == items[at].key
            if not is_same or items[at].estimate(self.width) != self._heights[at]:
                return None
        self.items = list(items)
        return changed

    def _hold(self, change: Diff) -> tuple[int, int] | None:
        """Return new index and screen row of the item that must not move; None if there is none."""
        index, row = self.top, -self.line
        spare: tuple[int, int] | None = None
        while index < len(self.items) and (row < self.height or index == self.top):
            if (new := change.find(index)) is not None:
                if self.items[index].selectable:
                    return new, row
                spare = spare or (new, row)
            row += self._heights[index]
            index += 1
        if spare is None and (new := change.follow(index)) is not None:
            return new, 0
        return spare

    def _carry(self, change: Diff, new: list[ItemT]) -> None:
        """Set the heights of the new sequence: those of the old items, else estimates."""
        old, head = self._heights, change.head
        origin = {place: index for index, place in change.moved.items()}
        middle = array("I")
        for index in range(head, change.new_length - change.tail):
            old_index = origin.get(index)
            middle.append(new[index].estimate(self.width) if old_index is None else old[old_index])
        end = change.old_length - change.tail
        self._total += sum(middle) - sum(old[head:end])
        self._heights = old[:head] + middle + old[end:]

    def _carry_seen(self, change: Diff) -> int:
        for index in range(self.seen - 1, -1, -1):
            if (new := change.find(index)) is not None:
                return new + 1
        return 0

    def set_ends(self, *, more_above: bool, more_below: bool, head: int, foot: int) -> None:
        """Set whether more can be loaded beyond the items, and the heights of the markers."""
        if (more_above, more_below, head, foot) == (
            self.more_above,
            self.more_below,
            self.head,
            self.foot,
        ):
            return
        following = self.following
        self.more_above, self.more_below = more_above, more_below
        self.head, self.foot = head, foot
        self.settle(to_end=following)

    def resize(self, width: int, height: int) -> None:
        """Set the size of the list in cells; the top item stays at the top."""
        following = self.following
        old_width, self.height = self.width, height
        if width != old_width:
            before = self._heights[self.top] if self.items else 1
            self.width = width
            self._heights = array("I", [item.estimate(width) for item in self.items])
            self._total = sum(self._heights)
            self._put(self.top, self.line)
            if self.items and self.line > 0:
                self.line = self.line * self._height(self.top) // max(1, before)
        self.settle(to_end=following)

    # Movement

    def move(self, lines: int) -> None:
        """Scroll by so many lines, down if positive, as far as the ends allow."""
        self.line += lines
        self.settle()

    def place(self, index: int, row: int) -> None:
        """Put the first line of an item on a screen row, as far as the ends allow."""
        self._put(index, -row)
        self.settle()

    def to_end(self) -> None:
        """Put the last line on the last row."""
        self.settle(to_end=True)

    def to_start(self) -> None:
        """Put the first line on the first row."""
        self.place(0, self.head)

    def to_line(self, y: int) -> None:
        """Scroll so that about `y` lines are above the screen: the inverse of `y`."""
        if y <= 0 or not self.items:
            self.to_start()
        elif y >= self.lines - self.height:
            self.to_end()
        else:
            ends = list(accumulate(self._heights))
            index = min(bisect_right(ends, max(0, y - self.head)), len(ends) - 1)
            self.place(index, ends[index] - self._heights[index] + self.head - y)

    def reveal(self, first: int, last: int) -> None:
        """Scroll as little as needed to have the items `first` to `last` whole on screen.

        Items taller than the screen are shown from the side they come from. Items further away than a screen
        are put into its upper third.
        """
        height = sum(self._height(index) for index in range(first, last + 1))
        row = self._row(first)
        if row is None:
            self.place(first, max(0, min(self.height // 3, self.height - height)))
        elif height > self.height:
            if row > 0 or row + height < self.height:
                self.place(first, 0 if row > 0 else self.height - height)
        elif row < 0:
            self.place(first, 0)
        elif row + height > self.height:
            self.place(first, self.height - height)

    def _row(self, index: int) -> int | None:
        """Return the screen row of an item's first line if it is at most a screen away, else None."""
        row, at = -self.line, self.top
        while at < index and row < 2 * self.height:
            row += self._height(at)
            at += 1
        while at > index and row > -self.height:
            at -= 1
            row -= self._height(at)
        return row if at == index else None

    # Upkeep of the anchor

    def settle(self, *, to_end: bool = False, is_measured: bool = False) -> None:
        """Bring the anchor to the item that holds the first row, and keep both ends.

        `is_measured`: what gets on screen has been measured.
        """
        self._placed = None
        if not self.items or not self.height:
            self.at_end = to_end or not self.items
            if not self.items:
                self.top = self.line = self._above = 0
                self.seen = 0
            return
        if to_end:
            self._put(len(self.items) - 1, 0)
            self.line = self._height(self.top) + self.foot - self.height
        self._walk()
        missing = self._missing(is_measured=to_end or is_measured)
        if missing > 0:
            self.line -= missing
            self._walk()
            self._missing()

    def _walk(self) -> None:
        while self.line < 0 and self.top > 0:
            height = self._height(self.top - 1)
            self.top -= 1
            self._above -= height
            self.line += height
        if self.top == 0:
            self.line = max(self.line, -self.head)
        last = len(self.items) - 1
        while self.top < last and self.line >= (height := self._height(self.top)):
            self.line -= height
            self._above += height
            self.top += 1

    def _missing(self, *, is_measured: bool = False) -> int:
        """Return how many rows stay empty below the last line; record the items on screen.

        `is_measured`: all of them were measured on the way here.
        """
        placed = self._placed = []
        index, filled = self.top, -self.line
        while index < len(self.items) and filled < self.height:
            height = self._heights[index] if is_measured else self._height(index)
            if filled + height > 0:
                placed.append(PlacedItem(index, filled, height))
            filled += height
            index += 1
        done = index == len(self.items)
        if done:
            filled += self.foot
        self.at_end = done and filled <= self.height
        self.seen = max(self.seen, index)
        return self.height - filled

    def _height(self, index: int) -> int:
        """Return the exact height of an item; corrects the sums that its estimate went into."""
        height = self.measure(self.items[index])
        if change := height - self._heights[index]:
            self._heights[index] = height
            self._total += change
            if index < self.top:
                self._above += change
        return height

    def _put(self, index: int, line: int) -> None:
        self.top, self.line = index, line
        self._placed = None
        if index < len(self._heights) // 2:
            self._above = sum(self._heights[:index])
        else:
            self._above = self._total - sum(self._heights[index:])
