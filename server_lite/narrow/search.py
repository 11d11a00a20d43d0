"""The language of search: words, and phrases in quotes, all of which must match. Pure.

A word finds all words of its stem: `plans` finds "planned". A word that is its own stem, with at least three
letters, also finds longer words that start with it. Stop words ("the") are ignored,
unless the search has no other words or they are in quotes.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.store.words import Word, indexable, words_of

PREFIX: Final = 3
MAX_WORDS: Final = 50
"""Maximum of words and phrases; the rest is ignored."""
MAX_PHRASE: Final = 500
"""Maximum length of a phrase in characters."""
_PART: Final = re.compile(r'"([^"]*)"?|[^\s"]+')
# fmt: off
STOP_WORDS: Final = frozenset((
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
"""The stop words of full servers: PostgreSQL's for English."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A word or phrase. `words` are stems; empty for text without letters, which is not indexed."""

    text: str
    words: tuple[str, ...]
    is_prefix: bool

    @property
    def fts(self) -> str:
        """The phrase for FTS5: quoted, so that nothing in it is an operator."""
        quoted = '"' + indexable(self.text).replace('"', '""') + '"'
        return f"{quoted} *" if self.is_prefix else quoted


def parse_search(operand: str) -> list[SearchTerm]:
    """Return the terms of a search; any input is valid."""
    terms: list[SearchTerm] = []
    others: list[SearchTerm] = []
    for part in _PART.finditer(operand):
        is_phrase = part[0].startswith('"')
        text = (part[1] if is_phrase else part[0])[:MAX_PHRASE]
        if not text.strip():
            continue
        words = words_of(text)
        stems = tuple(word.stem for word in words)
        one = SearchTerm(text, stems, not is_phrase and bool(words) and _is_stem(words[-1]))
        is_stop = len(words) == 1 and words[0].plain in STOP_WORDS and not is_phrase
        (others if is_stop else terms).append(one)
        if len(terms) + len(others) == MAX_WORDS:
            break
    return terms or others


def _is_stem(word: Word) -> bool:
    return len(word.plain) >= PREFIX and word.plain == word.stem


def hits(text: str, search_terms: Iterable[SearchTerm]) -> list[tuple[int, int]]:
    """Return where the words and phrases match in a text, as ranges of characters."""
    words = words_of(text)
    spans: list[tuple[int, int]] = []
    for one in search_terms:
        length = len(one.words)
        if not length:
            spans += [match.span() for match in re.finditer(re.escape(one.text), text)]
            continue
        for index in range(len(words) - length + 1):
            here = words[index : index + length]
            if _matches(one, here):
                spans += [(word.start, word.end) for word in here]
    return spans


def _matches(one: SearchTerm, here: Sequence[Word]) -> bool:
    *before, last = one.words
    last_stem = here[-1].stem
    is_last = last_stem.startswith(last) if one.is_prefix else last_stem == last
    return is_last and all(word.stem == stem for word, stem in zip(here, before, strict=False))
