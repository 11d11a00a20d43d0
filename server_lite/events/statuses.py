"""Events: what somebody says of themselves. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload, emoji_type
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged(Event[None]):
    """`changed` holds the fields that are new: an empty text takes one back."""

    type = "user_status"
    user_id: UserId
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        fields = {**self.changed}
        if "reaction_type" in fields:
            # Empty where the emoji was taken away, and no such kind: clients expect one of three.
            kind = fields["reaction_type"] or "unicode_emoji"
            fields["reaction_type"] = emoji_type(kind, zulip_program=shape.zulip_program)
        return self.told(user_id=self.user_id, **fields)
