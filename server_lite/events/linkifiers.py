"""Events: linkifiers change. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkifiersChanged(Event[None]):
    """All linkifiers in their order, as the API lists them."""

    type = "realm_linkifiers"
    linkifiers: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if not shape.linkifier_url_template:
            return None
        return self.told(realm_linkifiers=self.linkifiers)
