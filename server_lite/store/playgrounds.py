"""Rows of code playgrounds: sites that run code of a language. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row


@dataclass(frozen=True, slots=True)
class PlaygroundRow:
    """A row of `playground`."""

    id: int
    name: str
    pygments_language: str
    url_template: str


_ROWS: Final = Rows(PlaygroundRow, "playground")


def everything(db: Db) -> list[PlaygroundRow]:
    """Return all playgrounds by ID."""
    return _ROWS.all(db, "ORDER BY id")


def insert(db: Db, *, name: str, pygments_language: str, url_template: str) -> int:
    """Insert a playground; returns its ID."""
    return insert_row(
        db, "playground", name=name, pygments_language=pygments_language, url_template=url_template
    )


def delete(db: Db, playground_id: int) -> bool:
    """Delete a playground; returns whether it existed."""
    return db.run("DELETE FROM playground WHERE id = ?", playground_id) > 0
