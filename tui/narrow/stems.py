"""Stems of English words, letter for letter as SQLite's `porter` tokenizer makes them. Pure.

Servers of ours search by them, so what is searched for on disk finds the same.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

_LONGEST: Final = 64  # bytes
_Endings = Mapping[bytes, Sequence[tuple[bytes, bytes]]]
"""By the last letter but one: what stands for which ending. The first that fits decides."""

_STEP_2: Final[_Endings] = {
    b"a": ((b"ational", b"ate"), (b"tional", b"tion")),
    b"c": ((b"enci", b"ence"), (b"anci", b"ance")),
    b"e": ((b"izer", b"ize"),),
    b"g": ((b"logi", b"log"),),
    b"l": (
        (b"bli", b"ble"),
        (b"alli", b"al"),
        (b"entli", b"ent"),
        (b"eli", b"e"),
        (b"ousli", b"ous"),
    ),
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
    b"a": (b"al",),
    b"c": (b"ance", b"ence"),
    b"e": (b"er",),
    b"i": (b"ic",),
    b"l": (b"able", b"ible"),
    b"n": (b"ant", b"ement", b"ment", b"ent"),
    b"o": (b"ion", b"ou"),
    b"s": (b"ism",),
    b"t": (b"ate", b"iti"),
    b"u": (b"ous",),
    b"v": (b"ive",),
    b"z": (b"ize",),
}


@lru_cache(32_768)
def stem_of(word: str) -> str:
    """The stem of a word in lower case and without accents."""
    if not 3 <= len(word) <= _LONGEST:
        return word
    given = word.encode()
    return word if len(given) > _LONGEST else _stemmed(given).decode(errors="replace")


def _stemmed(word: bytes) -> bytes:
    word = _step_1(word)
    if word[-1:] == b"y" and _has_vowel(word[:-1]):
        word = word[:-1] + b"i"
    word = _step_4(_replaced(_replaced(word, _STEP_2), _STEP_3))
    if word.endswith(b"e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    if word.endswith(b"ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _step_1(word: bytes) -> bytes:
    """Plurals, and -ed and -ing."""
    if word.endswith(b"s"):
        if word.endswith(b"es"):
            two = (len(word) > 4 and word.endswith(b"sses")) or (
                len(word) > 3 and word.endswith(b"ies")
            )
            word = word[: -2 if two else -1]
        elif not word.endswith(b"ss"):
            word = word[:-1]
    if len(word) > 3 and word.endswith(b"eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in (b"ed", b"ing"):
        rest = word[: -len(ending)]
        if rest and word.endswith(ending):
            return _mended(rest) if _has_vowel(rest) else word
    return word


def _mended(word: bytes) -> bytes:
    """What is left of a word without -ed or -ing, as it was before: hop of hopp, hope of hop."""
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


def _step_4(word: bytes) -> bytes:
    for ending in _STEP_4.get(word[-2:-1], ()):
        if len(word) > len(ending) and word.endswith(ending):
            rest = word[: -len(ending)]
            fits = ending != b"ion" or rest.endswith((b"s", b"t"))
            return rest if fits and _measure(rest) > 1 else word
    return word


def _consonants(word: bytes) -> list[bool]:
    """Of each letter whether it is a consonant: y is one, but for after another."""
    result: list[bool] = []
    before = False
    for letter in word:
        before = letter not in b"aeiou" and not (letter == ord("y") and before)
        result.append(before)
    return result


def _measure(word: bytes) -> int:
    """How often consonants follow vowels."""
    signs = _consonants(word)
    return sum(one and not before for before, one in pairwise(signs))


def _has_vowel(word: bytes) -> bool:
    return any(letter in b"aeiou" or (letter == ord("y") and at) for at, letter in enumerate(word))


def _ends_short(word: bytes) -> bool:
    """Whether it ends with consonant, vowel, consonant, as in hop."""
    return word[-1:] not in (b"w", b"x", b"y") and (
        ([False, False, *_consonants(word)])[-3:] == [True, False, True]
    )
