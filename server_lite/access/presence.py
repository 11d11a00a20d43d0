"""Whose presence a user may see: that of all visible users. Reads only.

Unless the server's operator limits it (`store.presence.is_limited`), invisible users' presence is included
too, without names.
"""

from typing import Final, cast

from orjson import Fragment

from server_lite.access.users import accessible_user_ids
from server_lite.objects.presence import LegacyPresence, Timestamps, legacy
from server_lite.objects.users import api_email, hidden_email
from server_lite.store import presence, realm, users
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

DAY: Final = 24 * 3600
DEFAULT_DAYS: Final = 14


def presences(
    db: Db, viewer: UserRow, *, by_id: bool, now: float, days: int, after_update: int = -1
) -> dict[str, Timestamps | LegacyPresence]:
    """Return presence by user ID in the modern format, or by email address in the old one."""
    if realm.setting(db, "presence_disabled"):
        return {}
    since = now - days * DAY
    accessible_ids = accessible_user_ids(db, viewer)
    seen = accessible_ids if presence.is_limited(db) else None
    if by_id:
        by_user: object = Fragment(
            presence.recent_as_json(db, after_update=after_update, since=since, among=seen)
        )
        return cast(dict[str, Timestamps | LegacyPresence], by_user)
    rows = {
        row.user_id: row
        for row in presence.recent(db, after_update=after_update, since=since)
        if seen is None or row.user_id in seen
    }
    domain = realm.domain(db)
    return {
        api_email(user, domain)
        if accessible_ids is None or user.id in accessible_ids
        else hidden_email(user.id, domain): legacy(rows[user.id])
        for user in users.everyone(db)
        if user.id in rows
    }
