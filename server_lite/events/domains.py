"""Events: domains whose addresses may join come, change and go. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainAdded(Event[None]):
    """There is a new domain."""

    type = "realm_domains"
    op = "add"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainChanged(Event[None]):
    """A domain with what is true of it now."""

    type = "realm_domains"
    op = "change"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRemoved(Event[None]):
    """A domain is gone."""

    type = "realm_domains"
    op = "remove"
    domain: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(domain=self.domain)
