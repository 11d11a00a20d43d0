"""Read receipts of a message, as far as the viewer may see them. Reads only."""

from server_lite.ids import UserId
from server_lite.store import conversations, muted_users, unread_messages, users
from server_lite.store.connection import Db
from server_lite.store.messages import MessageRow
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow


def who_read(db: Db, viewer: UserRow, row: MessageRow) -> list[UserId]:
    """Return IDs of recipients who read the message, ascending.

    Excludes the sender, users who do not send read receipts, and users who muted the viewer or are muted by
    them.
    """
    hidden = unread_messages.users_of(db, row.id) | muted_users.muted_by(db, viewer.id)
    hidden |= {muted for muted, _ in muted_users.of(db, viewer.id)} | frozenset({row.sender_id})
    reader_ids: list[UserId] = []
    for user_id in _recipients(db, row):
        user = None if user_id in hidden else users.by_id(db, user_id)
        if user is not None and user.is_active and setting(user, "send_read_receipts"):
            reader_ids.append(user_id)
    return reader_ids


def _recipients(db: Db, row: MessageRow) -> list[UserId]:
    if row.conversation_id is not None:
        return list(conversations.by_ids(db, [row.conversation_id])[row.conversation_id].members)
    return db.column(
        "SELECT DISTINCT user_id FROM membership WHERE channel_id = ? AND after_id < ?"
        " AND (until_id IS NULL OR until_id >= ?) ORDER BY user_id",
        row.channel_id,
        row.id,
        row.id,
    )
