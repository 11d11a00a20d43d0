"""Results computed from rarely changing tables, cached until one of them changes. Knows no table and no SQL.

Theory of operation. `Db.cached(fn, …)` records which tables `fn` reads. Each table has a generation
(`QueryCache.generations`): equal numbers mean equal contents. A result is valid for all connections with
these generations, so the connections of a file share one `ResultCache`, each with the generations
of its snapshot. Nothing is dropped when a table changes: the result stops matching, and the next
one computed replaces it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final, TypeVar, cast

from server_lite.dataclass import dataclass

A = TypeVar("A")
T = TypeVar("T")

MOST: Final = 256
"""Maximum of cached results of one function; the least recently used ones are dropped first."""

Key = tuple[Callable[..., object], tuple[object, ...], tuple[tuple[str, object], ...]]
"""A function with its arguments, except the connection."""


class Dependencies:
    """The tables that a function reads."""

    __slots__ = ("is_kept", "tables")

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self.is_kept = True
        """Whether all tables read change rarely."""

    def note(self, tables: tuple[str, ...], *, keeps: bool) -> None:
        """Add a statement over these tables; `keeps`: its result depends on nothing else."""
        self.tables.update(tables)
        self.is_kept &= keeps

    def add(self, inner: "Dependencies") -> None:
        """Add the tables of another cached call, whose result is used."""
        self.tables |= inner.tables
        self.is_kept &= inner.is_kept


@dataclass(slots=True)
class CachedResult:
    """A function's result, with the tables read for it."""

    result: object
    """Of the function's return type."""
    reading: Dependencies
    generations: tuple[tuple[str, int], ...]
    """Generations of the tables that were read."""
    version: object = None
    """That of all tables when these generations were last compared."""


class ResultCache:
    """Cached results of all functions. Thread-safe."""

    __slots__ = ("_lock", "_made", "by_function", "unordered")

    def __init__(self) -> None:
        self.by_function: Final[defaultdict[Callable[..., object], dict[Key, CachedResult]]] = (
            defaultdict(dict)
        )
        """The results of each function, perhaps outdated; those of frequent calls are looked up here."""
        self.unordered: Final = MOST // 2
        """Results of one function up to which it does not matter which were used last."""
        self._made: dict[Callable[..., object], object] = {}
        self._lock: Final = Lock()

    def find(
        self, key: Key, generations: Mapping[str, int], version: object = None
    ) -> CachedResult | None:
        """Return the result for these generations; None if not cached.

        `version` is another object for other generations: most requests are between two changes.
        """
        results = self.by_function[key[0]]
        cached = results.get(key)
        if cached is None:
            return None
        if version is None or cached.version is not version:
            for table, at in cached.generations:
                if generations[table] != at:
                    return None
            cached.version = version
        if len(results) > self.unordered:
            with self._lock:
                if results.pop(key, None) is not None:
                    results[key] = cached
        return cached

    def keep(
        self, key: Key, result: object, reading: Dependencies, generations: Mapping[str, int]
    ) -> CachedResult:
        """Cache a result, if it depends only on these generations of the tables read."""
        seen = tuple((table, generations[table]) for table in reading.tables)
        entry = CachedResult(result, reading, seen)
        if reading.is_kept:
            with self._lock:
                results = self.by_function[key[0]]
                results.pop(key, None)
                results[key] = entry
                if len(results) > MOST:
                    del results[next(iter(results))]
        return entry

    def made_once(self, make: Callable[[A], T], argument: A) -> T:
        """Return `make(argument)` of the first call, whatever changes."""
        if make not in self._made:
            self._made[make] = make(argument)
        return cast(T, self._made[make])
