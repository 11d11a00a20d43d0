"""Muting and unmuting users. Thin."""

from server_lite.access.users import access_user
from server_lite.actions import muted_users
from server_lite.api.answers import Done
from server_lite.context import Context
from server_lite.ids import UserId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


async def mute(context: Context, user: UserRow, muted_user_id: UserId) -> Done:
    """Mute a user: their messages are marked as read, new ones on arrival."""
    other = context.read(lambda db: access_user(db, user, muted_user_id))
    more = muted_users.muting(user, other)
    return await context.write_in_slices(lambda tx: None if more(tx) else Done())


def unmute(tx: Tx, user: UserRow, muted_user_id: UserId) -> Done:
    """Unmute a user."""
    muted_users.unmute(tx, user, access_user(tx, user, muted_user_id))
    return {}
