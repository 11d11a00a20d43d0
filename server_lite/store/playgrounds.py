"""Rows of code playgrounds: where code of a language can be tried. SQL only."""

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db


@dataclass(frozen=True, slots=True)
class PlaygroundRow:
    """One row of `playground`."""

    id: int
    name: str
    pygments_language: str
    url_template: str


def everything(db: Db) -> list[PlaygroundRow]:
    """All playgrounds by id."""
    sql = "SELECT id, name, pygments_language, url_template FROM playground ORDER BY id"
    return [PlaygroundRow(*row) for row in db.rows(sql)]


def insert(db: Db, *, name: str, pygments_language: str, url_template: str) -> int:
    """A new playground; returns its id."""
    return db.insert(
        "INSERT INTO playground (name, pygments_language, url_template) VALUES (?, ?, ?)",
        name,
        pygments_language,
        url_template,
    )


def delete(db: Db, playground_id: int) -> bool:
    """Forget a playground; whether there was one."""
    return db.run("DELETE FROM playground WHERE id = ?", playground_id) > 0
