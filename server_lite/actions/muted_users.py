"""Muting people: what they wrote counts as read. Asks no permission: one mutes for oneself."""

from server_lite.actions.flags import set_flag
from server_lite.errors import ApiError
from server_lite.events.personal import MutedUsersChanged
from server_lite.objects.personal import muted_user_objects
from server_lite.store import flags, muted_users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def mute(tx: Tx, user: UserRow, other: UserRow) -> None:
    """Mute somebody, and mark what they wrote as read."""
    if user.id == other.id:
        raise ApiError("Cannot mute self")
    if not muted_users.insert(tx, user.id, other.id, tx.now):
        raise ApiError("User already muted")
    _tell(tx, user)
    unread = flags.unread_where(tx, user.id, "sender_id = ?", other.id)
    set_flag(tx, user, flags.READ, unread)


def unmute(tx: Tx, user: UserRow, other: UserRow) -> None:
    """Unmute a user."""
    if not muted_users.delete(tx, user.id, other.id):
        raise ApiError("User is not muted")
    _tell(tx, user)


def _tell(tx: Tx, user: UserRow) -> None:
    tx.emit(MutedUsersChanged(muted_users=muted_user_objects(tx, user.id)), to=[user.id])
