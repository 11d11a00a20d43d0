"""The language of search: words, and phrases in quotes, all of which must be there. Pure.

Words are told apart as SQLite's unicode61 tokenizer does: runs of letters and digits, without case
and accents. A word of three letters or more also finds longer words that begin with it.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

PREFIX: Final = 3
MAX_WORDS: Final = 50
"""What is typed beyond these words and phrases is not looked for."""
MAX_PHRASE: Final = 500
"""Longest phrase in characters."""
_PART: Final = re.compile(r'"([^"]*)"?|[^\s"]+')
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Sought:
    """One word or phrase. `words` is empty for signs alone, which no index holds."""

    text: str
    words: tuple[str, ...]
    is_prefix: bool

    @property
    def fts(self) -> str:
        """A phrase of FTS5: quoted, so that nothing in it is an operator."""
        quoted = '"' + self.text.replace('"', '""') + '"'
        return f"{quoted} *" if self.is_prefix else quoted


def sought(operand: str) -> list[Sought]:
    """What a search asks for; whatever a person types is a search."""
    found: list[Sought] = []
    for part in _PART.finditer(operand):
        is_phrase = part[0].startswith('"')
        text = (part[1] if is_phrase else part[0])[:MAX_PHRASE]
        words = tuple(word for _, _, word in words_of(text))
        is_prefix = not is_phrase and bool(words) and len(words[-1]) >= PREFIX
        if text.strip():
            found.append(Sought(text, words, is_prefix))
        if len(found) == MAX_WORDS:
            break
    return found


def words_of(text: str) -> list[tuple[int, int, str]]:
    """(start, end, the word without case and accents) of each word."""
    return [(match.start(), match.end(), _folded(match[0])) for match in _WORD.finditer(text)]


@cache
def _folded_sign(sign: str) -> str:
    plain = unicodedata.normalize("NFD", sign)
    return "".join(one for one in plain if not unicodedata.combining(one)).lower()


def _folded(word: str) -> str:
    return word.lower() if word.isascii() else "".join(map(_folded_sign, word))


def hits(text: str, wanted: Iterable[Sought]) -> list[tuple[int, int]]:
    """Where in a text the words and phrases stand, as ranges of characters."""
    words = words_of(text)
    found: list[tuple[int, int]] = []
    for one in wanted:
        length = len(one.words)
        if not length:
            found += [match.span() for match in re.finditer(re.escape(one.text), text)]
            continue
        for index in range(len(words) - length + 1):
            here = [word for _, _, word in words[index : index + length]]
            if _matches(one, here):
                found.append((words[index][0], words[index + length - 1][1]))
    return found


def _matches(one: Sought, here: list[str]) -> bool:
    *before, last = one.words
    is_last = here[-1].startswith(last) if one.is_prefix else here[-1] == last
    return is_last and here[:-1] == before
