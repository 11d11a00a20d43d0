"""Reactions as the API's JSON. Pure."""

from typing import Any

from server_lite.store.reactions import ReactionRow


def reaction_object(row: ReactionRow) -> dict[str, Any]:
    """The Reaction object."""
    return {
        "emoji_name": row.name,
        "emoji_code": row.code,
        "reaction_type": row.type,
        "user_id": row.user_id,
    }
