"""Choices, and the search for those that match typed letters, best first. No widgets."""

import heapq
from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import compress, repeat
from operator import is_
from typing import Any, Final, Generic, TypeVar

from tui.dataclass import dataclass
from tui.view import fuzzy
from tui.view.fuzzy_index import FuzzyIndex
from tui.widgets.columns import GAP, widest
from tui.widgets.content_lines import cells, is_narrow

T = TypeVar("T")

MOST: Final = 60
"""Choices that a chooser shows at once; more letters find the others."""
SIGNS: Final = "#@ "
"""Signs before a name, which are not typed; see `spaced`."""
ROUNDED: Final = 1e-6
"""More than the rounding of a score."""
_FEW: Final = 1 / 8
"""The share of names from which on an index of their own takes less time than it saves."""
_SEPARATORS: Final = "-_./›"
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


class _Narrowed:
    """An index of names; while letters are added, one of those that have the letters so far."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._whole = FuzzyIndex(names, SIGNS)
        self._last: tuple[str, FuzzyIndex, Sequence[int]] = "", self._whole, range(len(names))

    def rest(self) -> None:
        """Drop what the letters of the last query left."""
        self._whole.rest()
        self._last = "", self._whole, range(len(self.names))

    def having(self, query: str) -> tuple[FuzzyIndex, Sequence[int]]:
        """Return an index of all names that have the letters in order, and maybe others; and each one's place."""
        before, index, places = self._last
        if not query.startswith(before):
            index, places = self._whole, range(len(self.names))
        having = index.having(query)
        if having.bit_count() < len(places) * _FEW:
            places = [places[at] for at in index.indexes(having)]
            index = FuzzyIndex([self.names[at] for at in places], SIGNS)
        self._last = query, index, places
        return index, places


