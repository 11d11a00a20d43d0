"""Events: texts to use again are kept, changed, thrown away. No I/O."""

from typing import Any

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetAdded(Event):
    """A new snippet, as a SavedSnippet object."""

    type = "saved_snippets"
    op = "add"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        return self.told(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetUpdated(Event):
    """A snippet as it is now."""

    type = "saved_snippets"
    op = "update"
    snippet: Object

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        return self.told(saved_snippet=self.snippet)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetRemoved(Event):
    """A snippet is gone."""

    type = "saved_snippets"
    op = "remove"
    snippet_id: int

    def payload(self, shape: ClientCapabilities, personal: Any) -> Payload:
        return self.told(saved_snippet_id=self.snippet_id)
