"""Adds and removes reactions. Checks no permissions: callers pass only messages the user may read."""

from dataclasses import replace
from typing import Final

from server_lite.access.emoji import TYPES, known_emoji
from server_lite.access.messages import audiences_of
from server_lite.access.users import ids_who_cannot_access
from server_lite.actions.flags import remember
from server_lite.errors import ApiError, NoSuchReaction, ReactionExists
from server_lite.events.messages import ReactionAdded, ReactionRemoved
from server_lite.objects.reactions import reaction_object, reactor, unknown_reactor
from server_lite.objects.users import api_email
from server_lite.store import reactions, realm
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.reactions import ReactionRow
from server_lite.store.users import UserRow

MAX_PER_PERSON: Final = 100
"""Reactions of one user on one message: all its readers fetch them."""


def react(
    tx: Tx, user: UserRow, row: MessageRow, *, name: str, code: str | None, type: str | None
) -> None:
    """Add a reaction; raises ApiError for an unknown emoji, ReactionExists."""
    type = _type(type)
    if code is None or type is None:
        found_type, found_code, _ = known_emoji(tx, name, None, type)
        type, code = type or found_type, code or found_code
    # An emoji that is on the message is joined under its name there, even if the emoji was
    # deactivated since.
    there = reactions.find(tx, row.id, name=None, code=code, type=type)
    emoji = (there.type, there.code, there.name) if there else known_emoji(tx, name, code, type)
    reaction = ReactionRow(row.id, user.id, *emoji)
    mine = reactions.emoji_of_person(tx, row.id, user.id)
    if (reaction.type, reaction.code) in mine:
        raise ReactionExists
    if len(mine) >= MAX_PER_PERSON:
        raise ApiError(f"You can add at most {MAX_PER_PERSON} reactions to a message.")
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
    """Remove a reaction, given by name or code; raises NoSuchReaction."""
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


def _tell(tx: Tx, user: UserRow, row: MessageRow, event: ReactionAdded | ReactionRemoved) -> None:
    people = {user.id}.union(*audiences_of(tx, [row]))
    domain = realm.domain(tx)
    unaware = ids_who_cannot_access(tx, user, people)
    unknown = unknown_reactor(user.id, domain)
    reactor_object = reactor(user.id, api_email(user, domain), user.full_name)
    for readers, person in ((unaware, unknown), (people - unaware, reactor_object)):
        user_fields = {
            "user_id": user.id,
            "email": person["email"],
            "full_name": person["full_name"],
        }
        tx.emit(replace(event, user=user_fields), to=readers)


def _type(type: str | None) -> str | None:
    if type is None:
        return None
    if type not in TYPES:
        raise ApiError("Invalid emoji type.")
    return TYPES[type]
