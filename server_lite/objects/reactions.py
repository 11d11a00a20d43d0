"""Reactions as the API's JSON. Pure."""

from typing_extensions import TypedDict

from server_lite.store.reactions import ReactionRow


class ReactionObject(TypedDict):
    """A reaction; what it is, type and code say together."""

    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: int


def reaction_object(row: ReactionRow) -> ReactionObject:
    """The Reaction object."""
    return {
        "emoji_name": row.name,
        "emoji_code": row.code,
        "reaction_type": row.type,
        "user_id": row.user_id,
    }
