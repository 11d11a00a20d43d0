"""Adds submessages to polls and to-do lists. Checks no permissions: callers pass only readable messages."""

from typing import Final

from server_lite.access.messages import audiences_of
from server_lite.actions.polls_and_todos import check_addition
from server_lite.errors import ApiError
from server_lite.events.messages import SubmessageAdded
from server_lite.store import submessages
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow

MAX_PER_PERSON: Final = 100_000
"""Characters that one user may add to one message, about 2,000 votes: all its readers fetch them."""


def add_submessage(tx: Tx, user: UserRow, row: MessageRow, msg_type: str, content: str) -> None:
    """Add a submessage (vote, option, task …); raises ApiError if it does not fit the widget."""
    earlier = submessages.of_messages(tx, [row.id]).get(row.id)
    if not earlier:
        raise ApiError("You cannot attach a submessage to this message.")
    check_addition(earlier[0].content, content, is_author=row.sender_id == user.id)
    mine = sum(len(one.content) for one in earlier if one.sender_id == user.id)
    if mine + len(content) > MAX_PER_PERSON:
        raise ApiError("You have changed this poll or to-do list too often.")
    added = submessages.insert(tx, row.id, user.id, msg_type, content)
    tx.emit(
        SubmessageAdded(
            submessage_id=added.id,
            message_id=row.id,
            sender_id=user.id,
            msg_type=msg_type,
            content=content,
        ),
        to={user.id}.union(*audiences_of(tx, [row])),
    )
