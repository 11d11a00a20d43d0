"""Events: invitations change. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitesChanged(Event[None]):
    """The list of invitations is another one; who wants it fetches it."""

    type = "invites_changed"

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told()
