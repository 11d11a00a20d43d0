"""Reactions of messages. Pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import Message, Reaction

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import ReactionAddEvent, ReactionRemoveEvent


def same_emoji(one: Reaction, other: Reaction) -> bool:
    """Whether two reactions have the same code and type; names differ from server to server."""
    return (one.reaction_type, one.emoji_code) == (other.reaction_type, other.emoji_code)


def add(message: Message, reaction: Reaction) -> Message:
    """Return the message with the reaction, once."""
    if any(same_emoji(r, reaction) and r.user_id == reaction.user_id for r in message.reactions):
        return message
    return replace(message, reactions=(*message.reactions, reaction))


def remove(message: Message, reaction: Reaction) -> Message:
    """Return the message without the reaction."""
    left = tuple(
        r
        for r in message.reactions
        if not (same_emoji(r, reaction) and r.user_id == reaction.user_id)
    )
    return replace(message, reactions=left)


def of_event(event: ReactionAddEvent | ReactionRemoveEvent) -> Reaction:
    """Return the reaction of an event."""
    return Reaction(
        emoji_name=event.emoji_name,
        emoji_code=event.emoji_code,
        reaction_type=event.reaction_type,
        user_id=event.user_id,
    )
