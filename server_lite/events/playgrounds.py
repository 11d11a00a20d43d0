"""Events: code playgrounds change. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaygroundsChanged(Event[None]):
    """All playgrounds, as the API lists them."""

    type = "realm_playgrounds"
    playgrounds: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(realm_playgrounds=self.playgrounds)
