"""A queue that alternates between askers. Knows neither who asks nor what waits."""

from collections import OrderedDict, deque
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items of many askers: the first of each, then the second of each. Those of one keep their order."""

    def __init__(self) -> None:
        self._items = OrderedDict[Hashable, deque[T]]()
        """By asker; who is next comes first."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, asker: Hashable, item: T) -> None:
        """Add an item behind all others of its asker."""
        self._count += 1
        items = self._items.get(asker)
        if items is None:
            self._items[asker] = deque((item,))
        else:
            items.append(item)

    def pop(self) -> tuple[Hashable, T]:
        """Remove the next item; returns it with its asker, who is last from now on."""
        asker, items = self._items.popitem(last=False)
        item = items.popleft()
        self._count -= 1
        if items:
            self._items[asker] = items
        return asker, item

    def take(self, most: int) -> list[tuple[Hashable, T]]:
        """Remove the next items, at most so many."""
        taken: list[tuple[Hashable, T]] = []
        while self._items and len(taken) < most:
            taken.append(self.pop())
        return taken

    def put_back(self, taken: Sequence[tuple[Hashable, T]]) -> None:
        """Add items that were taken last, in their order, before all others."""
        for asker, item in reversed(taken):
            self._items.setdefault(asker, deque()).appendleft(item)
            self._items.move_to_end(asker, last=False)
        self._count += len(taken)
