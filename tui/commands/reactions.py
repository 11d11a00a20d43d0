"""Adding and removing reactions. Raises ApiError; shown before the server confirms."""

from tui.api.model import MessageId, Reaction, ReactionType
from tui.api.routes import reactions as routes
from tui.commands.optimistic import shown_at_once
from tui.errors import ApiRefused
from tui.store.optimistic import ReactionChange
from tui.store.reactions import same_emoji
from tui.sync.machine import Sync


async def toggle(
    sync: Sync,
    message_id: MessageId,
    *,
    emoji_name: str,
    emoji_code: str,
    reaction_type: ReactionType,
) -> None:
    """Add the user's reaction with an emoji, or remove it."""
    reaction = Reaction(
        emoji_name=emoji_name,
        emoji_code=emoji_code,
        reaction_type=reaction_type,
        user_id=sync.store.self_id,
    )
    message = sync.store.message(message_id)
    there = message is not None and any(
        same_emoji(each, reaction) and each.user_id == reaction.user_id
        for each in message.reactions
    )
    await react(sync, message_id, reaction, on=not there)


async def react(sync: Sync, message_id: MessageId, reaction: Reaction, *, on: bool) -> None:
    """Add (`on`) or remove a reaction; if it is so already, that is no error."""
    change = ReactionChange(message_ids=frozenset({message_id}), reaction=reaction, on=on)
    request = routes.add if on else routes.remove
    async with shown_at_once(sync, change):
        try:
            await request(
                sync.connection,
                message_id=message_id,
                emoji_name=reaction.emoji_name,
                emoji_code=reaction.emoji_code,
                reaction_type=reaction.reaction_type,
            )
        except ApiRefused as error:
            if error.code not in ("REACTION_ALREADY_EXISTS", "REACTION_DOES_NOT_EXIST"):
                raise
