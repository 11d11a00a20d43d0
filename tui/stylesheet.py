"""How widgets look: each source of rules is parsed once for a theme. Knows of no screens.

Textual parses all of them anew for each kind of screen that is opened, and keeps 64; there are more here.
"""

from __future__ import annotations

from typing import Any, Final

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

MOST: Final = 1024
"""Sources whose rules are kept."""


class ParsedOnce(Stylesheet):
    """Textual's, which keeps the rules of every source for as long as the theme's variables are the same."""

    def __init__(self, *, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._parse_cache: LRUCache[tuple[Any, ...], list[Any]] = LRUCache(MOST)

    def set_variables(self, variables: dict[str, str]) -> None:
        """What was parsed with the same ones holds."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Textual's makes a new stylesheet, which knows nothing of what was parsed."""
        self._rules_map = None
        self.parse()
