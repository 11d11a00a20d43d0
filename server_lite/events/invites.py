"""Events: invitations change. No I/O."""

from typing import Any

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitesChanged(Event):
    """The list of invitations is another one; who wants it fetches it."""

    type = "invites_changed"

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        return self.told()
