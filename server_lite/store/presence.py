"""Rows of users' presence, numbered by their last change. SQL only."""

from collections.abc import Collection
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.rows import Rows

OFFLINE_AFTER: Final = 140.0
"""Seconds without a report after which a user counts as offline."""


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """Times in UNIX seconds. `last_active` is the last input that a client reported."""

    user_id: UserId
    last_active: float | None
    last_connected: float
    update_id: int


_ROWS: Final = Rows(PresenceRow, "presence")


def of(db: Db, user_id: UserId) -> PresenceRow | None:
    """Return a user's presence; None without any report."""
    return _ROWS.one(db, "WHERE user_id = ?", user_id)


def recent(db: Db, *, after_update: int, since: float) -> list[PresenceRow]:
    """Return active users' rows that changed after an update and are not older than `since`."""
    return _ROWS.all(
        db,
        "JOIN user ON user.id = presence.user_id WHERE update_id > ? AND last_connected >= ? AND is_active ORDER BY presence.user_id",
        after_update,
        since,
    )


def recent_as_json(
    db: Db, *, after_update: int, since: float, among: Collection[UserId] | None
) -> str:
    """Return the same rows as `recent` as a JSON object: the Timestamps by user ID; None: of all users.

    Users who were never active count as active when they joined.
    """
    text: str = db.value(
        "SELECT json_group_object(presence.user_id, json_object("
        "'active_timestamp', CAST(coalesce(last_active, date_joined) AS INTEGER),"
        " 'idle_timestamp', CAST(last_connected AS INTEGER)))"
        " FROM presence JOIN user ON user.id = presence.user_id"
        " WHERE update_id > ? AND last_connected >= ? AND is_active"
        + ("" if among is None else " AND user.id IN (SELECT value FROM json_each(?))"),
        *(after_update, since),
        *(() if among is None else (orjson.dumps([*among]).decode(),)),
    )
    return text


def newest_update(db: Db) -> int:
    """Return the number of the last change; -1 before the first."""
    number: int | None = db.value("SELECT max(update_id) FROM presence")
    return -1 if number is None else number


def store(db: Db, user_id: UserId, last_active: float | None, last_connected: float) -> PresenceRow:
    """Store a user's presence under a new number."""
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
    """Whether restricted users get only the presence of users visible to them."""
    return bool(settings.value(db, "limits_presence", True))
