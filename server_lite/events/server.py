"""Events of the server itself. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted(Event[None]):
    """Another version of the server answers now. `versions` are the fields of register."""

    type = "restart"
    versions: Object
    server_generation: int
    """UNIX seconds at which this version first started."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(**self.versions, server_generation=self.server_generation)
