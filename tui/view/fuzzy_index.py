"""An index of thousands of names, in which typed letters are looked for in all of them at once. Pure.

The names are the lines of one text. A set of places in it is an integer with a bit for each character, so that
one shift moves all places to the next character, and one subtraction finds what follows them in their lines:
microseconds for thousands of names, where a loop over them takes milliseconds. A set of names has the bits of
their line ends. Scores are those of `tui.view.fuzzy`; a property test compares.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, count, repeat
from operator import add, and_, itemgetter, rshift
from typing import Final

from tui.view.fuzzy import inner_words, most_in_groups, weigh

_DIGIT: Final = b"01"
_IS_WORD: Final = bytes(_DIGIT[chr(each).isalnum() or chr(each) == "_"] for each in range(256))
"""For each byte the digit 1 where it is a letter of a word, else 0."""
_BIT: Final = bytes(1 << (each & 7) for each in range(256))
_AFTER_OTHER: Final = re.compile(rb"\?[0-9A-Za-z_\xaa-\xff]")
"""What may be a letter of a word, after a character that Latin-1 does not have."""


class FuzzyIndex:
    """Names in lower case, without line breaks; each is known by its index."""

    def __init__(self, names: Sequence[str], signs: str = "") -> None:
        """`signs` are ASCII characters that names may begin with, which `beginning` passes over."""
        self._names = names
        text = self._text
        latin = text.encode("latin-1", "replace")  # "?" for many
        self._length = len(latin)
        self._bytes = latin[::-1]  # the first character is the last digit
        self.all = self._places_of_bytes("\n")
        """The set of all names."""
        self._everywhere = (1 << self._length) - 1
        self._inside = self._everywhere ^ self.all
        """All places but the line ends."""
        self._begins = (self.all << 1 | 1) & self._everywhere
        leading = self._places_of_bytes(signs)
        self._after_signs = (leading + self._begins) & ~leading  # a carry runs through them
        words = int(self._bytes.translate(_IS_WORD) or b"0", 2)
        after = (match.end() - 1 for match in _AFTER_OTHER.finditer(latin))
        inner = self._places_at(at for at in after if text[at - 1].isalnum())
        self._word_begins = words & ~(words << 1 | inner)
        """Where words begin with a letter of Latin-1."""
        self._ends = array("I", map(add, accumulate(map(len, names)), count()))
        # Two more, since of fewer it makes no tuple.
        self._octets = itemgetter(*map(rshift, self._ends, repeat(3)), 0, 0)
        """Gets the byte with the bit of each name's line end."""
        self._bits = bytes(map(and_, self._ends, repeat(7))).translate(_BIT)
        """For each name that byte with its bit alone."""
        self._letters: dict[str, tuple[int, int]] = {}
        self._steps: list[tuple[str, int, int, int]] = []
        """The last query: each letter with its places, what is after their first ones, and the last places of names."""

    def rest(self) -> None:
        """Drop what queries left: it is made again with their letters."""
        self._letters.clear()
        self._steps.clear()

    @property
    def _text(self) -> str:
        return "\n".join([*self._names, ""])

    # Sets of names

    def indexes(self, names: int) -> list[int]:
        """Return the indexes of a set of names, in order."""
        data = names.to_bytes(self._length // 8 + 1, "little")
        return [*compress(range(len(self._bits)), map(and_, self._octets(data), self._bits))]

    def set_of(self, indexes: Iterable[int]) -> int:
        """Return the set of these names."""
        return self._places_at(self._ends[at] for at in indexes)

    def having(self, query: str) -> int:
        """Return the set of names that have these letters in order."""
        return self._names_at(self._spots(query)[-1]) if query else self.all

    def beginning(self, query: str) -> tuple[int, int, int]:
        """Return the sets of names that are `query`, begin with it, or have it in a row, after any leading signs."""
        runs = self._runs(query)
        begun = runs & self._after_signs
        return (
            self._names_at(begun & (self.all >> len(query))),
            self._names_at(begun),
            self._names_at(runs if query else begun),
        )

    # Scores

    def scored(self, query: str) -> Iterator[tuple[float, int]]:
        """Yield the scores from the highest on, each with the set of names that have it; `query` is not empty.

        A score without names says that no later one is higher: what follows takes time, the more groups the letters
        are in the more.
        """
        runs = self._runs(query)
        taken = self._names_at(runs)
        yield from self._scored_runs(query, runs, taken)
        if len(query) > 1 and taken != self.all:
            yield from self._scored_apart(query, taken)

    def _scored_runs(self, query: str, runs: int, names: int) -> list[tuple[float, int]]:
        """Return the scores of names with the letters in a row, which the first such place decides."""
        whole = self._names_at(runs & self._begins & (self.all >> len(query)))
        begun = self._names_at(self._first(runs) & self._places(query[0])[1])
        letters = len(query) + inner_words(query)
        scores = [
            ((letters + 1) * 2 * 2.0, whole & begun),
            (letters * 2 * 2.0, whole & ~begun),
            ((letters + 1) * 2 * 1.5, names & begun & ~whole),
            (letters * 2 * 1.5, names & ~(begun | whole)),
        ]
        return sorted((each for each in scores if each[1]), reverse=True)

    def _scored_apart(self, query: str, taken: int) -> Iterator[tuple[float, int]]:
        """Yield the scores of the names that are not taken, in which the letters stand in groups."""
        spots, letters = self._spots(query), len(query)
        begins = [here & self._places(letter)[1] for here, letter in zip(spots, query, strict=True)]
        scores: list[tuple[float, int]] = []
        fewer: list[dict[int, int]] = []
        """The places of each letter with one group less, by the number of word beginnings so far."""
        yield most_in_groups(query, 2), 0
        for groups in range(1, letters + 1):
            same: list[dict[int, int]] = []
            for at in range(letters):
                reached: list[tuple[int, int]] = []
                if at == 0 and groups == 1:
                    reached.append((0, self._inside))
                if at and fewer:
                    reached += [(n, self._from(places) << 1) for n, places in fewer[at - 1].items()]
                if at:
                    reached += [(n, places << 1) for n, places in same[at - 1].items()]
                ways: dict[int, int] = {}
                for n, places in reached:
                    if here := places & begins[at]:
                        ways[n + 1] = ways.get(n + 1, 0) | here
                    if here := places & (spots[at] ^ begins[at]):
                        ways[n] = ways.get(n, 0) | here
                same.append(ways)
            fewer = same
            scores += [
                (weigh(letters, groups, n), self._names_at(places))
                for n, places in same[-1].items()
            ]
            scores.sort()
            most = most_in_groups(query, groups + 1)
            while scores and scores[-1][0] >= most:
                score, names = scores.pop()
                if names := names & ~taken:
                    taken |= names
                    yield score, names
            yield most, 0

    # Sets of places

    def _places(self, letter: str) -> tuple[int, int]:
        """Return the places of a letter, and those of them where a word begins."""
        if (places := self._letters.get(letter)) is None:
            places = self._letters[letter] = self._places_of(letter)
        return places

    def _places_of(self, letter: str) -> tuple[int, int]:
        if letter <= "\xff" and letter not in "\n?":
            here = self._places_of_bytes(letter)
            return here, here & self._word_begins
        text, places = self._text, []
        at = text.find(letter)
        while at >= 0 and letter != "\n":
            places.append(at)
            at = text.find(letter, at + 1)
        begins = (at for at in places if letter.isalnum() and not _is_word(text[at - 1 : at]))
        return self._places_at(places), self._places_at(begins)

    def _places_of_bytes(self, characters: str) -> int:
        table = bytearray(_DIGIT[:1] * 256)
        for each in characters:
            table[ord(each)] = _DIGIT[1]
        return int(self._bytes.translate(table) or b"0", 2)

    def _places_at(self, places: Iterable[int]) -> int:
        data = bytearray(self._length // 8 + 1)
        for at in places:
            data[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(data, "little")

    def _runs(self, query: str) -> int:
        """Return where the letters begin in a row."""
        runs = self._everywhere
        for offset, letter in enumerate(query):
            runs &= self._places(letter)[0] >> offset
        return runs

    def _spots(self, query: str) -> list[int]:
        """Return the places of each letter after the first one of the letter before.

        As Textual's: of the last places of a name, as many as letters were before, and one, only the first counts.
        """
        known = 0
        while known < min(len(query), len(self._steps)) and query[known] == self._steps[known][0]:
            known += 1
        del self._steps[known:]
        after, last = self._inside, (self.all >> 1) & self._inside
        if self._steps:
            _, _, after, last = self._steps[-1]
        for letter in query[known:]:
            here = self._places(letter)[0] & after
            if late := here & last:
                here ^= late ^ self._first(late)
            after = self._from(here) << 1
            last |= (last >> 1) & self._inside
            self._steps.append((letter, here, after, last))
        return [step[1] for step in self._steps]

    def _from(self, places: int) -> int:
        """Return all places from the first one of each line on."""
        # The subtraction fills each line from there to its end, but the other places of the line.
        return ((self.all - places) | places) & self._inside

    def _first(self, places: int) -> int:
        """Return the first place of each line."""
        return places & ~(self._from(places) << 1)

    def _names_at(self, places: int) -> int:
        """Return the set of names in which one of these places is."""
        return self.all & ~(self.all - places)


def _is_word(text: str) -> bool:
    return text.isalnum() or text == "_"
