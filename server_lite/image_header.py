"""Detects an image's format and size from its header, without decoding it. Pure.

PNG, JPEG, GIF and WebP, the formats that every browser and terminal shows. The bytes are
untrusted: whatever they contain, the answer is an `Image` or None.
"""

import struct
from collections.abc import Callable
from typing import Final, Literal

from server_lite.dataclass import dataclass

Order = Literal["little", "big"]
Size = tuple[int, int]
"""Width and height in pixels."""


JPEG: Final = b"\xff\xd8\xff"
"""Start of a JPEG; its size follows all of the camera's metadata."""


@dataclass(frozen=True, slots=True)
class Image:
    """The header's data; `extension` without a dot, width and height in pixels as shown."""

    content_type: str
    extension: str
    width: int
    height: int


def image_of(data: bytes) -> Image | None:
    """Return the image that starts with these bytes; None if it is none, or its header is invalid."""
    for content_type, extension, signature, size_of in _FORMATS:
        if data.startswith(signature):
            try:
                width, height = size_of(data) or (0, 0)
            except (struct.error, IndexError):  # truncated header
                return None
            if width == 0 or height == 0:
                return None
            return Image(content_type, extension, width, height)
    return None


def _png(data: bytes) -> Size | None:
    if data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> Size | None:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _webp(data: bytes) -> Size | None:
    if data[8:12] != b"WEBP":
        return None
    kind = data[12:16]
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and data[20:21] == b"\x2f":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X" and len(data) >= 30:
        wide, high = data[24:27], data[27:30]
        return int.from_bytes(wide, "little") + 1, int.from_bytes(high, "little") + 1
    return None


# JPEG: a list of segments, one of which contains the size

STEPS: Final = 2_000
"""Most segments and fill bytes before the size. A photo has a few, or hundreds with a large color profile; a file made
for it could have millions.
"""
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments that start a frame; the three are tables."""
_ENDS: Final = frozenset({0xD9, 0xDA})
_EXIF: Final = 0xE1
_ORIENTATION: Final = 0x0112
_ON_ITS_SIDE: Final = frozenset({5, 6, 7, 8})


def _jpeg(data: bytes) -> Size | None:
    place, is_turned = 2, False
    for _ in range(STEPS):
        if data[place] != 0xFF or (marker := data[place + 1]) in _ENDS:
            return None
        if marker == 0xFF:  # the first one is a fill byte
            place += 1
            continue
        (length,) = struct.unpack_from(">H", data, place + 2)
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return (height, width) if is_turned else (width, height)
        if marker == _EXIF:
            is_turned = _is_turned(data[place + 4 : place + 2 + length])
        place += 2 + max(2, length)
    return None


def _is_turned(segment: bytes) -> bool:
    """Whether the EXIF orientation is rotated by a quarter: viewers then swap width and height."""
    if not segment.startswith(b"Exif\0\0"):
        return False
    tiff = segment[6:]
    order: Order = "little" if tiff.startswith(b"II") else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(tiff[at : at + size], order)

    first = number(4, 4)
    entries = (first + 2 + 12 * index for index in range(min(number(first, 2), 100)))
    return any(
        number(entry, 2) == _ORIENTATION and number(entry + 8, 2) in _ON_ITS_SIDE
        for entry in entries
    )


_FORMATS: Final[tuple[tuple[str, str, bytes, Callable[[bytes], Size | None]], ...]] = (
    ("image/png", "png", b"\x89PNG\r\n\x1a\n", _png),
    ("image/jpeg", "jpg", JPEG, _jpeg),
    ("image/gif", "gif", b"GIF87a", _gif),
    ("image/gif", "gif", b"GIF89a", _gif),
    ("image/webp", "webp", b"RIFF", _webp),
)
