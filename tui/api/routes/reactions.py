"""Emoji reactions on messages. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import MessageId, ReactionType


async def add(
    connection: Connection,
    *,
    message_id: MessageId,
    emoji_name: str,
    emoji_code: str | None,
    reaction_type: ReactionType | None,
) -> None:
    """POST /messages/{id}/reactions; a name alone is enough. ApiRefused code: REACTION_ALREADY_EXISTS."""
    await connection.post(
        f"/messages/{message_id}/reactions", _emoji(emoji_name, emoji_code, reaction_type)
    )


async def remove(
    connection: Connection,
    *,
    message_id: MessageId,
    emoji_name: str,
    emoji_code: str | None,
    reaction_type: ReactionType | None,
) -> None:
    """DELETE /messages/{id}/reactions. ApiRefused code: REACTION_DOES_NOT_EXIST."""
    await connection.delete(
        f"/messages/{message_id}/reactions", _emoji(emoji_name, emoji_code, reaction_type)
    )


def _emoji(
    emoji_name: str, emoji_code: str | None, reaction_type: ReactionType | None
) -> dict[str, object]:
    if reaction_type == "service_extra_emoji":
        # Servers differ in how they spell this type; each finds the emoji by its name alone.
        return {"emoji_name": emoji_name}
    return {
        "emoji_name": emoji_name,
        "emoji_code": emoji_code,
        "reaction_type": reaction_type,
    }
