"""Reactions as the API's JSON. Pure."""

from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.users import HIDDEN_NAME, hidden_email
from server_lite.store.reactions import ReactionRow


class Reactor(TypedDict):
    """The reacting user, for clients that do not look up `user_id`."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class ReactionObject(TypedDict):
    """A reaction; type and code together identify the emoji."""

    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: UserId
    user: NotRequired[Reactor]
    """Only in messages: events have it beside the Reaction object."""


def reaction_object(row: ReactionRow) -> ReactionObject:
    """Return the Reaction object, without `user`."""
    return {
        "emoji_name": row.name,
        "emoji_code": row.code,
        "reaction_type": row.type,
        "user_id": row.user_id,
    }


def reactor(user_id: UserId, email: str, full_name: str) -> Reactor:
    """Return the deprecated `user` of a reaction, which other clients still read."""
    return {"id": user_id, "email": email, "full_name": full_name, "is_mirror_dummy": False}


def unknown_reactor(user_id: UserId, domain: str) -> Reactor:
    """Return the deprecated `user` of a reacting user who is invisible."""
    return reactor(user_id, hidden_email(user_id, domain), HIDDEN_NAME)
