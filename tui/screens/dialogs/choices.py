"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
import re
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import is_
from typing import Any, Final, Generic, TypeVar

from tui.dataclass import dataclass
from tui.view import fuzzy
from tui.widgets.columns import GAP, widest
from tui.widgets.content_lines import cells, is_narrow

T = TypeVar("T")

MOST: Final = 60
"""Choices that a chooser shows at once; more letters find the others."""
SIGNS: Final = "#◆@ "
"""Signs before a name, which are not typed."""
ROUNDED: Final = 1e-6
"""More than the rounding of a score."""
_NO_WORD: Final = re.compile(r"[^\w\n]")
_SEPARATORS: Final = "-_./"
"""Separators within names: a blank in the query matches any of them, and the reverse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Generic[T]):
    """A value to choose; texts are sanitized. A higher `weight` goes first among equals, and without a query.

    An organization has thousands: they have nothing that can be computed when it is needed.
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

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The widths of name, keys and detail, in cells."""
        return cells(self.label), cells(self.keys), cells(self.detail)


class Search(Generic[T]):
    """An index of choices, searched at each key; it can be kept for the next time that they are offered.

    The texts that are searched are made with the first key, and dropped by `rest`.
    """

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Of equally good choices the one with the higher weight is found first, then the earlier one."""
        self._offered = choices
        self._choices = sorted(choices, key=lambda choice: -choice.weight)
        self._widest: int | None = None
        self.rest()

    def rest(self) -> None:
        """Drop all that is made for a search: among thousands of names it takes megabytes."""
        self._last: tuple[str, Sequence[int]] = ("", ())
        """The last query, and the choices that have its letters in order."""
        self._last_row: tuple[str, Sequence[int]] = ("", ())
        """The same of those that have them in a row."""
        for name in _MADE & vars(self).keys():
            delattr(self, name)

    def of(self, choices: Sequence[Choice[T]]) -> "Search[T]":
        """Return the index of these choices: itself if they are the same objects."""
        offered = self._offered
        is_same = len(choices) == len(offered) and all(map(is_, choices, offered))
        return self if is_same else Search(choices)

    @property
    def widest(self) -> int:
        """The width of the widest line in cells, all choices listed in columns."""
        if self._widest is None:
            self._widest = _widest_line(self._choices)
        return self._widest

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
        """The names, casefolded, with blanks for separators; `_labels` itself where that is the same."""
        folded = _each(spaced(_joined(choice.label for choice in self._choices).casefold()))
        return self._labels if folded == self._labels else folded

    @cached_property
    def _signs(self) -> bytes:
        """How many signs are before each of the casefolded names."""
        return bytes(min(255, len(name) - len(name.lstrip(SIGNS))) for name in self._folded)

    @cached_property
    def _weights(self) -> "array[float]":
        return array("d", [choice.weight * 0.05 for choice in self._choices])

    @cached_property
    def _lengths(self) -> "array[int]":
        """The letters of each name, without signs before it."""
        names = zip(self._folded, self._signs, strict=True)
        return array("I", [len(name) - signs for name, signs in names])

    @cached_property
    def _words(self) -> list[str]:
        """The names in lower case, with a blank before the first word and for all that is not of a word."""
        return [f" {each}" for each in _each(_as_words("\n".join(self._labels)))]

    @cached_property
    def _lines(self) -> list[str]:
        """What is searched of each choice."""
        return [whole or label for label, whole in zip(self._labels, self._wholes, strict=True)]

    def __len__(self) -> int:
        return len(self._choices)

    def has(self, name: str) -> bool:
        """Whether a choice has this name, in any case."""
        wanted = name.casefold()
        return spaced(wanted) in self._folded and any(
            each.label.replace("\n", " ").casefold() == wanted for each in self._choices
        )

    def find(self, query: str, most: int = MOST) -> list[Choice[T]]:
        """Return the choices whose names have the letters of `query` in order, best first, at most `most`."""
        if not query:
            return list(self._choices[:most])
        wanted = spaced(bare(query))
        lowered, folded = wanted.lower(), wanted.casefold().lstrip(SIGNS)
        best: list[tuple[float, int]] = []
        """(score, minus the index): the least of the best comes first."""
        self._add_runs(best, lowered, folded, most)
        if len(best) < most or best[0][0] <= self._most_apart(lowered, folded):
            self._add_apart(best, lowered, folded, most)
        return [self._choices[-place] for _, place in sorted(best, reverse=True)]

    def _add_runs(
        self, best: list[tuple[float, int]], lowered: str, folded: str, limit: int
    ) -> None:
        """Add the names that have the letters in a row, the likeliest first until no other can be better."""
        labels, names, signs = self._labels, self._folded, self._signs
        lengths, weights = self._lengths, self._weights
        typed, least = len(folded), 3.0 * len(lowered)
        runs = self._in_a_row(lowered)
        equal = [
            at
            for at in runs
            if labels[at] == lowered or (lengths[at] == typed and names[at].endswith(folded))
        ]
        for at in equal:
            score = fuzzy.lowered_score(lowered, labels[at]) + self._more(at, folded)
            _keep(best, score, -at, limit)
        # As high as each score can be. Thousands of names: no step of Python for each but these.
        begin, words = f" {_as_words(lowered)}", self._words
        bounds = [
            weights[at]
            + typed / (lengths[at] or 1)
            + names[at].startswith(folded, signs[at])
            + 3.0 * (begin in words[at])
            for at in runs
        ]
        most = least + 3.0 * fuzzy.inner_words(lowered) + 1.0 + ROUNDED
        done = set(equal)
        for each in sorted(range(len(runs)), key=bounds.__getitem__, reverse=True):
            at = runs[each]
            if len(best) == limit and (most + bounds[each], -at) < best[0]:
                break
            if at not in done:
                score = fuzzy.lowered_score(lowered, labels[at]) + self._more(at, folded)
                _keep(best, score, -at, limit)

    def _most_apart(self, lowered: str, folded: str) -> float:
        """Return an upper bound of the scores of names that do not have the letters in a row."""
        more = max(self._weights, default=0.0) + 1.0 + ROUNDED
        if lowered != folded or self._folded is not self._labels:
            more += 10.0  # by other spellings they may
        return fuzzy.most_apart(lowered) + more

    def _add_apart(
        self, best: list[tuple[float, int]], lowered: str, folded: str, limit: int
    ) -> None:
        """Add the names that have the letters in order but not in a row, or have them beside the name."""
        labels, wholes = self._labels, self._wholes
        slow: list[tuple[float, int, float]] = []
        """(highest possible score, minus the index, bonus)"""
        for at in self._likely(lowered):
            if lowered not in labels[at]:
                more = self._more(at, folded)
                slow.append((fuzzy.most(lowered, wholes[at] or labels[at]) + more, -at, more))
        slow.sort(reverse=True)
        for most, place, more in slow:
            if len(best) == limit and (most, place) < best[0]:
                break
            label, whole = labels[-place], wholes[-place]
            score = fuzzy.lowered_score(lowered, label)
            if not score and whole:
                score = fuzzy.lowered_score(lowered, whole) / 2
            if score:
                _keep(best, score + more, place, limit)

    def _more(self, at: int, folded: str) -> float:
        """Return what is added to the score of a choice: for its weight, and the share of its name that is typed."""
        name, signs, length = self._folded[at], self._signs[at], self._lengths[at]
        typed = len(folded)
        more = self._weights[at] + (typed / length if length > typed else float(typed > 0))
        if (place := name.find(folded, signs)) >= 0:
            # A run of letters is what people mean.
            more += 1.0 + (place == signs) + 8.0 * (place == signs and length == typed)
        return more

    def _in_a_row(self, lowered: str) -> Sequence[int]:
        """Return the indexes of choices whose names have the letters in a row; of the last ones where letters
        were added.
        """
        before, indexes = self._last_row
        if not before or before not in lowered:
            indexes = range(len(self._choices))
        labels = self._labels
        indexes = [at for at in indexes if lowered in labels[at]]
        self._last_row = lowered, indexes
        return indexes

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


