"""Reactions: add, remove. Thin."""

from server_lite.access.messages import access_message
from server_lite.actions.reactions import react, unreact
from server_lite.api.answers import Done
from server_lite.ids import MessageId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def add(
    tx: Tx,
    user: UserRow,
    message_id: MessageId,
    *,
    emoji_name: str,
    emoji_code: str | None = None,
    reaction_type: str | None = None,
) -> Done:
    """Add a reaction to a message."""
    row = access_message(tx, user, message_id)
    react(tx, user, row, name=emoji_name, code=emoji_code, type=reaction_type)
    return {}


def remove(
    tx: Tx,
    user: UserRow,
    message_id: MessageId,
    *,
    emoji_name: str | None = None,
    emoji_code: str | None = None,
    reaction_type: str | None = None,
) -> Done:
    """Remove a reaction from a message."""
    row = access_message(tx, user, message_id)
    unreact(tx, user, row, name=emoji_name, code=emoji_code, type=reaction_type)
    return {}
