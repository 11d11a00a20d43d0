"""Stems of English words, as SQLite's `porter` tokenizer computes them. Pure.

The index contains SQLite's stems; matches in an answer are highlighted by these.
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
    # `ascii` treats all characters beyond ASCII as letters, so that one word stays one token.
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])
