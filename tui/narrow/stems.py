"""Stems of English words, as SQLite's `porter` tokenizer makes them. Pure.

Chinwag servers search by them, so an offline search finds the same messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Any


@lru_cache(8_192)
def stem_of(word: str) -> str:
    """Return the stem of a word in lower case and without accents."""
    return str(next(iter(_tokenizer()(word.encode()))))


@cache
def _tokenizer() -> Callable[[bytes], Iterable[Any]]:
    import apsw  # an SQLite of its own: imported for the first word, which is after the first frame

    # All characters beyond ASCII are letters to `ascii`: one word stays one.
    return partial(
        apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"]),
        flags=apsw.FTS5_TOKENIZE_DOCUMENT,
        locale=None,
        include_offsets=False,
        include_colocated=False,
    )
