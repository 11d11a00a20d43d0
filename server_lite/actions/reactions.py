"""Reacting to messages, and taking it back. Asks no permission: the message is one the person may read."""

from server_lite.access.emoji import TYPES, known_emoji
from server_lite.access.messages import told_of
from server_lite.actions.flags import remember
from server_lite.errors import ApiError, NoSuchReaction, ReactionExists
from server_lite.events.base import Event
from server_lite.events.reactions import ReactionAdded, ReactionRemoved
from server_lite.objects.reactions import reaction_object
from server_lite.store import reactions
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.reactions import ReactionRow
from server_lite.store.users import UserRow


def react(
    tx: Tx, user: UserRow, row: MessageRow, *, name: str, code: str | None, type: str | None
) -> None:
    """Add a reaction; raises ApiError for an emoji that there is not, ReactionExists."""
    type = _type(type)
    # An emoji that is already on the message can be joined, though it may no longer exist.
    there = reactions.find(tx, row.id, name=None, code=code, type=type) if code and type else None
    known = (there.type, there.code, there.name) if there else known_emoji(tx, name, code, type)
    reaction = ReactionRow(row.id, user.id, *known)
    if reactions.exists(tx, reaction):
        raise ReactionExists
    reactions.insert(tx, reaction)
    remember(tx, user, [row.id])
    _tell(tx, user, row, ReactionAdded(message_id=row.id, reaction=reaction_object(reaction)))


def unreact(
    tx: Tx,
    user: UserRow,
    row: MessageRow,
    *,
    name: str | None,
    code: str | None,
    type: str | None,
) -> None:
    """Take a reaction back, named or by its code; raises NoSuchReaction."""
    type = _type(type)
    if name is None and code is None:
        raise ApiError(
            "At least one of the following arguments must be present: emoji_name, emoji_code"
        )
    if code is None:
        assert name is not None
        there = reactions.find(tx, row.id, name=name, code=None, type=type)
        type, code, name = (
            (there.type, there.code, there.name) if there else known_emoji(tx, name, None, type)
        )
    reaction = reactions.of_person(tx, row.id, user.id, code, type)
    if reaction is None:
        raise NoSuchReaction
    reactions.delete(tx, reaction)
    _tell(tx, user, row, ReactionRemoved(message_id=row.id, reaction=reaction_object(reaction)))


def _tell(tx: Tx, user: UserRow, row: MessageRow, event: Event) -> None:
    people = {user.id}.union(*told_of(tx, [row]))
    tx.emit(event, to=people)


def _type(type: str | None) -> str | None:
    if type is None:
        return None
    if type not in TYPES:
        raise ApiError("Invalid emoji type.")
    return TYPES[type]
