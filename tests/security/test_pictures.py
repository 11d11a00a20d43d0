"""Pictures that are made to cost much: the process that decodes them is ended, and the client says why."""

import asyncio
import os
import struct
import time
import zlib
from asyncio.subprocess import Process
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tui.commands import decoding
from tui.content import pixels
from tui.errors import NotAPicture
from tui.host import Host

GROUND = (0, 0, 0)


def _jpeg_of_scans(count: int, side: int = 3400) -> bytes:
    """A JPEG of 11 million pixels in which one scan of 30 bytes stands `count` times; each is 4 ms of work."""
    out = BytesIO()
    Image.new("L", (side, side), 128).save(out, "JPEG", progressive=True, quality=10)
    whole = out.getvalue()
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * count + whole[-2:]


def _still(kind: str) -> bytes:
    out = BytesIO()
    Image.new("RGB", (40, 40), (255, 0, 0)).save(out, kind)
    return out.getvalue()


def _frames(kind: str, count: int) -> bytes:
    out = BytesIO()
    frames = [Image.new("RGB", (8, 8), (n % 256, n // 256, 0)) for n in range(count)]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()


def _gif_of_comments(count: int) -> bytes:
    whole = _still("GIF")
    at = whole.index(b",\0\0\0\0")  # before the first frame
    return whole[:at] + b"!\xfe\x01a\0" * count + whole[at:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png_of_text(count: int) -> bytes:
    """`count` compressed texts of half a megabyte each."""
    whole = _still("PNG")
    text = _chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(500_000)))
    return whole[:33] + text * count + whole[33:]


async def _shown(data: bytes, *, is_asked: bool = False) -> str:
    """What the note of the picture says, or its size."""
    try:
        picture = await decoding.scaled(data, (60, 40), GROUND, is_asked=is_asked)
    except NotAPicture as error:
        return str(error)
    return f"{picture.width}x{picture.height}"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (lambda: _still("PNG"), "40x40"),
        (lambda: _frames("GIF", 2000), "8x8"),
        (lambda: _frames("WEBP", 1000), "8x8"),
        (lambda: _frames("PNG", 1000), "8x8"),
        (lambda: _gif_of_comments(200_000), "40x40"),
        (lambda: _png_of_text(400), pixels.UNREADABLE),
        (lambda: _still("TIFF"), pixels.UNREADABLE),
        (lambda: _still("EPS"), pixels.UNREADABLE),
        (lambda: _still("PPM"), pixels.UNREADABLE),
        (lambda: _still("ICO"), pixels.UNREADABLE),
        (lambda: b"", pixels.UNREADABLE),
    ],
    ids=[
        "still",
        "gif frames",
        "webp frames",
        "apng frames",
        "gif comments",
        "png texts",
        *"tepi0",
    ],
)
async def test_what_a_file_costs_is_bounded(data: Callable[[], bytes], sentence: str) -> None:
    """Only the first frame is decoded, other formats are not tried, and Pillow's own limits hold."""
    file = data()
    before = os.times()
    assert await _shown(file) == sentence
    after = os.times()
    spent = after.children_user + after.children_system
    assert spent - before.children_user - before.children_system < 1


async def test_a_file_that_would_take_an_hour_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 KB of scans are 20 s of work: they end at the limit of processor time, or of the clock."""
    file = _jpeg_of_scans(5000)
    assert len(file) < 200_000
    monkeypatch.setattr(decoding, "UNASKED", replace(decoding.UNASKED, seconds=1))
    assert await _shown(file) == pixels.TOO_COSTLY
    monkeypatch.setattr(decoding, "UNASKED", replace(decoding.UNASKED, wait=0.2))
    start = time.process_time()
    assert await _shown(file) == pixels.TOO_COSTLY
    assert time.process_time() - start < 0.2, "nothing of it is decoded here"


async def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that needs more than it is given is refused; with what it is really given it is shown."""
    out = BytesIO()
    Image.new("RGB", (3400, 3400)).save(out, "WEBP", lossless=True)
    assert await _shown(out.getvalue()) == "40x40"
    monkeypatch.setattr(decoding, "UNASKED", replace(decoding.UNASKED, memory=100 * 2**20))
    assert await _shown(out.getvalue()) in (pixels.TOO_COSTLY, pixels.UNREADABLE)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]\n",
        b"{}\n",
        b'{"refused": "\x1b]0;x\x07"}\n',
        b'{"original": [1, 2], "width": 9999999, "height": 1}\n',
        b'{"original": [1, 2], "width": 2, "height": 2}\nabc',
        b'{"original": "x", "width": 1, "height": 1}\nabc',
        b"[" * 100_000,
    ],
    ids=["nothing", "list", "empty", "sentence", "large", "short", "no size", "deep"],
)
async def test_a_decoder_that_was_taken_over_is_not_believed(
    answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes back is checked as what came in: other sizes and sentences are not shown."""
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\ncat {tmp_path / 'answer'}\n")
    program.chmod(0o700)
    (tmp_path / "answer").write_bytes(answer)
    monkeypatch.setattr("sys.executable", str(program))
    assert await _shown(_still("PNG")) == pixels.UNREADABLE


async def test_closing_ends_the_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving a topic whose picture is being decoded leaves no process behind."""
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    start = Host.start

    async def noted(host: Host, *command: str, **options: Any) -> Process:
        process = await start(host, *command, **options)
        started.set_result(process.pid)
        return process

    monkeypatch.setattr(Host, "start", noted)
    going = asyncio.create_task(_shown(_jpeg_of_scans(5000)))
    decoder = await started
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    with pytest.raises(ProcessLookupError):
        os.kill(decoder, 0)  # not even as one that nobody waited for
