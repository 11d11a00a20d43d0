"""Compressed answers: what an ordinary server sends is read, a bomb costs no more than its first piece."""

import gzip
import zlib

import pytest

from tui.api.inflate import PIECE, BadEncoding, Inflater


def inflated(inflater: Inflater, data: bytes, most: int = 10**9) -> bytes:
    """All of it, or what there is when `most` is reached."""
    output = inflater.feed(data)
    while inflater.has_more and len(output) < most:
        output += inflater.feed(b"")
    return output


def test_plain_and_gzip_are_read() -> None:
    """In pieces of any size."""
    words = b"a message and another one, " * 1000
    assert inflated(Inflater(""), words) == words
    assert inflated(Inflater("identity"), words) == words
    packed = gzip.compress(words)
    inflater = Inflater("gzip")
    assert (
        b"".join(inflated(inflater, packed[at : at + 7]) for at in range(0, len(packed), 7))
        == words
    )


def test_a_bomb_is_let_in_one_piece_at_a_time() -> None:
    """Two kilobytes that stand for megabytes never take more than a piece of memory at once."""
    bomb = gzip.compress(b"\0" * 20_000_000)
    assert len(bomb) < 20_000
    inflater = Inflater("gzip")
    assert len(inflater.feed(bomb)) <= PIECE
    assert inflater.has_more
    assert len(inflater.feed(b"")) <= PIECE


@pytest.mark.parametrize("encoding", ["gzip, gzip", "deflate", "br", "zstd", "gzip,identity", "x"])
def test_other_ways_are_refused(encoding: str) -> None:
    """Gzip in gzip, and what was not asked for."""
    with pytest.raises(BadEncoding):
        Inflater(encoding)


def test_what_is_broken_is_said() -> None:
    """An answer that is no gzip, whatever it says of itself."""
    with pytest.raises(BadEncoding):
        Inflater("gzip").feed(zlib.compress(b"x"))


def test_nothing_follows_the_end() -> None:
    """zlib would keep whatever a server sends on, and copy all of it for each part."""
    packed = gzip.compress(b"{}")
    with pytest.raises(BadEncoding):
        Inflater("gzip").feed(packed + b"\0")
    inflater = Inflater("gzip")
    assert inflater.feed(packed) == b"{}"
    with pytest.raises(BadEncoding):
        inflater.feed(b"\0")


def test_what_is_missing_at_the_end_is_known() -> None:
    """Else half of a file would pass for the whole."""
    Inflater("gzip").end()
    packed = gzip.compress(b"a message")
    for length in range(1, len(packed)):
        inflater = Inflater("gzip")
        inflater.feed(packed[:length])
        with pytest.raises(BadEncoding):
            inflater.end()
        inflater.feed(packed[length:])
        inflater.end()
