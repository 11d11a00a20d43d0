"""Events: texts to use again are kept, changed, thrown away. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetAdded(Event[None]):
    """A new snippet, as a SavedSnippet object."""

    type = "saved_snippets"
    op = "add"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetUpdated(Event[None]):
    """A snippet as it is now."""

    type = "saved_snippets"
    op = "update"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetRemoved(Event[None]):
    """A snippet is gone."""

    type = "saved_snippets"
    op = "remove"
    snippet_id: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(saved_snippet_id=self.snippet_id)
