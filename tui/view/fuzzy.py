"""Fuzzy matching, scored as by Textual's `FuzzySearch`, in bounded time for long names. Pure.

Textual tries every way to match the letters, of which a name of a few equal letters has millions. Here the
best way is built from the end. Scores and positions are the same; a property test compares.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"\w+")
_NEVER: Final = -1
_NONE: Final[dict[int, int]] = {}


def score(query: str, text: str) -> float:
    """Return the score of a match: 0 where the letters are not in the text in this order."""
    return lowered_score(query.lower(), text.lower())


def lowered_score(query: str, text: str) -> float:
    """Return the score for texts in lower case; `query` is not empty."""
    at = text.find(query)
    if at >= 0:
        begins = inner_words(query) + _begins_word(text, at)
        return (len(query) + begins) * 2 * (2.0 if text == query else 1.5)
    if not _in_order(query, text):
        return 0.0
    return max(weigh(len(query), groups, begins) for _, groups, begins in _ways(query, text)[0])


def most_of_a_run(query: str) -> float:
    """Return the highest score of a text that has the letters in a row."""
    return (len(query) + inner_words(query) + 1) * 4.0


def most_in_groups(query: str, fewest: int) -> float:
    """Return an upper bound of the scores of texts that have the letters in at least so many groups."""
    count, inner = len(query), inner_words(query)
    return max(
        (weigh(count, n, min(count, n + inner)) for n in range(fewest, count + 1)), default=0.0
    )


def spots(query: str, text: str) -> list[int]:
    """Return the indexes in the lower case text of the best match; of equal ones the first."""
    query, text = query.lower(), text.lower()
    at = text.find(query)
    if at >= 0:
        return list(range(at, at + len(query)))
    if not _in_order(query, text):
        return []
    first, table = _ways(query, text)
    best = max(weigh(len(query), groups, begins) for _, groups, begins in first)
    left = {way for way in first if weigh(len(query), way[1], way[2]) == best}
    places: list[int] = []
    for letter in range(len(query)):
        spot = min(way[0] for way in left)
        places.append(spot)
        if letter + 1 < len(query):
            left = {
                after
                for _, groups, begins in (way for way in left if way[0] == spot)
                for after in _followers(
                    table[letter + 1], spot, groups, begins - _begins_word(text, spot)
                )
            }
    return places


def weigh(count: int, groups: int, begins: int) -> float:
    """Return the score: higher for letters that begin words, and for few groups."""
    together = (count - (groups - 1)) / count
    return (count + begins) * (1 + together * together)


Way = tuple[int, int, int]
"""Position of a letter; groups from there on, and how many of their letters begin words."""


def _ways(query: str, text: str) -> tuple[list[Way], list[dict[int, dict[int, int]]]]:
    """Return the ways that begin with the first letter, and for each letter: position → groups → word
    beginnings.

    Of ways with as many groups only the one with the most beginnings counts.
    """
    table: list[dict[int, dict[int, int]]] = []
    after: dict[int, dict[int, int]] = {}
    for letter_spots in reversed(_spots_of_letters(query, text)):
        if not table:
            here = {spot: {1: _begins_word(text, spot)} for spot in letter_spots}
            table.append(here)
            after = here
            continue
        here = {}
        later = sorted(after, reverse=True)
        beyond: dict[int, int] = {}
        """One group more → word beginnings after a gap."""
        taken = 0
        for spot in reversed(letter_spots):
            while taken < len(later) and later[taken] > spot + 1:
                for groups, begins in after[later[taken]].items():
                    if begins > beyond.get(groups + 1, _NEVER):
                        beyond[groups + 1] = begins
                taken += 1
            begins_here = _begins_word(text, spot)
            options = {g: b + begins_here for g, b in beyond.items()}
            for groups, begins in after.get(spot + 1, _NONE).items():
                if begins + begins_here > options.get(groups, _NEVER):
                    options[groups] = begins + begins_here
            if options:
                here[spot] = options
        table.append(here)
        after = here
    table.reverse()
    first = [(spot, g, b) for spot, ways in table[0].items() for g, b in ways.items()]
    return first, table


def _followers(ways: dict[int, dict[int, int]], spot: int, groups: int, begins: int) -> list[Way]:
    """Return how the way continues after a letter, with so many groups and word beginnings left."""
    spots = sorted(ways)
    followers = [
        (later, groups - 1, begins)
        for later in spots[bisect_right(spots, spot + 1) :]
        if ways[later].get(groups - 1) == begins
    ]
    if ways.get(spot + 1, {}).get(groups) == begins:
        followers.append((spot + 1, groups, begins))
    return followers


def _spots_of_letters(query: str, text: str) -> list[list[int]]:
    """Return the positions of each letter after the first position of the one before."""
    spots_by_letter: list[list[int]] = []
    begin = 0
    for offset, letter in enumerate(query):
        last = len(text) - offset  # as Textual's: the first one beyond is the last one
        spots: list[int] = []
        at = text.find(letter, begin)
        while at >= 0:
            spots.append(at)
            if at + 1 >= last:
                break
            at = text.find(letter, at + 1)
        spots_by_letter.append(spots)
        begin = spots[0] + 1
    return spots_by_letter


def _begins_word(text: str, at: int) -> int:
    """Return 1 where a word begins, else 0."""
    letter, before = text[at], text[at - 1] if at else " "
    is_word = letter.isalnum() or letter == "_"
    return int(is_word and not (before.isalnum() or before == "_"))


@lru_cache(64)
def inner_words(query: str) -> int:
    """Return the number of words that begin after the first letter."""
    return sum(1 for word in _WORD.finditer(query) if word.start())


def _in_order(query: str, text: str) -> bool:
    """Whether the text has the letters of `query` in this order."""
    at = -1
    for letter in query:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True
