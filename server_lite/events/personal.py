"""Events for one person's clients: settings, alert words, muted people, devices. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload
from server_lite.languages import language_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSettingChanged(Event[None]):
    """One personal setting has a new value."""

    type = "user_settings"
    op = "update"
    property: str
    value: bool | int | str | None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        is_language = self.property == "default_language"
        named = {"language_name": language_name(str(self.value))} if is_language else {}
        return self.told(property=self.property, value=self.value, **named)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertWordsChanged(Event[None]):
    """All alert words there are now."""

    type = "alert_words"
    alert_words: list[str]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(alert_words=self.alert_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedUsersChanged(Event[None]):
    """All muted people there are now."""

    type = "muted_users"
    muted_users: list[dict[str, int]]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(muted_users=self.muted_users)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAdded(Event[None]):
    """A device was registered."""

    type = "device"
    op = "add"
    device_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(device_id=self.device_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRemoved(Event[None]):
    """A device was removed."""

    type = "device"
    op = "remove"
    device_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(device_id=self.device_id)
