"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, Generic, TypeVar

from tui.dataclass import dataclass
from tui.view import fuzzy
from tui.widgets.content_lines import cells

T = TypeVar("T")

MOST: Final = 60
"""Choices shown at once; more letters find the others."""
SIGNS: Final = "#◆@ "
"""Signs before a name, which are not typed."""
_SEPARATORS: Final = "-_./"
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
    def sizes(self) -> tuple[int, int, int]:
        """The widths of name, keys and detail, in cells."""
        return cells(self.label), cells(self.keys), cells(self.detail)


class Search(Generic[T]):
    """An index of choices, searched at each key."""

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Equally good choices are found in the order of `choices`."""
        self._choices = choices
        self._last: tuple[str, Sequence[int]] = ("", ())
        """The last query, and the choices that have its letters in order."""

    # The texts of all choices are made in one go each: thousands of names take longer one by one.

    @cached_property
    def _labels(self) -> list[str]:
        """The names in lower case, with blanks for separators."""
        return _each(spaced(_joined(choice.label for choice in self._choices).lower()))

    @cached_property
    def _wholes(self) -> list[str]:
        """The same with the texts beside the name; "" without any."""
        texts = ((each.label, each.about) for each in self._choices)
        wholes = (f"{label} {about}" if about else "" for label, about in texts)
        return _each(spaced(_joined(wholes).lower()))

    @cached_property
    def _folded(self) -> list[str]:
        """The names, casefolded."""
        return _each(_joined(choice.label for choice in self._choices).casefold())

    @cached_property
    def _bare(self) -> list[str]:
        """The casefolded names without a sign before them, and with blanks for separators."""
        return [name.lstrip(SIGNS) for name in _each(spaced("\n".join(self._folded)))]

    @cached_property
    def _weights(self) -> list[float]:
        return [choice.weight * 0.05 for choice in self._choices]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._folded)

    @cached_property
    def _lines(self) -> list[str]:
        """What is searched of each choice."""
        return [whole or label for label, whole in zip(self._labels, self._wholes, strict=True)]

    def has(self, name: str) -> bool:
        """Whether a choice has this name, in any case."""
        return name.casefold() in self._names

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
        labels, wholes, names, weights = self._labels, self._wholes, self._bare, self._weights
        typed = len(folded)
        whole_name, run = fuzzy.most_of_a_run(lowered)
        for at in self._likely(lowered):
            label, name = labels[at], names[at]
            # The more of the name is typed.
            more = weights[at] + (typed / len(name) if len(name) > typed else float(typed > 0))
            if folded in name:
                # A run of letters is what people mean.
                more += 1.0 + name.startswith(folded) + 8.0 * (name == folded)
            if lowered not in label:
                slow.append((fuzzy.most(lowered, wholes[at] or label) + more, -at, more))
            elif (
                len(best) < MOST
                or ((whole_name if label == lowered else run) + more, -at) > best[0]
            ):
                _keep(best, fuzzy.lowered_score(lowered, label) + more, -at)
        slow.sort(reverse=True)
        for most, place, more in slow:
            if len(best) == MOST and (most, place) < best[0]:
                break
            label, whole = labels[-place], wholes[-place]
            score = fuzzy.lowered_score(lowered, label)
            if not score and whole:
                score = fuzzy.lowered_score(lowered, whole) / 2
            if score:
                _keep(best, score + more, place)
        return [self._choices[-place] for _, place in sorted(best, reverse=True)]

    def _likely(self, lowered: str) -> Sequence[int]:
        """Return the indexes of choices that have the letters in order; of the last ones where letters were
        added.
        """
        before, indexes = self._last
        if not before or not lowered.startswith(before):
            before, indexes = "", range(len(self._choices))
        lines = self._lines
        for letter in dict.fromkeys(lowered.removeprefix(before)):
            indexes = [at for at in indexes if letter in lines[at]]
        if len(lowered) > 1:
            indexes = [at for at in indexes if fuzzy.in_order(lowered, lines[at])]
        self._last = lowered, indexes
        return indexes


def _keep(best: list[tuple[float, int]], score: float, place: int) -> None:
    if len(best) < MOST:
        heapq.heappush(best, (score, place))
    elif (score, place) > best[0]:
        heapq.heapreplace(best, (score, place))


def _joined(texts: Iterable[str]) -> str:
    """Return texts as lines of one."""
    return "\n".join([text.replace("\n", " ") for text in texts])


def _each(lines: str) -> list[str]:
    return lines.split("\n")


def spaced(text: str) -> str:
    """Replace each separator by a blank, at the same positions."""
    for separator in _SEPARATORS:  # several times as fast as `translate`
        text = text.replace(separator, " ")
    return text


def bare(query: str) -> str:
    """Remove the sign that mentions a person: names do not have it."""
    return query.removeprefix("@") or query
