"""Access without signing in: whether it is allowed, and as which user. Reads only.

Where the organization is open to the web, an anonymous visitor reads web-public channels as `anonymous_user`,
a guest without subscriptions; elsewhere a visitor reads nothing at all.
"""

from typing import Final

from server_lite.access.users import anonymous_user
from server_lite.errors import Unauthenticated
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

REFUSED: Final = "Not logged in: API authentication or user session required"


def is_open(db: Db) -> bool:
    """Whether the organization allows anonymous visitors."""
    return bool(realm.setting(db, "enable_spectator_access"))


def reader(db: Db, user: UserRow | None) -> UserRow:
    """Return the requesting user; for a visitor `anonymous_user`, or raise Unauthenticated."""
    if user is None and not is_open(db):
        raise Unauthenticated(REFUSED)
    return user or anonymous_user()
