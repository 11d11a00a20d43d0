"""Matches a search with a text: words by their stems, as a Chinwag server does. Pure.

A text is stored as the stems of its words, a blank around each (`keyed`); a search then looks for substrings
(`parse_search`). In scripts without breaks between words, each character is a word.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from tui.narrow.stems import stem_of

_UNBROKEN: Final = (
    "\u0e00-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_PART: Final = re.compile(r'"([^"]*)"?|[^\s"]+')
_PREFIX: Final = 3
# fmt: off
_STOP_WORDS: Final = frozenset((
    "i", "me", "my", "myself", "we", "our", "ours", "ourselves", "you", "your", "yours", "yourself",
    "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its",
    "itself", "they", "them", "their", "theirs", "themselves", "what", "which", "who", "whom",
    "this", "that", "these", "those", "am", "is", "are", "was", "were", "be", "been", "being",
    "have", "has", "had", "having", "do", "does", "did", "doing", "a", "an", "the", "and", "but",
    "if", "or", "because", "as", "until", "while", "of", "at", "by", "for", "with", "about",
    "against", "between", "into", "through", "during", "before", "after", "above", "below", "to",
    "from", "up", "down", "in", "out", "on", "off", "over", "under", "again", "further", "then",
    "once", "here", "there", "when", "where", "why", "how", "all", "any", "both", "each", "few",
    "more", "most", "other", "some", "such", "no", "nor", "not", "only", "own", "same", "so",
    "than", "too", "very", "s", "t", "can", "will", "just", "don", "should", "now",
))
# fmt: on


class SearchTerm(NamedTuple):
    """One word or phrase: as stems, or as it is where it has only signs."""

    text: str
    is_signs: bool = False


def keyed(*texts: str) -> str:
    """Return the stems of all words, in order; no phrase spans two texts."""
    return "\n".join(f" {' '.join(stem for _, stem in _words(text))} " for text in texts)


def parse_search(operand: str) -> list[SearchTerm]:
    """Return the terms of a search, all of which must match."""
    terms: list[SearchTerm] = []
    others: list[SearchTerm] = []
    for part in _PART.finditer(operand):
        is_phrase = part[0].startswith('"')
        text = part[1] if is_phrase else part[0]
        words = list(_words(text))
        if not words:
            terms += [SearchTerm(text, is_signs=True)] if text.strip() else []
            continue
        plain, stem = words[-1]
        # A stem also finds longer words that begin with it.
        open_end = not is_phrase and plain == stem and len(plain) >= _PREFIX
        one = SearchTerm(f" {' '.join(stem for _, stem in words)}{'' if open_end else ' '}")
        is_stop = len(words) == 1 and not is_phrase and plain in _STOP_WORDS
        (others if is_stop else terms).append(one)
    return terms or others


@cache
def _word() -> re.Pattern[str]:
    """Return a pattern for words, or characters of a script without breaks; compiled at the first search,
    since that takes long.
    """
    return re.compile(f"(?=[^\\W_])[{_UNBROKEN}]|[^\\W_{_UNBROKEN}]+")


@cache
def _unbroken() -> re.Pattern[str]:
    return re.compile(f"[{_UNBROKEN}]")


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word without case and accents, and its stem."""
    for match in _word().finditer(text):
        plain = _folded(match[0])
        yield plain, stem_of(plain)


@cache
def _folded_sign(sign: str) -> str:
    plain = unicodedata.normalize("NFD", sign)
    return "".join(one for one in plain if not unicodedata.combining(one)).lower()


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return word if _unbroken().match(word) else "".join(map(_folded_sign, word))
