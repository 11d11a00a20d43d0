"""Temporary notes of an import about every message: on disk, gone with the connection. SQL only."""

from collections.abc import Iterator
from typing import Final

import apsw

_BEGIN: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA cache_size = -4096",  # KiB
    "CREATE TABLE note (name BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE mark (id INTEGER PRIMARY KEY, time REAL, place INTEGER, part INTEGER)",
)


class Scratch:
    """An unnamed temporary database. Not needed after a crash."""

    def __init__(self) -> None:
        self._connection = apsw.Connection("")
        for statement in _BEGIN:
            self._connection.execute(statement).fetchall()
        self._marks = 0

    def note(self, *name: str) -> str | None:
        """Return the text stored under a name of one or more parts."""
        row = self._connection.execute(
            "SELECT text FROM note WHERE name = ?", (_bytes(name),)
        ).fetchone()
        return None if row is None else bytes(row[0]).decode("utf-8", "surrogatepass")

    def put(self, text: str, *name: str) -> None:
        """Store a text under a name, replacing an earlier one."""
        self._connection.execute(
            "INSERT OR REPLACE INTO note VALUES (?, ?)", (_bytes(name), _bytes((text,)))
        )

    def mark(self, time: float, place: int, part: int = 0) -> None:
        """Record a time, with the place of its object as two numbers."""
        self._connection.execute(
            "INSERT INTO mark (time, place, part) VALUES (?, ?, ?)", (time, place, part)
        )
        self._marks += 1

    @property
    def marks(self) -> int:
        """The number of recorded marks."""
        return self._marks

    def first_time(self) -> float:
        """Return the earliest recorded time; 0 without marks."""
        ((first,),) = self._connection.execute("SELECT coalesce(min(time), 0) FROM mark")
        return float(first)

    def by_time(self) -> Iterator[tuple[float, int, int]]:
        """Yield (time, place, part) of all marks, oldest first; equal times in the order of recording."""
        yield from self._connection.execute("SELECT time, place, part FROM mark ORDER BY time, id")


def _bytes(parts: tuple[str, ...]) -> bytes:
    """Return a name as bytes, lone surrogates included; several parts are prefixed by their lengths."""
    text = "".join(f"{len(part)}:{part}" for part in parts) if len(parts) > 1 else parts[0]
    return text.encode("utf-8", "surrogatepass")
