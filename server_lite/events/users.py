"""Events: people come, change, go out of sight. No I/O."""

from dataclasses import dataclass
from typing import Any

from server_lite.events.base import Event, Payload, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdded(Event):
    """There is a new account. `person` is the User object as these readers may see it."""

    type = "realm_user"
    op = "add"
    person: dict[str, Any]

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUpdated(Event):
    """One thing about an account changed. `person` is its `user_id` and what is new."""

    type = "realm_user"
    op = "update"
    person: dict[str, Any]

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(person=self.person)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRemoved(Event):
    """A guest may no longer know of somebody."""

    type = "realm_user"
    op = "remove"
    user_id: int

    def payload(self, shape: Shape, personal: Any) -> Payload:
        return self.told(person={"user_id": self.user_id, "full_name": "Unknown user"})
