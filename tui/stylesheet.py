"""The style sheets of widgets: each source is parsed once for a theme. Knows of no screens.

Textual parses all of them again for each kind of screen that is opened, and caches 64; there are more here. Each
sheet of a dialog repeats the rules of all dialogs: those that are equal are kept once, and looked through once.
"""

from __future__ import annotations

from typing import Any, Final, cast

from textual.cache import LRUCache
from textual.css.model import RuleSet, Selector
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

        self._kept = _Kept()

    def set_variables(self, variables: dict[str, str]) -> None:
        """Keep the parsed rules if the variables are unchanged."""
        if variables != self._variables:
            # Its entries refer to each other: only a collection of garbage would free them, and few of these
            # look through what was there at the start (tui/garbage.py).
            for entry in self._parse_cache._cache.values():
                entry.clear()
            self._kept = _Kept()
            super().set_variables(variables)

    def parse(self) -> None:
        """Parse the sources; of equal rules the last one counts, as it decides where both apply."""
        super().parse()
        self._rules = [*reversed(dict.fromkeys(reversed(self._rules)))]

    def _parse_rules(self, *source: Any, **more: Any) -> list[RuleSet]:
        """Parse a source as Textual does; rules that are equal to known ones are these."""
        rules = super()._parse_rules(*source, **more)
        if any(type(rule.selector_names) is set for rule in rules):
            rules[:] = map(self._kept.rule, rules)  # the list is that of the cache
        return rules

    def reparse(self) -> None:
        """Parse only new sources: Textual's makes a new style sheet without the parsed rules."""
        self._rules_map = None
        self.parse()


class _Kept:
    """The rules of a theme and their parts, each once; Textual makes a set of 216 bytes for each empty one."""

    def __init__(self) -> None:
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        self._selectors: dict[tuple[Any, ...], Selector] = {}
        self._rules: dict[tuple[Any, ...], list[RuleSet]] = {}

    def rule(self, rule: RuleSet) -> RuleSet:
        """Return an equal rule that is known, or this one with what it has in common with others."""
        if rule.errors:
            return rule
        for each in rule.selector_set:
            each.selectors = list(map(self._selector, each.selectors))
        key = (
            rule.is_default_rules,
            rule.tie_breaker,
            *((each.specificity, *map(id, each.selectors)) for each in rule.selector_set),
        )
        alike = self._rules.setdefault(key, [])
        for known in alike:
            if (
                known.styles.important == rule.styles.important
                and known.styles._rules == rule.styles._rules
            ):
                return known
        rule.selector_names = self._set(rule.selector_names)
        rule.pseudo_classes = self._set(rule.pseudo_classes)
        rule.styles.important = self._set(rule.styles.important)
        alike.append(rule)
        return rule

    def _selector(self, selector: Selector) -> Selector:
        names = selector.pseudo_classes = self._set(selector.pseudo_classes)
        key = (
            selector.name,
            selector.combinator,
            selector.type,
            names,
            selector.specificity,
            selector.advance,
        )
        return self._selectors.setdefault(key, selector)

    def _set(self, names: set[str]) -> set[str]:
        frozen = frozenset(names)
        # Nothing changes a set after it was parsed.
        return cast("set[str]", self._sets.setdefault(frozen, frozen))
