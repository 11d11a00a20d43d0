"""Stems of English words, as SQLite's `porter` tokenizer makes them. Pure.

Chinwag servers search by them, so an offline search finds the same messages.
"""

from functools import cache, lru_cache

import apsw


@lru_cache(32_768)
def stem_of(word: str) -> str:
    """Return the stem of a word in lower case and without accents."""
    stems = _tokenizer()(
        word.encode(),
        apsw.FTS5_TOKENIZE_DOCUMENT,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return str(next(iter(stems)))


@cache
def _tokenizer() -> apsw.FTS5Tokenizer:
    # All characters beyond ASCII are letters to `ascii`: one word stays one.
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])