_MADE: Final = {name for name, each in vars(Search).items() if isinstance(each, cached_property)}


def columns(choices: Sequence[Choice[T]]) -> tuple[int, int]:
    """Return the widths of the columns of names and keys, in cells."""
    named = (each.sizes[0] for each in choices if each.keys or each.detail)
    return widest(named), widest(each.sizes[1] for each in choices)


def size(choice: Choice[T], name: int, key: int) -> int:
    """Return the width of a line in columns of these widths, in cells."""
    label, keys, detail = choice.sizes
    return max(label, name) + max(keys, key) + detail + 2 * GAP


def _widest_line(choices: Sequence[Choice[Any]]) -> int:
    """Return what `size` is at most, with few steps for each of thousands of choices."""
    labels = [choice.label for choice in choices]
    measure = len if is_narrow("".join(labels)) else cells
    sizes = [*map(measure, labels)]
    known = {text: cells(text) for each in choices for text in (each.keys, each.detail)}
    named = (size for size, each in zip(sizes, choices, strict=True) if each.keys or each.detail)
    name, key = widest(named), widest(known[each.keys] for each in choices)
    return max(
        (
            max(size, name) + max(known[each.keys], key) + known[each.detail] + 2 * GAP
            for size, each in zip(sizes, choices, strict=True)
        ),
        default=0,
    )


def _keep(best: list[tuple[float, int]], score: float, place: int, most: int) -> None:
    if len(best) < most:
        heapq.heappush(best, (score, place))
    elif (score, place) > best[0]:
        heapq.heapreplace(best, (score, place))


def _joined(texts: Iterable[str]) -> str:
    """Return texts as lines of one."""
    return "\n".join([text.replace("\n", " ") for text in texts])


def _each(lines: str) -> list[str]:
    return lines.split("\n")


def _as_words(text: str) -> str:
    """Replace all that is not of a word, but the ends of lines, by blanks."""
    return _NO_WORD.sub(" ", text)


def spaced(text: str) -> str:
    """Replace each separator by a blank, at the same positions."""
    for separator in _SEPARATORS:  # several times as fast as `translate`
        text = text.replace(separator, " ")
    return text


def bare(query: str) -> str:
    """Remove the sign that mentions a person: names do not have it."""
    return query.removeprefix("@") or query
