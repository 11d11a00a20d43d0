"""Stems of English words, letter for letter as SQLite's `porter` tokenizer makes them. Pure.

Chinwag servers search by them, so an offline search finds the same messages. The rules are written here
since a library that has them, another SQLite, takes 3 MB of memory (docs/decisions/0064). The steps are those
of Porter's algorithm; what is counted are bytes of UTF-8, as there.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

_SHORTEST, _LONGEST = 3, 64
"""Bytes of a word that has a stem."""
_Endings: TypeAlias = Mapping[bytes, Sequence[tuple[bytes, bytes]]]
"""Endings and their replacements by the last letter but one; the first ending that fits decides."""
# fmt: off
_STEP_2: Final[_Endings] = {
    b"a": ((b"ational", b"ate"), (b"tional", b"tion")),
    b"c": ((b"enci", b"ence"), (b"anci", b"ance")),
    b"e": ((b"izer", b"ize"),),
    b"g": ((b"logi", b"log"),),
    b"l": ((b"bli", b"ble"), (b"alli", b"al"), (b"entli", b"ent"), (b"eli", b"e"), (b"ousli", b"ous")),
    b"o": ((b"ization", b"ize"), (b"ation", b"ate"), (b"ator", b"ate")),
    b"s": ((b"alism", b"al"), (b"iveness", b"ive"), (b"fulness", b"ful"), (b"ousness", b"ous")),
    b"t": ((b"aliti", b"al"), (b"iviti", b"ive"), (b"biliti", b"ble")),
}
_STEP_3: Final[_Endings] = {
    b"a": ((b"ical", b"ic"),),
    b"s": ((b"ness", b""),),
    b"t": ((b"icate", b"ic"), (b"iciti", b"ic")),
    b"u": ((b"ful", b""),),
    b"v": ((b"ative", b""),),
    b"z": ((b"alize", b"al"),),
}
_STEP_4: Final[Mapping[bytes, Sequence[bytes]]] = {
    b"a": (b"al",), b"c": (b"ance", b"ence"), b"e": (b"er",), b"i": (b"ic",), b"l": (b"able", b"ible"),
    b"n": (b"ant", b"ement", b"ment", b"ent"), b"o": (b"ion", b"ou"), b"s": (b"ism",),
    b"t": (b"ate", b"iti"), b"u": (b"ous",), b"v": (b"ive",), b"z": (b"ize",),
}
# fmt: on


@lru_cache(256)
def stem_of(word: str) -> str:
    """Return the stem of a word in lower case and without accents."""
    data = word.encode()
    if not _SHORTEST <= len(data) <= _LONGEST:
        return word
    return _stemmed(data).decode(errors="replace")


def _stemmed(word: bytes) -> bytes:
    word = _without_inflection(word)
    if word.endswith(b"y") and _has_vowel(word[:-1]):
        word = word[:-1] + b"i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    word = _without_suffix(word)
    if word.endswith(b"e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    if word.endswith(b"ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _without_inflection(word: bytes) -> bytes:
    """Remove the ending of a plural, and -ed or -ing."""
    if word.endswith(b"es"):
        is_long = (len(word) > 4 and word.endswith(b"sses")) or (
            len(word) > 3 and word.endswith(b"ies")
        )
        word = word[:-2] if is_long else word[:-1]
    elif word.endswith(b"s") and not word.endswith(b"ss"):
        word = word[:-1]
    if len(word) > 3 and word.endswith(b"eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in (b"ed", b"ing"):
        rest = word.removesuffix(ending)
        if rest and rest != word:
            return _completed(rest) if _has_vowel(rest) else word
    return word


def _completed(word: bytes) -> bytes:
    """Restore what -ed or -ing changed: "hopp" was "hop", "hop" was "hope"."""
    if len(word) > 2 and word.endswith((b"at", b"bl", b"iz")):
        return word + b"e"
    last = word[-1:]
    if last not in b"aeioulsz" and last == word[-2:-1]:
        return word[:-1]
    return word + b"e" if _measure(word) == 1 and _ends_short(word) else word


def _replaced(word: bytes, endings: _Endings) -> bytes:
    for ending, other in endings.get(word[-2:-1], ()):
        if len(word) > len(ending) and word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) > 0 else word
    return word


def _without_suffix(word: bytes) -> bytes:
    for ending in _STEP_4.get(word[-2:-1], ()):
        if len(word) > len(ending) and word.endswith(ending):
            rest = word[: -len(ending)]
            fits = ending != b"ion" or rest.endswith((b"s", b"t"))
            return rest if fits and _measure(rest) > 1 else word
    return word


def _consonants(word: bytes) -> list[bool]:
    """Return whether each letter is a consonant; y is one, except after another."""
    result: list[bool] = []
    before = False
    for letter in word:
        before = letter not in b"aeiou" and not (letter == ord("y") and before)
        result.append(before)
    return result


def _measure(word: bytes) -> int:
    """Return how often consonants follow vowels."""
    return sum(after and not before for before, after in pairwise(_consonants(word)))


def _has_vowel(word: bytes) -> bool:
    return any(letter in b"aeiou" or (letter == ord("y") and at) for at, letter in enumerate(word))


def _ends_short(word: bytes) -> bool:
    """Whether the word ends with a consonant, a vowel and a consonant other than w, x and y."""
    short = not word.endswith((b"w", b"x", b"y"))
    return short and [False, False, *_consonants(word)][-3:] == [True, False, True]
