"""Events about the connection, devices and calls, as frozen types. Pure."""

from typing import Annotated, ClassVar, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import DeviceId
from tui.api.wire import UNSET, DefaultWhenMissing, Key, Unset
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatEvent(BaseEvent):
    """Nothing happened for a while, and the connection is alive."""

    type: ClassVar = "heartbeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebReloadClientEvent(BaseEvent):
    """For browsers: the page should be reloaded."""

    type: ClassVar = "web_reload_client"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAddEvent(BaseEvent):
    """A device was registered."""

    type: ClassVar = "device"
    op: ClassVar = "add"
    device_id: DeviceId


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceUpdateEvent(BaseEvent):
    """A device's push registration changed; `UNSET` is unchanged."""

    type: ClassVar = "device"
    op: ClassVar = "update"
    device_id: DeviceId
    push_token_id: Annotated[str | Unset | None, DefaultWhenMissing(UNSET)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRemoveEvent(BaseEvent):
    """A device was removed."""

    type: ClassVar = "device"
    op: ClassVar = "remove"
    device_id: DeviceId


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTokenEvent(BaseEvent):
    """Whether the user connected an account for video calls; the type names the `provider`."""

    type: ClassVar = "has_{provider}_token"
    provider: str
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartEvent(BaseEvent):
    """The server restarted, perhaps with another version."""

    type: ClassVar = "restart"
    server_generation: Annotated[int, DefaultWhenMissing(0)]
    feature_level: Annotated[
        int, Key("service_feature_level", "zulip_feature_level"), DefaultWhenMissing(0)
    ]
    version: Annotated[str, Key("zulip_version"), DefaultWhenMissing("")]


ServerEvents: TypeAlias = (
    HeartbeatEvent
    | WebReloadClientEvent
    | DeviceAddEvent
    | DeviceUpdateEvent
    | DeviceRemoveEvent
    | CallTokenEvent
    | RestartEvent
)
