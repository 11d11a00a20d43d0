"""When people were last here. One row each; every change gets a higher number. SQL only."""

from typing import Final

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.rows import Rows

OFFLINE_AFTER: Final = 140.0
"""Seconds after a sign of life until somebody counts as gone."""


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """Times in UNIX seconds. `last_active` is the last key press that a client told of."""

    user_id: UserId
    last_active: float | None
    last_connected: float
    update_id: int


_ROWS: Final = Rows(PresenceRow, "presence")


def of(db: Db, user_id: UserId) -> PresenceRow | None:
    """One person's; None when they were never seen."""
    return _ROWS.one(db, "WHERE user_id = ?", user_id)


def recent(db: Db, *, after_update: int, since: float) -> list[PresenceRow]:
    """Active people's rows that changed after an update and are not older than `since`."""
    return _ROWS.all(
        db,
        "JOIN user ON user.id = presence.user_id WHERE update_id > ? AND last_connected >= ? AND is_active ORDER BY presence.user_id",
        after_update,
        since,
    )


def recent_moments(db: Db, *, after_update: int, since: float) -> list[tuple[UserId, float, float]]:
    """Of the same rows the person's id, when they were last active, and when connected.

    Who was never active counts as so when they joined.
    """
    rows = db.rows(
        "SELECT presence.user_id, coalesce(last_active, date_joined), last_connected"
        " FROM presence JOIN user ON user.id = presence.user_id"
        " WHERE update_id > ? AND last_connected >= ? AND is_active ORDER BY presence.user_id",
        after_update,
        since,
    )
    return [(user_id, active, connected) for user_id, active, connected in rows]


def newest_update(db: Db) -> int:
    """The number of the last change; -1 before the first."""
    number: int | None = db.value("SELECT max(update_id) FROM presence")
    return -1 if number is None else number


def store(db: Db, user_id: UserId, last_active: float | None, last_connected: float) -> PresenceRow:
    """Write one person's row under a new number."""
    row = PresenceRow(user_id, last_active, last_connected, newest_update(db) + 1)
    db.run(
        "INSERT INTO presence (user_id, last_active, last_connected, update_id)"
        " VALUES (?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
        " last_active = excluded.last_active, last_connected = excluded.last_connected,"
        " update_id = excluded.update_id",
        user_id,
        last_active,
        last_connected,
        row.update_id,
    )
    return row


def is_limited(db: Db) -> bool:
    """Whether who may not know everybody sees the presence of those they know only."""
    return bool(settings.value(db, "limits_presence", True))
