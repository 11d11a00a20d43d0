"""Events: profile fields change. What people say in them is told by `realm_user`. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFieldsChanged(Event[None]):
    """All fields in their order, as the API lists them."""

    type = "custom_profile_fields"
    fields: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(fields=self.fields)
