"""Patterns of linkifiers, matched by RE2 as servers do: in time linear in the text. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from tui.dataclass import dataclass

LONGEST: Final = 1000
"""Longest pattern or example that is tried, in characters."""
_MEMORY: Final = 4 << 20
"""Most bytes of a compiled pattern; servers allow it the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The match of a pattern in the example; `error` says why it could not be tried."""

    matched: str | None = None
    groups: Mapping[str, str | None] = field(default_factory=dict)
    error: str = ""


def trial(pattern: str, text: str) -> Trial:
    """Return the match: the whole text if possible, else the first part that matches."""
    if max(len(pattern), len(text)) > LONGEST:
        return Trial(error=f"it has more than {LONGEST} characters")
    import re2  # type: ignore[import-untyped]  # google-re2 ships no types

    try:
        compiled = _compiled(pattern)
    except re2.error as error:
        return Trial(error=_reason(error))
    match = compiled.fullmatch(text) or compiled.search(text)
    if match is None:
        return Trial(groups=dict.fromkeys(compiled.groupindex))
    return Trial(matched=match[0], groups=match.groupdict())


def groups(pattern: str, text: str) -> Mapping[str, str] | None:
    """Return the named groups of a pattern that matches the whole text; None if it does not."""
    import re2

    try:
        match = _compiled(pattern).fullmatch(text)
    except re2.error:
        return None
    if match is None:
        return None
    return {name: value for name, value in match.groupdict().items() if value is not None}


def _compiled(pattern: str) -> Any:
    """Return an object like one of `re`; raises `re2.error`."""
    import re2  # 3 ms, which no start needs

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(pattern, options)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else "it is not valid"
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
