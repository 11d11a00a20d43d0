"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final, Generic, TypeVar

from tui.dataclass import dataclass
from tui.view import fuzzy
from tui.widgets.content_lines import cells

T = TypeVar("T")

MOST: Final = 60
"""Choices shown at once; more letters find the others."""
SIGNS: Final = "#◆@ "
"""Signs before a name, which are not typed."""
_SEPARATORS: Final = str.maketrans("-_./", "    ")
"""Separators within names: a blank in the query matches any of them, and the reverse."""


@dataclass(frozen=True, kw_only=True)
class Choice(Generic[T]):
    """A value to choose; texts are sanitized. A higher `weight` goes first among equals, and without a query.

    Derived texts and sizes are computed once and cached with the choice.
    """

    value: T
    label: str
    keys: str = ""
    """The keyboard shortcut, in a column of its own."""
    detail: str = ""
    weight: float = 0.0
    color: str = ""
    """`#rrggbb` of a square before the name."""
    heading: str = ""
    """Heading above the first of the choices that share it, while there is no query."""

    @property
    def about(self) -> str:
        """All texts beside the name."""
        return "  ".join(words for words in (self.keys, self.detail) if words)

    @cached_property
    def folded(self) -> str:
        """The name, casefolded."""
        return self.label.casefold()

    @cached_property
    def bare(self) -> str:
        """The casefolded name without a sign before it, and with blanks for separators."""
        return spaced(self.folded).lstrip(SIGNS)

    @cached_property
    def lowered(self) -> tuple[str, str]:
        """The name in lower case with blanks for separators, and the same with the texts beside it."""
        whole = f"{self.label} {self.about}" if self.about else ""
        return spaced(self.label.lower()), spaced(whole.lower())

    @cached_property
    def sizes(self) -> tuple[int, int, int]:
        """The widths of name, keys and detail, in cells."""
        return cells(self.label), cells(self.keys), cells(self.detail)


class Search(Generic[T]):
    """An index of choices, searched at each key."""

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Equally good choices are found in the order of `choices`."""
        self._choices = choices

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """Return the lines to search, each after a line break, and where each of them ends."""
        lines = [(whole or label).replace("\n", " ") for label, whole in self._lowered]
        return "\n" + "\n".join(lines), list(accumulate(len(line) + 1 for line in lines))

    @cached_property
    def _lowered(self) -> list[tuple[str, str]]:
        return [choice.lowered for choice in self._choices]

    def find(self, query: str) -> list[Choice[T]]:
        """Return the choices whose names have the letters of `query` in order, best first, at most `MOST`."""
        if not query:
            return list(self._choices[:MOST])
        query = spaced(bare(query))
        lowered, folded = query.lower(), query.casefold().lstrip(SIGNS)
        best: list[tuple[float, int]] = []
        """(score, minus the index): the least of the best comes first."""
        slow: list[tuple[float, int, float]] = []
        """(highest possible score, minus the index, bonus)"""
        for at in self._likely(lowered):
            label, whole = self._lowered[at]
            choice = self._choices[at]
            more = choice.weight * 0.05
            name = choice.bare
            more += len(folded) / max(len(folded), len(name), 1)  # the more of the name is typed
            if folded in name:
                # A run of letters is what people mean.
                more += 1.0 + name.startswith(folded) + 8.0 * (name == folded)
            if lowered in label:
                _keep(best, fuzzy.lowered_score(lowered, label) + more, -at)
            else:
                slow.append((fuzzy.most(lowered, whole or label) + more, -at, more))
        slow.sort(reverse=True)
        for most, place, more in slow:
            if len(best) == MOST and (most, place) < best[0]:
                break
            label, whole = self._lowered[-place]
            score = fuzzy.lowered_score(lowered, label)
            if not score and whole:
                score = fuzzy.lowered_score(lowered, whole) / 2
            if score:
                _keep(best, score + more, place)
        return [self._choices[-place] for _, place in sorted(best, reverse=True)]

    def _likely(self, lowered: str) -> Sequence[int]:
        """Return the indexes of choices that have the letters in order, found in one pass over all lines."""
        if "\n" in lowered:
            return ()
        codes = (f"\\U{ord(letter):08x}" for letter in lowered)
        letters = (f"[^{code}\n]*+{code}" for code in codes)
        text, ends = self._lines
        matches = re.finditer("\n" + "".join(letters), text)
        return [bisect_right(ends, match.start()) for match in matches]


def _keep(best: list[tuple[float, int]], score: float, place: int) -> None:
    if len(best) < MOST:
        heapq.heappush(best, (score, place))
    elif (score, place) > best[0]:
        heapq.heapreplace(best, (score, place))


def spaced(text: str) -> str:
    """Replace each separator by a blank, at the same positions."""
    return text.translate(_SEPARATORS)


def bare(query: str) -> str:
    """Remove the sign that mentions a person: names do not have it."""
    return query.removeprefix("@") or query
