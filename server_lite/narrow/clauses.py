"""One term of a narrow as SQL over the table `message`. Pure."""

from dataclasses import field
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.narrow.search import SearchTerm
from server_lite.store.connection import SqlValue


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivingIndex:
    """A table in which SQLite can begin, in the order of ids, instead of in `message`."""

    table: str
    key: str
    """Its column with the message's id."""
    condition: str
    values: list[SqlValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One term as SQL. It may be NULL, which is no match."""

    sql: str
    values: list[SqlValue] = field(default_factory=list)
    start: DrivingIndex | None = None
    """The same, where SQLite could begin; the best of all the terms' is taken."""
    search_terms: tuple[SearchTerm, ...] = ()
    """What to mark in the matches."""


NOTHING: Final = Clause(sql="0")
EVERYTHING: Final = Clause(sql="1")
