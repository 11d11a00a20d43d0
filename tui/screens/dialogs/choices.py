"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
import re
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import is_
from typing import Final, Generic, TypeVar

from tui.dataclass import dataclass
from tui.view import fuzzy
from tui.widgets.columns import GAP, widest
from tui.widgets.content_lines import cells

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
    """An index of choices, searched at each key; it can be kept for the next time that they are offered."""

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Of equally good choices the one with the higher weight is found first, then the earlier one."""
        self._offered = choices
        self._choices = sorted(choices, key=lambda choice: -choice.weight)
        self._last: tuple[str, Sequence[int]] = ("", ())
        """The last query, and the choices that have its letters in order."""
        self._last_row: tuple[str, Sequence[int]] = ("", ())
        """The same of those that have them in a row."""

    def of(self, choices: Sequence[Choice[T]]) -> "Search[T]":
        """Return the index of these choices: itself if they are the same objects."""
        offered = self._offered
        is_same = len(choices) == len(offered) and all(map(is_, choices, offered))
        return self if is_same else Search(choices)

    @cached_property
    def widest(self) -> int:
        """The width of the widest line in cells, all choices listed in columns."""
        name, key = columns(self._choices)
        return max((size(choice, name, key) for choice in self._choices), default=0)

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
    def _folded(self) -> str:
        """The names, casefolded, each in a line."""
        return _joined(choice.label for choice in self._choices).casefold()

    @cached_property
    def _bare(self) -> list[str]:
        """The casefolded names without a sign before them, and with blanks for separators."""
        return [name.lstrip(SIGNS) for name in _each(spaced(self._folded))]

    @cached_property
    def _weights(self) -> "array[float]":
        return array("d", [choice.weight * 0.05 for choice in self._choices])

    @cached_property
    def _shares(self) -> "array[float]":
        """What one letter is of each name."""
        return array("d", [1 / max(1, len(name)) for name in self._bare])

    @cached_property
    def _words(self) -> list[str]:
        """The names in lower case, with a blank before the first word and for all that is not of a word."""
        return [f" {each}" for each in _each(_as_words("\n".join(self._labels)))]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether lower case and casefold are the same for all names."""
        return all(map(str.endswith, self._labels, self._bare))

    @cached_property
    def _lines(self) -> list[str]:
        """What is searched of each choice."""
        return [whole or label for label, whole in zip(self._labels, self._wholes, strict=True)]

    def __len__(self) -> int:
        return len(self._choices)

    def has(self, name: str) -> bool:
        """Whether a choice has this name, in any case."""
        return bool(self._choices) and f"\n{name.casefold()}\n" in f"\n{self._folded}\n"

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
        labels, names, weights, shares = self._labels, self._bare, self._weights, self._shares
        runs = self._in_a_row(lowered)
        equal = [at for at in runs if labels[at] == lowered or names[at] == folded]
        for at in equal:
            score = fuzzy.lowered_score(lowered, labels[at]) + self._more(at, folded)
            _keep(best, score, -at, limit)
        # As high as each score can be. Thousands of names: no step of Python for each but these.
        typed, least = len(folded), 3.0 * len(lowered)
        begin, words = f" {_as_words(lowered)}", self._words
        bounds = [
            weights[at]
            + typed * shares[at]
            + names[at].startswith(folded)
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
        if lowered != folded or not self._is_plain:
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
        name, typed = self._bare[at], len(folded)
        more = self._weights[at] + (typed / len(name) if len(name) > typed else float(typed > 0))
        if folded in name:
            # A run of letters is what people mean.
            more += 1.0 + name.startswith(folded) + 8.0 * (name == folded)
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


def columns(choices: Sequence[Choice[T]]) -> tuple[int, int]:
    """Return the widths of the columns of names and keys, in cells."""
    named = (each.sizes[0] for each in choices if each.keys or each.detail)
    return widest(named), widest(each.sizes[1] for each in choices)


def size(choice: Choice[T], name: int, key: int) -> int:
    """Return the width of a line in columns of these widths, in cells."""
    label, keys, detail = choice.sizes
    return max(label, name) + max(keys, key) + detail + 2 * GAP


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
