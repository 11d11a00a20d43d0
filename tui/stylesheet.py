"""The style sheets of widgets: each source is parsed once for a theme. Knows of no screens.

Textual parses all of them again for each kind of screen that is opened, and caches 64; there are more here.
"""

from __future__ import annotations

from typing import Any, Final

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

MOST: Final = 1024
"""Sources whose rules are cached."""

# The same identity, without a call of Python: rules are put into sets for each widget whose style is looked for.
# Textual's calls `id`, which also asks the guard of a hosted session (tui/ssh/audit_guard.py) each time.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]  # see above


class ParsedOnce(Stylesheet):
    """Textual's style sheet, with all rules cached while the theme's variables are unchanged."""

    def __init__(self, *, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._parse_cache: LRUCache[tuple[Any, ...], list[Any]] = LRUCache(MOST)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Keep the parsed rules if the variables are unchanged."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse only new sources: Textual's makes a new style sheet without the parsed rules."""
        self._rules_map = None
        self.parse()
