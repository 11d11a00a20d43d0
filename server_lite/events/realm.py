"""Events: settings of the organization, and what people to come begin with. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUpdated(Event[None]):
    """Settings have new values; names are without the prefix of register."""

    type = "realm"
    op = "update_dict"
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(property="default", data=self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultSettingChanged(Event[None]):
    """A personal setting has a new default for people to come."""

    type = "realm_user_settings_defaults"
    op = "update"
    property: str
    value: bool | int | str | None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(property=self.property, value=self.value)
