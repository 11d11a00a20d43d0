"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from operator import is_, sub
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
_AT_ONCE: Final = 200
"""Names of which texts are made in one go; the text of thousands is no longer in the processor's cache."""
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


class _Best:
    """The indexes of the best choices so far; of equal ones the earlier is better."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._scores: list[tuple[float, int]] = []
        """(score, minus the index): the worst comes first."""

    def add(self, score: float, at: int) -> None:
        """Add a choice, or leave it if as many are better."""
        if len(self._scores) < self._most:
            heapq.heappush(self._scores, (score, -at))
        elif (score, -at) > self._scores[0]:
            heapq.heapreplace(self._scores, (score, -at))

    def excludes(self, score: float, at: int = 0) -> bool:
        """Whether no choice with at most this score, from this index on, would be added."""
        return len(self._scores) == self._most and (score, -at) < self._scores[0]

    def indexes(self) -> list[int]:
        """Return the indexes, best first."""
        return [-place for _, place in sorted(self._scores, reverse=True)]


class Search(Generic[T]):
    """An index of choices, searched at each key; it can be kept for the next time that they are offered.

    The texts that are searched are made by `prepare` or with the first key, and dropped by `rest`.
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

    def prepare(self) -> None:
        """Make the texts that any letter needs."""
        _ = self._signs

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

    # The texts of many choices are made in one go: thousands of names take longer one by one.

    @cached_property
    def _spellings(self) -> tuple[list[str], list[str]]:
        """The names in lower case and casefolded, with blanks for separators; one list where they are the same."""
        labels: list[str] = []
        names: list[str] = []
        for begin in range(0, len(self._choices), _AT_ONCE):
            part = self._choices[begin : begin + _AT_ONCE]
            text = _joined([choice.label for choice in part])
            labels += _each(spaced(lowered := text.lower()))
            folded = text.casefold()
            names += labels[begin:] if folded == lowered else _each(spaced(folded))
        return labels, labels if names == labels else names

    @cached_property
    def _lengths(self) -> "array[int]":
        """The letters of each casefolded name, without signs before it."""
        return array("I", map(len, map(str.lstrip, self._spellings[1], repeat(SIGNS))))

    @cached_property
    def _signs(self) -> "array[int]":
        """How many signs are before each of the casefolded names."""
        return array("I", map(sub, map(len, self._spellings[1]), self._lengths))

    @cached_property
    def _lines(self) -> list[str]:
        """The names in lower case with the texts beside them; few of these differ."""
        texts = [each.about if each.keys else each.detail for each in self._choices]
        beside = {text: f" {spaced(_joined([text]).lower())}" if text else "" for text in {*texts}}
        labels = self._spellings[0]
        return [label + beside[text] for label, text in zip(labels, texts, strict=True)]

    def __len__(self) -> int:
        return len(self._choices)

    def has(self, name: str) -> bool:
        """Whether a choice has this name, in any case."""
        wanted = name.casefold()
        return spaced(wanted) in self._spellings[1] and any(
            _joined([each.label]).casefold() == wanted for each in self._choices
        )

    def find(self, query: str, most: int = MOST) -> list[Choice[T]]:
        """Return the choices whose names have the letters of `query` in order, best first, at most `most`."""
        if not query or not self._choices:
            return list(self._choices[:most])
        wanted = spaced(bare(query))
        lowered, folded = wanted.lower(), wanted.casefold().lstrip(SIGNS)
        best = _Best(most)
        self._add_runs(best, lowered, folded)
        if not best.excludes(self._most_apart(lowered, folded)):
            self._add_apart(best, lowered, folded)
        return [self._choices[at] for at in best.indexes()]

    def _add_runs(self, best: "_Best", lowered: str, folded: str) -> None:
        """Add the names that have the letters in a row, the likeliest first until no other can be better.

        The likeliest begin with them; then come those with a word that does. The others are told apart only
        if they are needed: thousands of names have a letter.
        """
        labels, names = self._spellings
        signs, lengths, typed = self._signs, self._lengths, len(folded)
        runs = self._in_a_row(lowered)
        most = 3.0 * (len(lowered) + fuzzy.inner_words(lowered)) + 1.0 + ROUNDED
        """The highest score, without what is added for a beginning, the weight and the share that is typed."""
        word = 3.0 * lowered[:1].isalnum()
        first = [at for at in runs if names[at].startswith(folded, signs[at])]
        equal = {at for at in first if lengths[at] == typed}
        for at in equal:
            best.add(fuzzy.lowered_score(lowered, labels[at]) + self._more(at, folded), at)
        self._add_likeliest(best, set(first) - equal, most + word + 1.0, lowered, folded)
        more = self._weight + typed / (typed + 1)  # other names are longer
        if best.excludes(most + word + more):
            return
        others = set(runs).difference(first)
        if word:
            begun = {
                at
                for at in others
                if f" {lowered}" in labels[at]
                or not labels[at].partition(lowered)[0][-1:].isalnum()
            }
            self._add_likeliest(best, begun, most + word, lowered, folded)
            if best.excludes(most + more):
                return
            others -= begun
        self._add_likeliest(best, others, most, lowered, folded)

    def _add_likeliest(
        self, best: "_Best", indexes: Iterable[int], most: float, lowered: str, folded: str
    ) -> None:
        """Add names that have the letters in a row; `most` is the highest score without weight and share."""
        labels, more = self._spellings[0], self._weight_and_share(indexes, len(folded))
        for at in sorted(more, key=more.__getitem__, reverse=True):
            if best.excludes(most + more[at]):
                break
            best.add(fuzzy.lowered_score(lowered, labels[at]) + self._more(at, folded), at)

    def _weight_and_share(self, indexes: Iterable[int], typed: int) -> dict[int, float]:
        """Return what is added to the scores of names that are longer than what is typed."""
        choices, lengths = self._choices, self._lengths
        return {at: choices[at].weight * 0.05 + typed / (lengths[at] or 1) for at in indexes}

    @property
    def _weight(self) -> float:
        """The most that is added to a score for a weight."""
        return self._choices[0].weight * 0.05

    def _most_apart(self, lowered: str, folded: str) -> float:
        """Return an upper bound of the scores of names that do not have the letters in a row."""
        labels, names = self._spellings
        more = self._weight + 1.0 + ROUNDED
        if (lowered != folded or names is not labels) and any(
            folded in name and lowered not in label
            for label, name in zip(labels, names, strict=True)
        ):
            more += 10.0  # by other spellings they do
        return fuzzy.most_apart(lowered) + more

    def _add_apart(self, best: "_Best", lowered: str, folded: str) -> None:
        """Add the names that have the letters in order but not in a row, or have them beside the name."""
        labels, lines = self._spellings[0], self._lines
        slow: list[tuple[float, int, float]] = []
        """(highest possible score, minus the index, bonus)"""
        for at in self._likely(lowered):
            if lowered not in labels[at]:
                more = self._more(at, folded)
                slow.append((fuzzy.most(lowered, lines[at]) + more, -at, more))
        slow.sort(reverse=True)
        for most, place, more in slow:
            if best.excludes(most, -place):
                break
            label, line = labels[-place], lines[-place]
            score = fuzzy.lowered_score(lowered, label)
            if not score and line != label:
                score = fuzzy.lowered_score(lowered, line) / 2
            if score:
                best.add(score + more, -place)

    def _more(self, at: int, folded: str) -> float:
        """Return what is added to the score of a choice: for its weight, and the share of its name that is typed."""
        name, signs, length = self._spellings[1][at], self._signs[at], self._lengths[at]
        typed = len(folded)
        more = self._choices[at].weight * 0.05
        more += typed / length if length > typed else float(typed > 0)
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
        labels = self._spellings[0]
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


def _joined(texts: Sequence[str]) -> str:
    """Return texts as lines of one."""
    lines = "\n".join(texts)
    if lines.count("\n") >= len(texts):
        lines = "\n".join([text.replace("\n", " ") for text in texts])
    return lines


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
