"""Events: somebody came back, or went out of sight. Short-lived: clients also ask regularly. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Event[None]):
    """`email` is the address by which the API knows the person; times in UNIX seconds."""

    type = "presence"
    durable = False
    user_id: UserId
    email: str
    server_timestamp: float
    modern: Object
    website: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if shape.simplified_presence_events:
            return self.told(presences={str(self.user_id): self.modern})
        fields = {
            "user_id": self.user_id,
            "server_timestamp": self.server_timestamp,
            "presence": {"website": self.website},
        }
        return self.told(**fields) if shape.slim_presence else self.told(**fields, email=self.email)
