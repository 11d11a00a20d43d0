"""Events: people react to messages, and take it back. No I/O."""

from dataclasses import field

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload, emoji_type


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionAdded(Event[None]):
    """Somebody reacted. `reaction` is the Reaction object."""

    type = "reaction"
    op = "add"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)
    """user_id, email and full_name of who reacted; nothing in events of versions before this one."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(message_id=self.message_id, **_told(self.reaction, self.user, shape))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRemoved(Event[None]):
    """Somebody took a reaction back."""

    type = "reaction"
    op = "remove"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(message_id=self.message_id, **_told(self.reaction, self.user, shape))


def _told(reaction: Object, user: Object, shape: ClientCapabilities) -> dict[str, object]:
    kind = emoji_type(reaction["reaction_type"], zulip_program=shape.zulip_program)
    return {**reaction, "reaction_type": kind, **({"user": user} if user else {})}
