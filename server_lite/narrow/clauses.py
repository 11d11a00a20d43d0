"""One term of a narrow as SQL over the table `message`. Pure."""

from dataclasses import field
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.narrow.search import SearchTerm
from server_lite.store.connection import SqlValue


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivingIndex:
    """A table that SQLite can start from, in order of IDs, instead of `message`."""

    table: str
    key: str
    """Its column with the message's ID."""
    condition: str
    values: list[SqlValue]
    until: int | None = None
    """Messages above this ID are not in the table, and are few; None if all are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A term as SQL. It may be NULL, which is no match."""

    sql: str
    values: list[SqlValue] = field(default_factory=list)
    start: DrivingIndex | None = None
    """Where SQLite could start; the best one of all terms is used."""
    search_terms: tuple[SearchTerm, ...] = ()
    """Words to highlight in the matches."""


NOTHING: Final = Clause(sql="0")
EVERYTHING: Final = Clause(sql="1")
