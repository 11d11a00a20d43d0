"""Reactions within messages: who reacted with what. Pure functions."""

from dataclasses import replace

from tui.api.events import ReactionAddEvent, ReactionRemoveEvent
from tui.api.model import Message, Reaction


def same_emoji(one: Reaction, other: Reaction) -> bool:
    """An emoji is its code and type; names differ from server to server."""
    return (one.reaction_type, one.emoji_code) == (other.reaction_type, other.emoji_code)


def add(message: Message, reaction: Reaction) -> Message:
    """The message with it, once."""
    if any(same_emoji(r, reaction) and r.user_id == reaction.user_id for r in message.reactions):
        return message
    return replace(message, reactions=(*message.reactions, reaction))


def remove(message: Message, reaction: Reaction) -> Message:
    """The message without it."""
    left = tuple(
        r
        for r in message.reactions
        if not (same_emoji(r, reaction) and r.user_id == reaction.user_id)
    )
    return replace(message, reactions=left)


def of_event(event: ReactionAddEvent | ReactionRemoveEvent) -> Reaction:
    """The reaction that an event is about."""
    return Reaction(
        emoji_name=event.emoji_name,
        emoji_code=event.emoji_code,
        reaction_type=event.reaction_type,
        user_id=event.user_id,
    )
