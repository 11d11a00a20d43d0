"""A kind of things that come with ids and are replaced whole: drafts, snippets, views. Pure."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Collection(Generic[K, V]):
    """Things by their id, in the order in which they came."""

    def __init__(self, things: Iterable[V], key: Callable[[V], K]) -> None:
        self._key = key
        self.by_id: dict[K, V] = {key(thing): thing for thing in things}

    def get(self, thing_id: K) -> V | None:
        """The thing with this id."""
        return self.by_id.get(thing_id)

    def put(self, *things: V) -> None:
        """Add them, each in the place of what has its id."""
        for thing in things:
            self.by_id[self._key(thing)] = thing

    def remove(self, thing_id: K) -> None:
        """It is gone."""
        self.by_id.pop(thing_id, None)

    def all(self) -> list[V]:
        """All items."""
        return list(self.by_id.values())
