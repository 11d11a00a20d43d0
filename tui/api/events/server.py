"""Events about the connection, devices and calls, as frozen types. Pure."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tui.api.events.base import BaseEvent
from tui.api.wire import Absent, Key


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatEvent(BaseEvent):
    """Nothing happened for a while, and the connection lives."""

    type: ClassVar = "heartbeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebReloadClientEvent(BaseEvent):
    """For browsers: the page should be loaded again."""

    type: ClassVar = "web_reload_client"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAddEvent(BaseEvent):
    """A device that can be pushed to was registered."""

    type: ClassVar = "device"
    op: ClassVar = "add"
    device_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceUpdateEvent(BaseEvent):
    """A device's push state changed; a terminal has no use for it."""

    type: ClassVar = "device"
    op: ClassVar = "update"
    device_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRemoveEvent(BaseEvent):
    """A device was signed out."""

    type: ClassVar = "device"
    op: ClassVar = "remove"
    device_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTokenEvent(BaseEvent):
    """Whether the person connected an account for video calls; the type names the `provider`."""

    type: ClassVar = "has_{provider}_token"
    provider: str
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartEvent(BaseEvent):
    """The server started anew, perhaps as another version."""

    type: ClassVar = "restart"
    server_generation: Annotated[int, Absent(0)]
    feature_level: Annotated[int, Key("service_feature_level", "zulip_feature_level"), Absent(0)]
    version: Annotated[str, Key("zulip_version"), Absent("")]
