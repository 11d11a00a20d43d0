"""Mutes and unmutes users; messages of muted users count as read. Checks no permissions."""

from collections.abc import Callable

from server_lite.actions.flags import reading_from
from server_lite.errors import ApiError
from server_lite.events.personal import MutedUsersChanged
from server_lite.objects.personal import muted_user_objects
from server_lite.store import muted_users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def muting(user: UserRow, other: UserRow) -> Callable[[Tx], bool]:
    """Return a job that marks `other`'s messages as read, then mutes them: call it until it returns False."""
    read = reading_from(user, other)

    def step(tx: Tx) -> bool:
        if user.id == other.id:
            raise ApiError("Cannot mute self")
        if user.id in muted_users.muted_by(tx, other.id):
            raise ApiError("User already muted")
        if read(tx):
            return True
        muted_users.insert(tx, user.id, other.id, tx.now)
        _tell(tx, user)
        return False

    return step


def unmute(tx: Tx, user: UserRow, other: UserRow) -> None:
    """Unmute a user."""
    if not muted_users.delete(tx, user.id, other.id):
        raise ApiError("User is not muted")
    _tell(tx, user)


def _tell(tx: Tx, user: UserRow) -> None:
    tx.emit(MutedUsersChanged(muted_users=muted_user_objects(tx, user.id)), to=[user.id])
