"""What an import remembers of every message while it reads: on disk, gone with the connection. SQL only."""

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
    """A file without a name. Nothing in it is needed after a crash."""

    def __init__(self) -> None:
        self._connection = apsw.Connection("")
        for statement in _BEGIN:
            self._connection.execute(statement).fetchall()
        self._marks = 0

    def note(self, *name: str) -> str | None:
        """The text that was put under a name, of one or more parts."""
        row = self._connection.execute(
            "SELECT text FROM note WHERE name = ?", (_bytes(name),)
        ).fetchone()
        return None if row is None else bytes(row[0]).decode("utf-8", "surrogatepass")

    def put(self, text: str, *name: str) -> None:
        """Put a text under a name, in place of what was there."""
        self._connection.execute(
            "INSERT OR REPLACE INTO note VALUES (?, ?)", (_bytes(name), _bytes((text,)))
        )

    def mark(self, time: float, place: int, part: int = 0) -> None:
        """Something happened at a time; where it stands is two numbers."""
        self._connection.execute(
            "INSERT INTO mark (time, place, part) VALUES (?, ?, ?)", (time, place, part)
        )
        self._marks += 1

    @property
    def marks(self) -> int:
        """How many were made."""
        return self._marks

    def first_time(self) -> float:
        """Of all marks; 0 where there is none."""
        ((first,),) = self._connection.execute("SELECT coalesce(min(time), 0) FROM mark")
        return float(first)

    def by_time(self) -> Iterator[tuple[float, int, int]]:
        """(time, place, part) of all marks, oldest first; those of one time in the order in which they were made."""
        yield from self._connection.execute("SELECT time, place, part FROM mark ORDER BY time, id")


def _bytes(parts: tuple[str, ...]) -> bytes:
    """Whatever a stranger wrote, half characters too; a part's length stands before it where there are several."""
    text = "".join(f"{len(part)}:{part}" for part in parts) if len(parts) > 1 else parts[0]
    return text.encode("utf-8", "surrogatepass")
