"""Splits text into words for search: runs of letters and digits, folded (case, accents), with stems. Pure.

In languages without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in
Korean, whose words have particles at their ends, each character is a word of its own, and a search
term is a phrase of them.
"""

import re
import unicodedata
from functools import cache
from typing import Final, NamedTuple

from server_lite.store.stems import stem_of

_UNBROKEN_SIGNS: Final = (
    "\u0e00-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)


# Patterns of so many characters take milliseconds to compile: when they are needed, not at the start.
@cache
def _word() -> re.Pattern[str]:
    return re.compile(f"(?=[^\\W_])[{_UNBROKEN_SIGNS}]|[^\\W_{_UNBROKEN_SIGNS}]+")


@cache
def _unbroken() -> re.Pattern[str]:
    return re.compile(f"[{_UNBROKEN_SIGNS}]+")


class Word(NamedTuple):
    """A word in a text, with its place: `start` and the character after it."""

    start: int
    end: int
    plain: str
    """Without case and accents."""
    stem: str


def words_of(text: str) -> list[Word]:
    """Return all words, in order."""
    words: list[Word] = []
    for match in _word().finditer(text):
        plain = _folded(match[0])
        words.append(Word(match.start(), match.end(), plain, stem_of(plain)))
    return words


def indexable(text: str) -> str:
    """Return the text to index, with spaces added where SQLite must see word breaks."""
    return text if text.isascii() else _unbroken().sub(_spaced, text)


def _spaced(run: re.Match[str]) -> str:
    return f" {' '.join(run[0])} "


@cache
def _folded_sign(sign: str) -> str:
    plain = unicodedata.normalize("NFD", sign)
    return "".join(one for one in plain if not unicodedata.combining(one)).lower()


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return word if _unbroken().match(word) else "".join(map(_folded_sign, word))
