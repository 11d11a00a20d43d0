"""A message's edit history and read receipts. Thin."""

from typing_extensions import TypedDict

from server_lite.access.message_readers import who_read
from server_lite.access.messages import access_message
from server_lite.errors import ApiError
from server_lite.ids import MessageId, UserId
from server_lite.objects.history import MessageState, history_objects
from server_lite.objects.messages import Form, edit_history_policy, shown_entries
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


class History(TypedDict):
    """States of the message, oldest first."""

    message_history: list[MessageState]


class Readers(TypedDict):
    """IDs of users who read the message."""

    user_ids: list[UserId]


def fetch(
    db: Db, user: UserRow, message_id: MessageId, *, allow_empty_topic_name: bool = False
) -> History:
    """Get all states of a message, oldest first."""
    row = access_message(db, user, message_id)
    policy = edit_history_policy(db)
    if policy == "none":
        raise ApiError("Message edit history is disabled in this organization")
    form = Form(empty_topic_name=allow_empty_topic_name)
    return {"message_history": history_objects(row, shown_entries(row.edit_history, policy), form)}


def read_receipts(db: Db, user: UserRow, message_id: MessageId) -> Readers:
    """Get the users who read a message, except those who do not share read receipts."""
    row = access_message(db, user, message_id)
    if not realm.setting(db, "enable_read_receipts"):
        raise ApiError("Read receipts are disabled in this organization.")
    return {"user_ids": who_read(db, user, row)}
