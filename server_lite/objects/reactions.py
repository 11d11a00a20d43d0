"""Reactions as the API's JSON. Pure."""

from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.users import HIDDEN_NAME, hidden_email
from server_lite.store.reactions import ReactionRow


class Reactor(TypedDict):
    """Who reacted, for clients that do not look `user_id` up."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class ReactionObject(TypedDict):
    """A reaction; what it is, type and code say together."""

    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: UserId
    user: NotRequired[Reactor]
    """Only in messages: events have theirs beside the Reaction object."""


def reaction_object(row: ReactionRow) -> ReactionObject:
    """The Reaction object, without `user`."""
    return {
        "emoji_name": row.name,
        "emoji_code": row.code,
        "reaction_type": row.type,
        "user_id": row.user_id,
    }


def reactor(user_id: UserId, email: str, full_name: str) -> Reactor:
    """The deprecated `user` of a reaction; clients of the ecosystem still read it."""
    return {"id": user_id, "email": email, "full_name": full_name, "is_mirror_dummy": False}


def unknown_reactor(user_id: UserId, domain: str) -> Reactor:
    """The same of somebody whom the reader may not know."""
    return reactor(user_id, hidden_email(user_id, domain), HIDDEN_NAME)