class Search(Generic[T]):
    """An index of choices, searched at each key; it can be kept for the next time that they are offered.

    What is searched is made by `prepare` or with the first key.
    """

    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        """Of equally good choices the one with the higher weight is found first, then the earlier one."""
        self._offered = choices
        self._choices = sorted(choices, key=lambda choice: -choice.weight)
        self._wider: dict[int, bool] = {}

    def rest(self) -> None:
        """Drop what the letters of a query left: among thousands of names megabytes.

        What any letter needs takes a tenth of that, and most of the time of a dialog that is opened again.
        """
        vars(self).pop("_lines", None)
        if "_labels" in vars(self):
            self._labels.rest()

    def prepare(self) -> None:
        """Make what any letter needs."""
        _ = self._labels, self._lengths

    def of(self, choices: Sequence[Choice[T]]) -> "Search[T]":
        """Return the index of these choices: itself if they are the same objects."""
        offered = self._offered
        is_same = len(choices) == len(offered) and all(map(is_, choices, offered))
        return self if is_same else Search(choices)

    def is_wider_than(self, width: int) -> bool:
        """Whether a line takes more than `width` cells, all choices listed in columns."""
        if width not in self._wider:
            long = (each.label for each in self._choices if len(each.label) > width)
            # One name may decide it: all lines are seldom measured.
            is_wider = any(cells(label) > width for label in long)
            self._wider[width] = is_wider or _has_wider_line(self._choices, width)
        return self._wider[width]

    # The texts of many choices are made in one go: thousands of names take longer one by one.

    @cached_property
    def _names(self) -> list[str]:
        """The names in lower case, with blanks for separators."""
        return _each(spaced(_joined([choice.label for choice in self._choices])).lower())

    @cached_property
    def _others(self) -> dict[int, str]:
        """Casefolded names that differ from these, by their indexes."""
        names = self._names
        strange = {
            at: names[at] for at, is_plain in enumerate(map(str.isascii, names)) if not is_plain
        }
        if (text := "\n".join(strange.values())).casefold() == text:
            return {}
        folded = ((at, name, name.casefold()) for at, name in strange.items())
        return {at: other for at, name, other in folded if other != name}

    @cached_property
    def _lengths(self) -> "array[int]":
        """The letters of each casefolded name, without signs before it."""
        lengths = array("I", map(len, map(str.lstrip, self._names, repeat(SIGNS))))
        for at, other in self._others.items():
            lengths[at] = len(other.lstrip(SIGNS))
        return lengths

    @cached_property
    def _labels(self) -> _Narrowed:
        return _Narrowed(self._names)

    @cached_property
    def _beside(self) -> tuple[dict[int, str], dict[str, str]]:
        """The texts beside names, by the indexes of those that have any; and each of them as it is searched.

        Few of them differ.
        """
        pairs = [(each.keys, each.detail) for each in self._choices]
        joined = {both: "  ".join(filter(None, both)) for both in {*pairs}}
        texts = {at: joined[both] for at, both in enumerate(pairs) if any(both)}
        return texts, {text: f" {spaced(_joined([text]).lower())}" for text in {*texts.values()}}

    @cached_property
    def _lines(self) -> _Narrowed:
        """The names with the texts beside them, where there are any."""
        names, (texts, searched) = self._names, self._beside
        return _Narrowed([names[at] + searched[text] for at, text in texts.items()])

    def __len__(self) -> int:
        return len(self._choices)

    def has(self, name: str) -> bool:
        """Whether a choice has this name, in any case."""
        wanted = name.casefold()
        return (spaced(wanted) in self._names or spaced(wanted) in self._others.values()) and any(
            _joined([each.label]).casefold() == wanted for each in self._choices
        )

    def find(self, query: str, most: int = MOST) -> list[Choice[T]]:
        """Return the choices whose names have the letters of `query` in order, best first, at most `most`."""
        if not query or not self._choices:
            return list(self._choices[:most])
        wanted = spaced(bare(query))
        lowered, folded = wanted.lower(), wanted.casefold().lstrip(SIGNS)
        best = _Best(most)
        named = self._add_named(best, lowered, folded)
        self._add_beside(best, lowered, folded, named)
        return [self._choices[at] for at in best.indexes()]

    def _add_named(
        self, best: _Best, lowered: str, folded: str
    ) -> tuple[FuzzyIndex, Sequence[int]]:
        """Add the choices whose names have the letters; return where these are, as `_Narrowed` does."""
        index, places = self._labels.having(lowered)
        left = self._with_runs(index, places, folded)
        more = self._weight + 1.0 + ROUNDED
        for score, names in index.scored(lowered):
            points = max((points for points, having in left if having), default=0.0)
            if best.excludes(score + points + more):
                break
            for at, (points, having) in enumerate(left):
                part = having & names
                left[at] = points, having ^ part
                if part and not best.excludes(score + points + more):
                    self._add(best, score, points, [places[i] for i in index.indexes(part)], folded)
        return index, places

    def _with_runs(
        self, index: FuzzyIndex, places: Sequence[int], folded: str
    ) -> list[tuple[float, int]]:
        """Return what is added to a score where the casefolded name has the letters in a row, and these names.

        A run of letters is what people mean.
        """
        equal, begun, runs = index.beginning(folded)
        if others := self._others:
            own = {i: others[at].lstrip(SIGNS) for i, at in enumerate(places) if at in others}
            apart = index.set_of(own)
            equal = equal & ~apart | index.set_of(i for i, name in own.items() if name == folded)
            begun = begun & ~apart | index.set_of(
                i for i, name in own.items() if name.startswith(folded)
            )
            runs = runs & ~apart | index.set_of(i for i, name in own.items() if folded in name)
        return [(10.0, equal), (2.0, begun ^ equal), (1.0, runs ^ begun), (0.0, index.all ^ runs)]

    def _add(
        self, best: _Best, score: float, points: float, indexes: Sequence[int], folded: str
    ) -> None:
        """Add choices that differ by their weight, and the share of their names that is typed."""
        choices, lengths, typed = self._choices, self._lengths, len(folded)
        more = {
            at: choices[at].weight * 0.05
            + (typed / lengths[at] if lengths[at] > typed else float(typed > 0))
            for at in indexes
        }
        for at in sorted(more, key=more.__getitem__, reverse=True):
            whole = score + (more[at] + points)
            if best.excludes(whole, at):
                break
            best.add(whole, at)

    @property
    def _weight(self) -> float:
        """The most that is added to a score for a weight."""
        return self._choices[0].weight * 0.05

    def _add_beside(
        self, best: _Best, lowered: str, folded: str, named: tuple[FuzzyIndex, Sequence[int]]
    ) -> None:
        """Add the choices of which only the texts beside the names have the letters, or the last of them."""
        more = self._weight + 1.0 + ROUNDED
        is_spelled_so = folded == lowered and not self._others
        if not is_spelled_so:
            more += 10.0  # by another spelling the name may have them
        if best.excludes(fuzzy.most_of_a_run(lowered) / 2 + more):
            return
        texts, searched = self._beside
        if (
            " " not in lowered
            and not any(lowered in text for text in searched.values())
            and best.excludes(fuzzy.most_in_groups(lowered, 2) / 2 + more)
        ):
            return
        index, rows = self._lines.having(lowered)
        labels, places = named
        known = {places[at] for at in labels.indexes(labels.having(lowered))}
        indexes = [*texts]
        for score, names in index.scored(lowered):
            if best.excludes(score / 2 + more):
                break
            here = [indexes[rows[row]] for row in index.indexes(names)]
            left = [at for at in here if at not in known]
            if is_spelled_so:
                self._add(best, score / 2, 0.0, left, folded)
            else:
                for at in left:
                    self._add(best, score / 2, self._points(at, folded), [at], folded)

    def _points(self, at: int, folded: str) -> float:
        """As `_with_runs`, for one choice."""
        name = self._others.get(at, self._names[at]).lstrip(SIGNS)
        if folded not in name:
            return 0.0
        return 1.0 + name.startswith(folded) + 8.0 * (name == folded)


