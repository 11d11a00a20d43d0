"""Rules of style sheets, parsed once for the apps of all tests that have the same theme.

In the product a process shows one app, which parses its sources once (`tui/stylesheet.py`). Parsed rules are
not changed: an app shares them among its widgets as well.
"""

from typing import Any, Final

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

REAL: Final = Stylesheet._parse_rules
"""For tests of what an app parses."""
_Parsed = dict[tuple[Any, ...], list[RuleSet]]
_parsed: Final[dict[frozenset[tuple[str, str]], _Parsed]] = {}
"""Rules by source, by the variables of the theme."""


def parse_rules(sheet: Stylesheet, *source: Any, **more: Any) -> list[RuleSet]:
    """Return the rules of a source, as `Stylesheet._parse_rules` does."""
    parsed = _parsed_for(sheet)
    key = (*source, *more.items())
    if key not in parsed:
        parsed[key] = REAL(sheet, *source, **more)
    return parsed[key]


def _parsed_for(sheet: Stylesheet) -> _Parsed:
    """Return what was parsed with the sheet's variables."""
    known: tuple[dict[str, str], _Parsed] | None = getattr(sheet, "_of_all_tests", None)
    if known is None or known[0] is not sheet._variables:
        parsed = _parsed.setdefault(frozenset(sheet._variables.items()), {})
        known = (sheet._variables, parsed)
        sheet._of_all_tests = known  # type: ignore[attr-defined]  # only here
    return known[1]
