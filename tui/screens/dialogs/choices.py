"""Things to choose from, and which of them fit the letters that were typed, the best first. No widgets."""

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
"""Choices shown at once; typing more finds the others."""
SIGNS: Final = "#◆@ "
"""May stand before a name; nobody types them."""
_SEPARATORS: Final = str.maketrans("-_./", "    ")
"""What names are joined by: who types a blank means any of them, and the other way round."""


@dataclass(frozen=True, kw_only=True)
class Choice(Generic[T]):
    """Something to choose; texts are sanitized. `weight` goes first among equals, and unasked.

    What comparing and laying out need is worked out once, for as long as the choice is kept.
    """

    value: T
    label: str
    keys: str = ""
    """The keys that do the same, in a column of their own."""
    detail: str = ""
    weight: float = 0.0
    color: str = ""
    """`#rrggbb` of a square before it."""
    heading: str = ""
    """Stands above the first of those that have the same, while nothing is typed."""

    @property
    def about(self) -> str:
        """All that is said beside the name."""
        return "  ".join(words for words in (self.keys, self.detail) if words)

    @cached_property
    def folded(self) -> str:
        """The name without upper case."""
        return self.label.casefold()

    @cached_property
    def bare(self) -> str:
        """The same without a sign before it, and with blanks for separators."""
        return spaced(self.folded).lstrip(SIGNS)

    @cached_property
    def lowered(self) -> tuple[str, str]:
        """The name in lower case with blanks for separators, and with what is said beside it."""
        whole = f"{self.label} {self.about}" if self.about else ""
        return spaced(self.label.lower()), spaced(whole.lower())

    @cached_property
    def sizes(self) -> tuple[int, int, int]:
        """The cells of name, keys and detail."""
        return cells(self.label), cells(self.keys), cells(self.detail)


class Search(Generic[T]):
    """The same choices, searched at each key."""

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Equally good ones are found in this order."""
        self._choices = choices

    @cached_property
    def _lines(self) -> tuple[str, list[int]]:
        """The names and what is said beside them, each after a line break, and where each one ends."""
        lines = [(whole or label).replace("\n", " ") for label, whole in self._lowered]
        return "\n" + "\n".join(lines), list(accumulate(len(line) + 1 for line in lines))

    @cached_property
    def _lowered(self) -> list[tuple[str, str]]:
        return [choice.lowered for choice in self._choices]

    def find(self, query: str) -> list[Choice[T]]:
        """The choices whose name has the letters of `query` in order, the best first, at most `MOST`."""
        if not query:
            return list(self._choices[:MOST])
        query = spaced(bare(query))
        lowered, folded = query.lower(), query.casefold().lstrip(SIGNS)
        best: list[tuple[float, int]] = []
        """(score, minus the place): the least of the best is the first."""
        slow: list[tuple[float, int, float]] = []
        """(most that it can be, minus the place, what is added to the score)"""
        for at in self._likely(lowered):
            label, whole = self._lowered[at]
            choice = self._choices[at]
            more = choice.weight * 0.05
            if folded in choice.bare:
                # Letters in a row are what people mean; the whole name even more so.
                more += 1.0 + choice.bare.startswith(folded) + 8.0 * (choice.bare == folded)
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
        """The places of those that have the letters in order, found in one pass over all lines."""
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
    """With a blank for each separator; as long as before, so that places in it stay."""
    return text.translate(_SEPARATORS)


def bare(query: str) -> str:
    """What is looked for without the sign by which a person is mentioned: names have none."""
    return query.removeprefix("@") or query
