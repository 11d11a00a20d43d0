"""Initial state: who is here, and what they say of themselves. Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.access.presence import presences
from server_lite.access.users import known_users
from server_lite.objects.statuses import status_object
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import presence, statuses
from server_lite.store.connection import Db


def here(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Presence, by id for clients that asked for the slim form, else by address."""
    found: Mapping[str, object] = {}
    if not asked.is_stranger:
        found = presences(
            db,
            asked.user,
            by_id=asked.shape.slim_presence,
            now=asked.now,
            days=asked.presence_history_limit_days,
        )
    return {
        "presences": found,
        "presence_last_update_id": presence.newest_update(db),
        "server_timestamp": asked.now,
    }


def said(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Statuses by user id, of closed accounts too: nobody is told of theirs when they come back."""
    rows = statuses.every(db)
    zulip = asked.shape.zulip_program
    found = {}
    for user in [] if asked.is_stranger else known_users(db, asked.user):
        if status := status_object(rows.get(user.id), user, zulip_program=zulip):
            found[str(user.id)] = status
    return {"user_status": found}


SECTIONS: Final[dict[str, Section]] = {"presence": here, "user_status": said}
