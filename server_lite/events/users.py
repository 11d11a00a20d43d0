"""Events: people come, change, go out of sight. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdded(Event[None]):
    """There is a new account. `person` is the User object as these readers may see it."""

    type = "realm_user"
    op = "add"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUpdated(Event[None]):
    """One thing about an account changed. `person` is its `user_id` and what is new."""

    type = "realm_user"
    op = "update"
    person: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportConsentChanged(Event[None]):
    """Somebody allows an export of what only they can see, or no longer. Told to administrators."""

    type = "realm_export_consent"
    user_id: UserId
    consented: bool

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(user_id=self.user_id, consented=self.consented)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenUserAdded(Event[None]):
    """There is a new account of which these readers may not know: only old clients are told."""

    type = "realm_user"
    op = "add_hidden"
    placeholder: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if shape.user_list_incomplete:
            return None
        return {"type": self.type, "op": "add", "person": self.placeholder}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRemoved(Event[None]):
    """A guest may no longer know of somebody; old clients keep a place in the list for them."""

    type = "realm_user"
    op = "remove"
    user_id: UserId
    placeholder: Object

    @property
    def width(self) -> int:
        return 2

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | list[Payload]:
        removed = self.told(
            person={"user_id": self.user_id, "full_name": self.placeholder["full_name"]}
        )
        if shape.user_list_incomplete:
            return removed
        return [removed, {"type": self.type, "op": "add", "person": self.placeholder}]
