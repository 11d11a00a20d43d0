"""Decodes untrusted pictures in a process that may be killed: see `picture_decoder`. Draws nothing.

The process's answer is trusted no more than the file: sizes are checked, sentences are those of
`tui.content.pixels`.
"""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any, Final

from tui.content import pixels, untrusted_json
from tui.content.pixels import Pixels, Size
from tui.dataclass import dataclass
from tui.errors import NotAPicture
from tui.host import LOCAL, Host, end_input


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeLimits:
    """Limits of one picture: bytes of address space, seconds of processor time and of wall time."""

    memory: int
    seconds: int
    wait: float


UNASKED: Final = DecodeLimits(memory=512 * 2**20, seconds=5, wait=20.0)
"""12 million pixels take 200 MB (WebP) and 0.2 s (PNG)."""
ASKED: Final = DecodeLimits(memory=1536 * 2**20, seconds=20, wait=60.0)


async def scaled(
    data: bytes,
    most: Size,
    background: tuple[int, int, int],
    *,
    is_asked: bool,
    host: Host = LOCAL,
) -> Pixels:
    """As `pixels.scaled`. Raises NotAPicture."""
    head, rgb = await _ask(data, most, background, is_asked=is_asked, host=host)
    width, height = _number(head, "width"), _number(head, "height")
    if width > most[0] or height > most[1] or len(rgb) != width * height * 3:
        raise NotAPicture(pixels.UNREADABLE)
    return Pixels(original=_original(head), width=width, height=height, rgb=rgb)


async def as_png(
    data: bytes, most: Size, *, is_asked: bool, host: Host = LOCAL
) -> tuple[bytes, Size]:
    """As `pixels.as_png`. Raises NotAPicture."""
    head, png = await _ask(data, most, None, is_asked=is_asked, host=host)
    return png, _original(head)


async def _ask(
    data: bytes,
    most: Size,
    ground: tuple[int, int, int] | None,
    *,
    is_asked: bool,
    host: Host,
) -> tuple[dict[str, Any], bytes]:
    costs = ASKED if is_asked else UNASKED
    request = json.dumps(
        {
            "most": most,
            "ground": ground,
            "is_asked": is_asked,
            "memory": costs.memory,
            "seconds": costs.seconds,
        }
    ).encode()
    try:
        process = await host.start(
            sys.executable,
            "-P",  # files in the current folder are not trusted, and no part of the program
            "-m",
            "tui.commands.picture_decoder",
            takes=True,
            gives=True,
        )
    except OSError as error:
        raise NotAPicture(f"the program that reads it did not start: {error.strerror}") from error
    try:
        async with asyncio.timeout(costs.wait):
            out, _ = await process.communicate(request + b"\n" + data)
    except TimeoutError as error:
        raise NotAPicture(pixels.TOO_COSTLY) from error
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        await end_input(process)
    status = await process.wait()
    if status != 0:
        raise NotAPicture(pixels.TOO_COSTLY if status < 0 else pixels.UNREADABLE)
    line, _, body = out.partition(b"\n")
    head = untrusted_json.parsed(line)
    if not isinstance(head, dict):
        raise NotAPicture(pixels.UNREADABLE)
    if "refused" in head:
        why = head["refused"]
        raise NotAPicture(why if why in pixels.REASONS else pixels.UNREADABLE)
    return head, body


def _number(head: dict[str, Any], name: str) -> int:
    value = head.get(name)
    if not isinstance(value, int) or not 0 < value <= pixels.MOST_PIXELS:
        raise NotAPicture(pixels.UNREADABLE)
    return value


def _original(head: dict[str, Any]) -> Size:
    match head.get("original"):
        case [int(width), int(height)] if width > 0 and height > 0:
            return width, height
    raise NotAPicture(pixels.UNREADABLE)
