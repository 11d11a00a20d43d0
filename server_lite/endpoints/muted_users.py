"""Muting people, and hearing them again. Thin."""

from server_lite.access.users import access_user
from server_lite.actions import muted_users
from server_lite.api.answers import Done
from server_lite.ids import UserId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def mute(tx: Tx, user: UserRow, muted_user_id: UserId) -> Done:
    """Mute somebody: what they write is read before it arrives."""
    muted_users.mute(tx, user, access_user(tx, user, muted_user_id))
    return {}


def unmute(tx: Tx, user: UserRow, muted_user_id: UserId) -> Done:
    """Unmute a user."""
    muted_users.unmute(tx, user, access_user(tx, user, muted_user_id))
    return {}
