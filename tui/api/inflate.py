"""Compressed answers, inflated no further than a limit: a few bytes may stand for gigabytes. No I/O."""

import zlib
from typing import Final

PIECE: Final = 256 * 1024
"""Bytes inflated at a time."""


class BadEncoding(Exception):
    """The answer is compressed in a way that was not asked for, or is broken."""


class Inflater:
    """The decoder of one answer's `Content-Encoding`: none, or gzip once."""

    def __init__(self, encoding: str) -> None:
        """Raises BadEncoding for everything else, such as gzip in gzip."""
        named = encoding.strip().lower()
        if named not in ("", "identity", "gzip", "x-gzip"):
            raise BadEncoding(named)
        self._gzip = zlib.decompressobj(wbits=31) if "gzip" in named else None
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """What the next bytes stand for, at most `PIECE` of it at once; `more` gives the rest."""
        if self._gzip is None:
            return data
        try:
            piece = self._gzip.decompress(self._rest + data, PIECE)
        except zlib.error as error:
            raise BadEncoding(str(error)) from error
        self._rest = self._gzip.unconsumed_tail
        return piece

    @property
    def has_more(self) -> bool:
        """Whether `feed(b"")` gives more of what was fed."""
        return bool(self._rest)
