"""Events: what somebody says of themselves. No I/O."""

from dataclasses import dataclass
from typing import Any

from server_lite.events.base import Event, Object, Payload, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanged(Event):
    """`changed` holds the fields that are new: an empty text takes one back."""

    type = "user_status"
    user_id: int
    changed: Object

    def payload(self, shape: Shape, personal: Any) -> Payload:
        fields = {**self.changed}
        if fields.get("reaction_type") == "":  # there is no such kind: clients expect one of three
            fields["reaction_type"] = "unicode_emoji"
        return self.told(user_id=self.user_id, **fields)
