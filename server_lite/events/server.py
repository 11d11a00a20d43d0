"""Events about the server: restarts, and accounts at providers of calls."""

from collections.abc import Mapping
from typing import Final

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
        return self.base_payload(**self.versions, server_generation=self.server_generation)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomTokenChanged(Event[None]):
    """Whether there is a token."""

    type = "has_zoom_token"
    value: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(value=self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebexTokenChanged(Event[None]):
    """Whether there is a token."""

    type = "has_webex_token"
    value: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(value=self.value)


TokenChanged = ZoomTokenChanged | WebexTokenChanged

BY_PROVIDER: Final[Mapping[str, type[ZoomTokenChanged] | type[WebexTokenChanged]]] = {
    "zoom": ZoomTokenChanged,
    "webex": WebexTokenChanged,
}
"""Every provider that clients know by name has an event of its own."""
