"""Events: drafts are begun, changed and thrown away, on whichever client. No I/O."""

from collections.abc import Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftsAdded(Event[None]):
    """New drafts, as Draft objects."""

    type = "drafts"
    op = "add"
    drafts: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(drafts=self.drafts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftUpdated(Event[None]):
    """A draft as it is now."""

    type = "drafts"
    op = "update"
    draft: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(draft=self.draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRemoved(Event[None]):
    """A draft was sent or thrown away."""

    type = "drafts"
    op = "remove"
    draft_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(draft_id=self.draft_id)
