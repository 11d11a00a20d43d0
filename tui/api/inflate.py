"""Decompresses answers up to a limit: a few bytes may expand to gigabytes. No I/O."""

import zlib
from typing import Final

PIECE: Final = 256 * 1024
"""Bytes decompressed at a time."""


class BadEncoding(Exception):
    """The answer is compressed in an unsupported way, or broken."""


class Inflater:
    """The decoder of one answer's `Content-Encoding`: none, or gzip once."""

    def __init__(self, encoding: str) -> None:
        """Raises BadEncoding for any other encoding, such as gzip in gzip."""
        named = encoding.strip().lower()
        if named not in ("", "identity", "gzip", "x-gzip"):
            raise BadEncoding(named)
        self._gzip = zlib.decompressobj(wbits=31) if "gzip" in named else None
        self._rest = b""
        self._is_cut = False

    def feed(self, data: bytes) -> bytes:
        """Decompress the next bytes, up to `PIECE` at once; b"" returns the rest while `has_more`."""
        if self._gzip is None:
            return data
        if self._gzip.eof:  # zlib keeps all that follows, and copies it each time
            raise BadEncoding("more follows its end")
        try:
            piece = self._gzip.decompress(self._rest + data, PIECE)
        except zlib.error as error:
            raise BadEncoding(str(error)) from error
        self._rest = self._gzip.unconsumed_tail
        self._is_cut = not self._gzip.eof
        if self._gzip.unused_data:
            raise BadEncoding("more follows its end")
        return piece

    @property
    def has_more(self) -> bool:
        """Whether `feed(b"")` returns more."""
        return bool(self._rest)

    def end(self) -> None:
        """Note that nothing follows; raises BadEncoding if something must."""
        if self._is_cut:
            raise BadEncoding("its end is missing")
