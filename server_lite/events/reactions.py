"""Events: people react to messages, and take it back. No I/O."""

from dataclasses import dataclass
from typing import Any

from server_lite.events.base import Event, Object, Payload, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionAdded(Event):
    """Somebody reacted. `reaction` is the Reaction object."""

    type = "reaction"
    op = "add"
    message_id: int
    reaction: Object

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(message_id=self.message_id, **self.reaction)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRemoved(Event):
    """Somebody took a reaction back."""

    type = "reaction"
    op = "remove"
    message_id: int
    reaction: Object

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(message_id=self.message_id, **self.reaction)
