"""A collection of items that have IDs and are replaced whole: drafts, snippets, views. Pure."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Collection(Generic[K, V]):
    """Items by ID, in the order in which they were added."""

    def __init__(self, things: Iterable[V], key: Callable[[V], K]) -> None:
        self._key = key
        self.by_id: dict[K, V] = {key(thing): thing for thing in things}

    def get(self, thing_id: K) -> V | None:
        """Return the item with this ID, None if there is none."""
        return self.by_id.get(thing_id)

    def put(self, *things: V) -> None:
        """Add items, each in the place of the one with its ID."""
        for thing in things:
            self.by_id[self._key(thing)] = thing

    def remove(self, thing_id: K) -> None:
        """Remove an item, if it is there."""
        self.by_id.pop(thing_id, None)

    def all(self) -> list[V]:
        """Return all items."""
        return list(self.by_id.values())
