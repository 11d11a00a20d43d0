"""Who reads without having signed in: whether anybody may, and as whom. Reads only.

Where the organization is open to the web, a stranger reads web-public channels as `anonymous_user`, a guest
who is in no channel; elsewhere a stranger reads nothing at all.
"""

from typing import Final

from server_lite.access.users import anonymous_user
from server_lite.errors import Unauthenticated
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

REFUSED: Final = "Not logged in: API authentication or user session required"


def is_open(db: Db) -> bool:
    """Whether the organization lets strangers read."""
    return bool(realm.setting(db, "enable_spectator_access"))


def reader(db: Db, user: UserRow | None) -> UserRow:
    """Who asks; `anonymous_user` for a stranger, or Unauthenticated."""
    if user is None and not is_open(db):
        raise Unauthenticated(REFUSED)
    return user or anonymous_user()
