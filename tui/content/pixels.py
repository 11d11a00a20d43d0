"""The bytes of a picture -> its pixels at a size, by Pillow where that is installed.

The bytes are hostile: a file that is not a picture, is too large, or breaks the decoder raises `NotAPicture`.
Slow, and a file can make it slow for an hour: `tui.commands.decoding` calls it in a process. No I/O, no
Textual; Pillow is imported when it is first needed.
"""

from __future__ import annotations

import math
import warnings
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final

from tui.dataclass import dataclass
from tui.errors import NotAPicture

if TYPE_CHECKING:
    # Pillow is optional, and imported by the process that decodes.
    from PIL.Image import Image

FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
"""Pillow's other formats are rarely sent, and each is one more decoder to attack."""

MOST_PIXELS: Final = 40_000_000
"""For a picture that the user opens: decoded, so many take 160 MB for a moment, twice where it is rotated."""
MOST_UNASKED: Final = 12_000_000
"""As decoded, for pictures shown automatically. A phone's larger JPEG is decoded at a fraction of its size.
"""

ORIENTATION: Final = 0x0112
"""Of EXIF; from 5 on the picture lies on its side."""

TOO_MANY: Final = "it has too many pixels"
UNREADABLE: Final = "it is not a readable image"
TOO_LARGE_UNASKED: Final = "it has many pixels; open it to see it"
TOO_COSTLY: Final = "it takes too much time or memory to decode"
REASONS: Final = frozenset({TOO_MANY, UNREADABLE, TOO_LARGE_UNASKED, TOO_COSTLY})
"""The reasons for refusing a picture."""

Size = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pixels:
    """Rows of RGB bytes from top to bottom; `original` is the (width, height) of the file."""

    original: Size
    width: int
    height: int
    rgb: bytes


@cache
def is_available() -> bool:
    """Whether Pillow is installed (`pip install chinwag[images]`)."""
    return find_spec("PIL") is not None


def box(size: Size, most: Size, cell: Size) -> Size:
    """Return (columns, rows) for a picture of `size` pixels: its own, or the largest that fits in `most`.

    `cell` is a cell's (width, height) in pixels.
    """
    width, height = max(1, size[0]) / cell[0], max(1, size[1]) / cell[1]
    shrink = min(1.0, most[0] / width, most[1] / height)
    return max(1, math.ceil(width * shrink - 0.01)), max(1, math.ceil(height * shrink - 0.01))


def scaled(
    data: bytes, most: Size, background: tuple[int, int, int], *, is_asked: bool = True
) -> Pixels:
    """Return the first frame upright, within `most` (width, height) pixels, on a background. Raises
    NotAPicture.

    Unless the user asked for it (`is_asked`), it may have `MOST_UNASKED` pixels only.
    """
    image, original = _decoded(data, most, sharp=False, is_asked=is_asked)
    rgb = _on(image, background)
    return Pixels(original=original, width=rgb.width, height=rgb.height, rgb=rgb.tobytes())


def as_png(data: bytes, most: Size, *, is_asked: bool = True) -> tuple[bytes, Size]:
    """Return the picture as a PNG file with its transparency, and the size of the original. Raises
    NotAPicture.
    """
    image, original = _decoded(data, most, sharp=True, is_asked=is_asked)
    out = BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue(), original


def _decoded(data: bytes, most: Size, *, sharp: bool, is_asked: bool) -> tuple[Image, Size]:
    from PIL import Image, ImageOps

    # Pillow only warns above its limit, and decodes up to twice of that.
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    warnings.filterwarnings("error", category=Image.DecompressionBombWarning)
    try:
        image = Image.open(BytesIO(data), formats=FORMATS)
        if not is_asked and (image.format != "JPEG" or image.info.get("progressive")):
            _check_size(image)  # held whole, however small it is wanted
        lies = image.getexif().get(ORIENTATION, 1) >= 5
        original = image.size[::-1] if lies else image.size
        image.draft("RGB", most)  # a JPEG is decoded at a fraction of its size
        if not is_asked:
            _check_size(image)
        image.load()
        ImageOps.exif_transpose(image, in_place=True)
        mode = "RGBA" if image.has_transparency_data else "RGB"
        upright = image if image.mode == mode else image.convert(mode)
        # A few large pixels are averages of the area they cover; a sharper filter draws rings in them.
        upright.thumbnail(most, Image.Resampling.LANCZOS if sharp else Image.Resampling.BOX)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise NotAPicture(TOO_MANY) from error
    except (NotAPicture, MemoryError):
        raise
    except Exception as error:  # decoders fail on hostile bytes in any way
        raise NotAPicture(UNREADABLE) from error
    return upright, original


def _check_size(image: Image) -> None:
    if image.width * image.height > MOST_UNASKED:
        raise NotAPicture(TOO_LARGE_UNASKED)


def _on(image: Image, background: tuple[int, int, int]) -> Image:
    from PIL import Image

    if image.mode == "RGB":
        return image
    ground = Image.new("RGB", image.size, background)
    ground.paste(image, mask=image.getchannel("A"))
    return ground
