"""Finds people, channels and groups by parts of names: one rule for screens, searches and commands. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from tui.errors import BadNarrow

T = TypeVar("T")

MOST_NAMED: Final = 5
"""Names in the sentence about several matches."""

_WORDS: Final = re.compile(r"\w+")


def matches(query: str, named: Iterable[tuple[T, str]]) -> list[T]:
    """Return those whose name is `query`; else those that have its words; else those with words that begin
    so.

    Case does not count, and words may be left out: `ann`, `lee` and `a lee` match Ann Lee.
    """
    known = list(named)
    folded = query.strip().casefold()
    whole = [thing for thing, name in known if name.casefold() == folded]
    if whole or not folded:
        return whole
    words = _WORDS.findall(folded)
    if not words:
        return [thing for thing, name in known if name.casefold().startswith(folded)]
    by_words = [(thing, _WORDS.findall(name.casefold())) for thing, name in known]
    exact = [thing for thing, has in by_words if _has(has, words, exactly=True)]
    return exact or [thing for thing, has in by_words if _has(has, words, exactly=False)]


def _has(has: Sequence[str], words: Sequence[str], *, exactly: bool) -> bool:
    """Whether the words occur in their order, perhaps with others in between."""
    left = iter(has)
    return all(
        any(word == each if exactly else each.startswith(word) for each in left) for word in words
    )


def did_you_mean(query: str, names: Iterable[str]) -> str:
    """Return a question, after a blank, with the name most similar to `query`, or with a word most similar to
    it; "" if none is. Names are not sanitized.
    """
    from difflib import get_close_matches  # no start waits for it

    by_key: dict[str, str] = {}
    for name in names:
        for part in (name, *name.split()):
            by_key.setdefault(part.casefold(), name)
    near = get_close_matches(query.strip().casefold(), by_key, n=1)
    return f" Did you mean “{by_key[near[0]]}”?" if near else ""


def several(what: str, query: str, names: Sequence[str]) -> BadNarrow:
    """Return the error for several matches; `what` is their noun in the plural. Names are not sanitized."""
    examples = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return BadNarrow(
        f"{len(names)} {what} match “{query}”: {examples}{more}. Type more of the name."
    )
