"""Snapshot: users' presence and statuses. Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.access.presence import presences
from server_lite.access.users import accessible_user_ids
from server_lite.objects.encoded import by_id, kept
from server_lite.objects.personal import status_object
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import presence, statuses, users
from server_lite.store.connection import Db


def here(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return presence, by ID for clients that requested the slim format, else by email address."""
    by_user: Mapping[str, object] = {}
    if not request.is_anonymous:
        by_user = presences(
            db,
            request.user,
            by_id=request.shape.slim_presence,
            now=request.now,
            days=request.presence_history_limit_days,
        )
    return {
        "presences": by_user,
        "presence_last_update_id": presence.newest_update(db),
        "server_timestamp": request.now,
    }


def statuses_by_user(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return statuses by user ID, deactivated users included: no event sends theirs on reactivation."""
    by_user: Mapping[int, bytes] = {}
    if not request.is_anonymous:
        by_user = db.cached(_statuses, zulip_program=request.shape.zulip_program)
        accessible_ids = accessible_user_ids(db, request.user)
        if accessible_ids is not None:
            by_user = {
                user_id: by_user[user_id] for user_id in by_user if user_id in accessible_ids
            }
    return {"user_status": by_id(by_user)}


def _statuses(db: Db, *, zulip_program: bool) -> Mapping[int, bytes]:
    """Return the statuses of all users who have any, as JSON."""
    rows = statuses.every(db)
    objects = (
        (user.id, status_object(rows.get(user.id), user, zulip_program=zulip_program))
        for user in users.everyone(db)
        if user.id in rows or user.settings  # without either there is none
    )
    return {user_id: kept(status) for user_id, status in objects if status}


SECTIONS: Final[dict[str, Section]] = {"presence": here, "user_status": statuses_by_user}