def columns(choices: Sequence[Choice[T]]) -> tuple[int, int]:
    """Return the widths of the columns of names and keys, in cells."""
    named = (cells(each.label) for each in choices if each.keys or each.detail)
    return widest(named), widest(cells(each.keys) for each in choices if each.keys)


def size(choice: Choice[T], name: int, key: int) -> int:
    """Return the width of a line in columns of these widths, in cells."""
    label, keys, detail = choice.sizes
    return max(label, name) + max(keys, key) + detail + 2 * GAP


def _has_wider_line(choices: Sequence[Choice[Any]], width: int) -> bool:
    """Whether `size` is more for any choice, with few steps for each of thousands."""
    labels = [choice.label for choice in choices]
    beside = [(choice.keys, choice.detail) for choice in choices]
    different = {*beside}
    if different <= {("", "")}:
        # A character takes at most as many cells as bytes. Widths of thousands of emoji would be remembered.
        room = width - 2 * GAP
        return any(
            len(each.encode(errors="surrogatepass")) > room and cells(each) > room
            for each in labels
        )
    measure = len if is_narrow("".join(labels)) else cells
    sizes = [*map(measure, labels)]
    name = widest(compress(sizes, map(any, beside)))
    key = widest(cells(keys) for keys, _ in different)
    after = {both: max(cells(both[0]), key) + cells(both[1]) for both in different}
    long = (size + after[both] for size, both in zip(sizes, beside, strict=True) if size > name)
    return max(name + max(after.values(), default=0), max(long, default=0)) + 2 * GAP > width


def _joined(texts: Sequence[str]) -> str:
    """Return texts as lines of one."""
    lines = "\n".join(texts)
    if lines.count("\n") >= len(texts):
        lines = "\n".join([text.replace("\n", " ") for text in texts])
    return lines


def _each(lines: str) -> list[str]:
    return lines.split("\n")


def spaced(text: str) -> str:
    """Replace each separator by a blank, and the mark of private channels by that of others, at the same positions."""
    for separator in _SEPARATORS:  # several times as fast as `translate`
        text = text.replace(separator, " ")
    return text.replace("◆", "#")


def bare(query: str) -> str:
    """Remove the sign that mentions a person: names do not have it."""
    return query.removeprefix("@") or query
