"""Rows of the views in users' sidebars. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True)
class ViewRow:
    """A row of `navigation_view`; built-in views have no name of their own."""

    fragment: str
    is_pinned: bool
    name: str | None


_ROWS: Final = Rows(ViewRow, "navigation_view")


def get(db: Db, user_id: UserId, fragment: str) -> ViewRow | None:
    """Return a view of the user."""
    return _ROWS.one(db, "WHERE user_id = ? AND fragment = ?", user_id, fragment)


def of_user(db: Db, user_id: UserId) -> list[ViewRow]:
    """Return all views of the user."""
    return _ROWS.all(db, "WHERE user_id = ?", user_id)


def store(db: Db, user_id: UserId, view: ViewRow) -> None:
    """Store a view, new or changed."""
    db.run(
        "INSERT OR REPLACE INTO navigation_view (user_id, fragment, is_pinned, name)"
        " VALUES (?, ?, ?, ?)",
        user_id,
        view.fragment,
        view.is_pinned,
        view.name,
    )


def delete(db: Db, user_id: UserId, fragment: str) -> None:
    """Delete the view."""
    db.run("DELETE FROM navigation_view WHERE user_id = ? AND fragment = ?", user_id, fragment)
