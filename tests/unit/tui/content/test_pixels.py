"""Pictures from strangers: what can be read is made small, the rest is refused in one way."""

import zlib
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tui.content.pixels import FORMATS, as_png, box, scaled
from tui.errors import NotAPicture

GROUND = (10, 20, 30)


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB") -> bytes:
    """A red picture."""
    out = BytesIO()
    color = (255, 0, 0, 0) if mode == "RGBA" else (255, 0, 0)
    Image.new(mode, size, color).save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read_and_keeps_its_shape(kind: str) -> None:
    """60 by 40 pixels within 30 by 30 are 30 by 20."""
    pixels = scaled(picture(kind), (30, 30), GROUND)
    assert (pixels.width, pixels.height, pixels.original) == (30, 20, (60, 40))
    assert len(pixels.rgb) == 30 * 20 * 3
    assert all(abs(got - want) < 8 for got, want in zip(pixels.rgb, (255, 0, 0) * 600, strict=True))


def test_what_is_transparent_shows_the_ground() -> None:
    """A logo without a background looks well on any theme."""
    assert scaled(picture(mode="RGBA"), (30, 30), GROUND).rgb[:3] == bytes(GROUND)


def test_a_photograph_is_turned_upright() -> None:
    """Phones write how they were held beside the picture."""
    out = BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (60, 40)).save(out, "JPEG", exif=exif)
    pixels = scaled(out.getvalue(), (100, 100), GROUND)
    assert (pixels.width, pixels.height, pixels.original) == (40, 60, (40, 60))


@given(data=st.binary(max_size=200), head=st.sampled_from([b"", b"GIF89a", b"\x89PNG\r\n\x1a\n"]))
def test_garbage_is_refused(data: bytes, head: bytes) -> None:
    """Whatever a file holds, there is one way in which it is no picture."""
    with pytest.raises(NotAPicture):
        scaled(head + data, (10, 10), GROUND)


@given(cut=st.integers(0, 400))
def test_half_of_a_picture_is_refused_or_shown(cut: int) -> None:
    """A download that ended early does not end the program."""
    whole = picture("JPEG", (300, 300))
    try:
        as_png(whole[:cut], (10, 10))
    except NotAPicture:
        assert cut < len(whole)


@given(
    size=st.tuples(st.integers(0, 20_000), st.integers(0, 20_000)),
    most=st.tuples(st.integers(1, 200), st.integers(1, 80)),
)
def test_a_picture_fits_in_its_room(size: tuple[int, int], most: tuple[int, int]) -> None:
    """However long and thin, it takes a cell at least and never more than there are."""
    columns, rows = box(size, most, (10, 20))
    assert 1 <= columns <= most[0]
    assert 1 <= rows <= most[1]


def _claims(width: int, height: int) -> bytes:
    """A PNG whose header says that it is so large; there is nothing behind it."""
    header = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x06\0\0\0"
    data = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + header
    data += zlib.crc32(header).to_bytes(4, "big")
    return data + (4).to_bytes(4, "big") + b"IDAT" + b"\0" * 8


def test_what_nobody_asked_for_is_small() -> None:
    """A picture of 36 million pixels in a topic is not decoded until it is opened, and the note says so."""
    with pytest.raises(NotAPicture, match="open it to see it"):
        scaled(_claims(6000, 6000), (30, 30), GROUND, is_asked=False)
    with pytest.raises(NotAPicture, match="open it to see it"):
        as_png(_claims(6000, 6000), (30, 30), is_asked=False)
    with pytest.raises(NotAPicture, match="not a readable image"):  # it was tried
        scaled(_claims(6000, 6000), (30, 30), GROUND)


def test_a_photograph_of_a_phone_is_shown_unasked() -> None:
    """16 million pixels of a JPEG are decoded at a fraction; a progressive one needs all of its memory."""
    out = BytesIO()
    photograph = Image.new("RGB", (4600, 3500), (255, 0, 0))
    photograph.save(out, "JPEG")
    assert scaled(out.getvalue(), (40, 30), GROUND, is_asked=False).original == (4600, 3500)
    out = BytesIO()
    photograph.save(out, "JPEG", progressive=True)
    with pytest.raises(NotAPicture, match="open it to see it"):
        scaled(out.getvalue(), (40, 30), GROUND, is_asked=False)
