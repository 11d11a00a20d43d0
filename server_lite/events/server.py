"""Events about the server: restarts, and the user's tokens of video call providers."""

from collections.abc import Mapping
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted(Event[None]):
    """Sent when another version of the server was started. `versions` are the fields of register."""

    type = "restart"
    versions: Object
    server_generation: int
    """UNIX seconds at which this version was first started."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(**self.versions, server_generation=self.server_generation)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomTokenChanged(Event[None]):
    """Sent when the user's Zoom token was stored or deleted."""

    type = "has_zoom_token"
    value: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(value=self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebexTokenChanged(Event[None]):
    """Sent when the user's Webex token was stored or deleted."""

    type = "has_webex_token"
    value: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(value=self.value)


TokenChanged = ZoomTokenChanged | WebexTokenChanged

BY_PROVIDER: Final[Mapping[str, type[ZoomTokenChanged] | type[WebexTokenChanged]]] = {
    "zoom": ZoomTokenChanged,
    "webex": WebexTokenChanged,
}
"""The event class of each video call provider that clients know."""
