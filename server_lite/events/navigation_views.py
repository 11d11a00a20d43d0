"""Events: views are put into the sidebar, changed, taken out. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewAdded(Event[None]):
    """A new view, as a NavigationView object."""

    type = "navigation_view"
    op = "add"
    view: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(navigation_view=self.view)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewUpdated(Event[None]):
    """What changed of a view."""

    type = "navigation_view"
    op = "update"
    fragment: str
    data: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(fragment=self.fragment, data=self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewRemoved(Event[None]):
    """A view is gone."""

    type = "navigation_view"
    op = "remove"
    fragment: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(fragment=self.fragment)
