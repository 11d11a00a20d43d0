"""Whose presence a person may see: that of everybody they may know of. Reads only.

Where the server's owner says so (`store.presence.is_limited`), that of others too, without a name.
"""

from typing import Final

from server_lite.access.users import is_restricted, known_users, strangers
from server_lite.objects.presence import LegacyPresence, Timestamps, legacy, modern
from server_lite.objects.users import api_email, hidden_email
from server_lite.store import presence, realm, users
from server_lite.store.connection import Db
from server_lite.store.presence import PresenceRow
from server_lite.store.users import UserRow

DAY: Final = 24 * 3600
DEFAULT_DAYS: Final = 14


def presences(
    db: Db, viewer: UserRow, *, by_id: bool, now: float, days: int, after_update: int = -1
) -> dict[str, Timestamps | LegacyPresence]:
    """Presence by user id in the modern form, or by the API's address in the old one."""
    if realm.setting(db, "presence_disabled"):
        return {}
    rows = presence.recent(db, after_update=after_update, since=now - days * DAY)
    # Asked by every client every minute: usually few people changed, and few viewers are restricted.
    is_limited = presence.is_limited(db) and is_restricted(db, viewer)
    seen = known_users(db, viewer) if is_limited else _people(db, rows)
    people = {user.id: user for user in seen}
    domain = realm.domain(db)
    unknown = strangers(db, viewer, people)
    found: dict[str, Timestamps | LegacyPresence] = {}
    for row in rows:
        user = people.get(row.user_id)
        if user is None:
            continue
        if by_id:
            found[str(user.id)] = modern(row, user)
        else:
            known_by = api_email(user, domain)
            found[hidden_email(user.id, domain) if user.id in unknown else known_by] = legacy(row)
    return found


def _people(db: Db, rows: list[PresenceRow]) -> list[UserRow]:
    return users.by_ids(db, [row.user_id for row in rows])
