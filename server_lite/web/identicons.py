"""Images drawn by the server: a pattern for each account, and its own icon. Pure; PNG only."""

import hashlib
import struct
import zlib
from functools import lru_cache
from typing import Final

CELLS: Final = 5
"""The pattern is 5 by 5, with its left half mirrored."""

_BACKGROUND: Final = (240, 240, 240)
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


@lru_cache(maxsize=512)
def pattern(seed: str, size: int) -> bytes:
    """Return a square PNG of about `size` pixels; the same seed gives the same image."""
    digest = hashlib.blake2b(seed.encode(), digest_size=16).digest()
    scale = size // (CELLS + 1)
    margin = (size - CELLS * scale) // 2
    rows = [_row(digest, line, scale, margin, size) for line in range(CELLS)]
    blank = bytes(1 + size)
    below = size - margin - CELLS * scale
    pixels = blank * margin + b"".join(row * scale for row in rows) + blank * below
    return _png(size, pixels, _color(digest))


def _row(digest: bytes, line: int, scale: int, margin: int, size: int) -> bytes:
    """Return one line of pixels: a filter byte, then an index into the palette for each."""
    half = [digest[line * 3 + column] & 1 for column in range(3)]
    cells = b"".join(bytes([cell]) * scale for cell in (*half, half[1], half[0]))
    return b"\0" + bytes(margin) + cells + bytes(size - margin - len(cells))


def _color(digest: bytes) -> tuple[int, int, int]:
    """Return a color dark enough to be visible on the background."""
    return 40 + digest[15] % 140, 40 + digest[14] % 140, 40 + digest[13] % 140


def _png(size: int, pixels: bytes, color: tuple[int, int, int]) -> bytes:
    indexed, depth = 3, 8
    header = struct.pack(">IIBBBBB", size, size, depth, indexed, 0, 0, 0)
    palette = bytes((*_BACKGROUND, *color))
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", zlib.compress(pixels, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
