"""Events: people react to messages, and take it back. No I/O."""

from dataclasses import dataclass, field
from typing import Any

from server_lite.events.base import Event, Object, Payload, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionAdded(Event):
    """Somebody reacted. `reaction` is the Reaction object."""

    type = "reaction"
    op = "add"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)
    """user_id, email and full_name of who reacted; nothing in events of versions before this one."""

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(message_id=self.message_id, **self.reaction, **_user(self.user))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRemoved(Event):
    """Somebody took a reaction back."""

    type = "reaction"
    op = "remove"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(message_id=self.message_id, **self.reaction, **_user(self.user))


def _user(user: Object) -> dict[str, Object]:
    return {"user": user} if user else {}
