"""Kind and size of images, from their first bytes."""

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.image_header import Image, image_of
from server_lite.web.identicons import pattern


def png(width: int, height: int) -> bytes:
    """The header of a PNG."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0"


def jpeg(width: int, height: int, *segments: bytes) -> bytes:
    """Segments, a fill byte, then the size."""
    size = b"\xff\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width)
    return b"\xff\xd8" + b"".join(segments) + size + b"\x03" + b"\0" * 12


def exif(orientation: int, order: str) -> bytes:
    """A camera's segment that says how it was held."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    body = b"Exif\0\0" + mark + struct.pack(f"{order}IH", 8, 1) + entry
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + body


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(640, 480), "png"),
        (gif(640, 480), "gif"),
        (jpeg(640, 480, b"\xff\xe0\0\x04ab", b"\xff\xc4\0\x03x"), "jpg"),
        (jpeg(640, 480, exif(3, "<")), "jpg"),
        (jpeg(480, 640, exif(6, ">")), "jpg"),
        (jpeg(480, 640, exif(8, "<")), "jpg"),
        (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640 | 1 << 14, 480)), "webp"),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 639 | 479 << 14)), "webp"),
        (webp(b"VP8X", b"\0\0\0\0\x7f\x02\0\xdf\x01\0"), "webp"),
    ],
)
def test_the_size_is_that_of_the_shown_picture(data: bytes, kind: str) -> None:
    """A photo taken on its side has the size that I see."""
    image = image_of(data)
    assert image is not None
    assert (image.extension, image.width, image.height) == (kind, 640, 480)


def test_what_the_server_draws_is_an_image() -> None:
    """A whole picture is known by its first bytes."""
    assert image_of(pattern("me", 100)) == Image("image/png", "png", 100, 100)


@pytest.mark.parametrize("data", [b"", b"<svg/>", png(0, 5), b"RIFF\0\0\0\0WAVEfmt ", b"%PDF-1.4"])
def test_what_is_no_image_is_not_taken_for_one(data: bytes) -> None:
    """A page, a sound and an empty picture are none."""
    assert image_of(data) is None


@settings(max_examples=50)
@given(
    whole=st.sampled_from(
        [png(9, 9), gif(9, 9), jpeg(9, 9, exif(6, "<")), webp(b"VP8X", b"\0" * 10)]
    ),
    cut=st.integers(0, 80),
    noise=st.binary(max_size=40),
)
def test_broken_headers_are_only_that(whole: bytes, cut: int, noise: bytes) -> None:
    """Whatever follows a cut header, there is an answer."""
    image = image_of(whole[:cut] + noise)
    assert image is None or (image.width > 0 and image.height > 0)


class Watched(bytes):
    """Bytes that count how often they are read."""

    reads = 0

    def __getitem__(self, at: Any) -> Any:
        self.reads += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("filler", [b"\xff\xe1\0\0", b"\xff\xe1\0\x02", b"\xff"])
def test_a_jpeg_without_end_is_soon_given_up(filler: bytes) -> None:
    """Who uploads megabytes of tiny segments, or of fill bytes, holds others no longer than with a photo."""
    endless = Watched(b"\xff\xd8\xff" + filler[1:] + filler * 50_000)
    assert image_of(endless) is None
    assert endless.reads < 15_000


def test_a_jpeg_may_have_hundreds_of_segments() -> None:
    """Those of a color profile come before the size."""
    profile = b"\xff\xe2\0\x10" + b"x" * 14
    assert image_of(jpeg(640, 480, *[profile] * 400)) is not None
