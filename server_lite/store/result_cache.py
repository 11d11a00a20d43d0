"""Results computed from tables that seldom change, kept until one of them changes. Knows no table and no SQL.

Theory of operation. `Db.cached(fn, …)` notes which tables `fn` reads. Each table has a generation
(`QueryCache.generations`): the same number is the same content. A result holds for all who see the same
generations of those tables, so the connections of a file share one `ResultCache`, each with the generations
of its snapshot. Nothing is dropped when a table changes: the result no longer fits, and the next one that
is computed takes its place.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from server_lite.dataclass import dataclass

MOST: Final = 256
"""Results that are kept: those of which it is longest that they were asked for go first."""

Key = tuple[Callable[..., object], tuple[object, ...], tuple[tuple[str, object], ...]]
"""A function, and all that it was given beside the tables."""


class Dependencies:
    """What a function reads."""

    __slots__ = ("is_kept", "tables")

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self.is_kept = True
        """Whether it read nothing but tables that seldom change."""

    def note(self, tables: tuple[str, ...], *, keeps: bool) -> None:
        """A statement over these tables; `keeps`: its answer depends on nothing else."""
        self.tables.update(tables)
        self.is_kept &= keeps

    def add(self, inner: "Dependencies") -> None:
        """What another function read of which the result is used."""
        self.tables |= inner.tables
        self.is_kept &= inner.is_kept


@dataclass(frozen=True, slots=True)
class CachedResult:
    """What a function returned, and what it read for that."""

    result: object
    """Of whatever type its function says."""
    reading: Dependencies
    generations: tuple[tuple[str, int], ...]
    """Of the tables that it read."""


class ResultCache:
    """The results of all functions. Threads may use it at once."""

    __slots__ = ("_lock", "_results")

    def __init__(self) -> None:
        self._results: dict[Key, CachedResult] = {}
        self._lock: Final = Lock()

    def find(self, key: Key, generations: Mapping[str, int]) -> CachedResult | None:
        """The result for who sees these generations; None where it is not known."""
        with self._lock:
            cached = self._results.get(key)
            if cached is None or any(generations[table] != at for table, at in cached.generations):
                return None
            self._results[key] = self._results.pop(key)
            return cached

    def keep(
        self, key: Key, result: object, reading: Dependencies, generations: Mapping[str, int]
    ) -> CachedResult:
        """Keep a result, if it depends on nothing but these generations of the tables it read."""
        seen = tuple((table, generations[table]) for table in reading.tables)
        entry = CachedResult(result, reading, seen)
        if reading.is_kept:
            with self._lock:
                self._results.pop(key, None)
                self._results[key] = entry
                if len(self._results) > MOST:
                    del self._results[next(iter(self._results))]
        return entry
